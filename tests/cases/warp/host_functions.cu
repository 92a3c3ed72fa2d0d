// Calls of host functions that nvcc lets pass: lanes that come there leave the kernel, or go on.
void complain(int row);
int value_of(int row);

__host__ __device__ inline void told(int i) {
    if (i == 0) complain(i);
}

template <class T> __host__ __device__ inline int row_of(T i) {
    if (i > 3) return value_of(i);
    return i;
}

__global__ void behind_a_call(float *v) {
    told(threadIdx.x);
    v[8 * threadIdx.x] = 1;  // drano: expect[DRN001] "32 bytes apart"
}

__global__ void by_its_value(float *v) {
    v[8 * row_of((int)threadIdx.x)] = 1;  // drano: expect[DRN001] "32 bytes apart"
}

__global__ void side_by_side(float *v, const int *row) {
    told(row[0]);
    v[threadIdx.x] = row[0];
}
