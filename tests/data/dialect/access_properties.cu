// Annotated pointers and L2 access properties.
#include <cuda/annotated_ptr>
__global__ void annotated(cuda::annotated_ptr<int, cuda::access_property::persisting> out, const int *in, int *other) {
  cuda::annotated_ptr<const int, cuda::access_property::streaming> p{in};
  out[threadIdx.x] = p[2 * threadIdx.x];
  int *q = cuda::associate_access_property(other, cuda::access_property::persisting{});
  q[threadIdx.x] = 1;
  cuda::apply_access_property(in, 128, cuda::access_property::normal{});
  __nv_associate_access_property(other, 0);
}
