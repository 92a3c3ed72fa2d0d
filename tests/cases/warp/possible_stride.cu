// Numbers between lanes that may be 1, and such that the kernel uses as lengths.
struct Tensor {
  float* data;
  int sizes[4];
  int strides[4];
};
template <typename T>
struct View {
  T* data;
  const long* strides;
  __device__ T& at(int i, int j) const { return data[i * strides[0] + j * strides[1]]; }
};

__global__ void scale(float* x, int incx, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i * incx] *= a;  // drano: expect[DRN004] "`incx` may be 1"
}
__global__ void clear(Tensor t) {
  t.data[blockIdx.x * t.strides[0] + threadIdx.x * t.strides[1]] = 0;  // drano: expect[DRN004] "may be 1"
}
__global__ void clear_at(Tensor* t) {
  int stride = t->strides[0];
  if (threadIdx.x < t->sizes[0]) t->data[threadIdx.x * stride] = 0;  // drano: expect[DRN004] "`stride` may be 1"
}
__global__ void view(View<float> v) { v.at(blockIdx.x, threadIdx.x) = 0; }  // drano: expect[DRN004] "may be 1"

// An index is added to a multiple, here or in another address.
__global__ void first_of_row(float* out, const float* rows, int width) {
  out[threadIdx.x] = rows[threadIdx.x * width];  // drano: expect[DRN004] "instead of being multiplied by `width`"
  out[threadIdx.x] += rows[blockIdx.x * width + threadIdx.x];
}
__global__ void field(Tensor t, int k) {
  int pitch = t.strides[0];
  t.data[threadIdx.x * pitch + k] = 0;  // drano: expect[DRN004] "multiplied by `pitch`"
}
// An index is compared with it.
__global__ void diagonal(float* matrix, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) matrix[i * n] = 0;  // drano: expect[DRN004] "multiplied by `n`"
}
// It is more than an element already, or cannot be 1.
__global__ void wide(float* a, int n) {
  a[threadIdx.x * 8 * n] = 0;  // drano: expect[DRN004] "multiplied by `n`"
}
// Whether it is 1 decides nothing: one lane, or all at one place.
__global__ void uniform(float* a, int n) {
  if (threadIdx.x == 0) a[blockIdx.x * n] = 0;
}

// A number in more bits is the same number: of two strides neither is an index within the other.
__global__ void rows(float* out, const float* in, unsigned n, unsigned s0, unsigned s1) {
  const float* row = in + size_t(blockIdx.y) * s1;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    out[size_t(blockIdx.y) * n + i] = row[size_t(i) * s0];  // drano: expect[DRN004] "`s0` may be 1"
  }
}
__global__ void wide_rows(float* matrix, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) matrix[size_t(i) * n] = 0;  // drano: expect[DRN004] "multiplied by `n`"
}

// Unrolled loops leave multiples of a stride, which are no indices within a row.
__global__ void planes(Tensor t, float* out, int n) {
  float sums[6] = {};
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    for (int k = 0; k < 6; k++)
      sums[k] += t.data[blockIdx.x * t.strides[0] + k * t.strides[1] + i * t.strides[2]];  // drano: expect[DRN004] "may be 1"
  for (int k = 0; k < 6; k++) out[k * 256 + threadIdx.x] = sums[k];
}
