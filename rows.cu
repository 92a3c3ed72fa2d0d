#include <tensors/view.h>
template <class T> __global__ void rows(T* a) { a[threadIdx.x * 32] = 1; }
void go(View view) { rows<float><<<1, 32>>>(view.data()); }
