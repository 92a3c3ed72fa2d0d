// One finding for the line, whatever the number of instances; stride 1 is no complaint.
template <typename T, int kStride>
__global__ void scale(T* a) {
  int i = kStride * (blockIdx.x * blockDim.x + threadIdx.x);
  a[i] *= 2;  // drano: expect[DRN001] "also in kernel"
}

template __global__ void scale<float, 1>(float*);
template __global__ void scale<float, 4>(float*);
template __global__ void scale<double, 4>(double*);
