// nvcc: -rdc=true
// Relocatable device code: device functions of other units, launches from the device.
#ifndef __CUDACC_RDC__
#error __CUDACC_RDC__
#endif
extern __device__ float elsewhere(float);
extern __device__ int counter;
extern __constant__ float weights[16];
__global__ void child(float *p) { p[threadIdx.x] = elsewhere(weights[threadIdx.x & 15]); }
__global__ void parent(float *p) {
  child<<<1, 32>>>(p);
  if (threadIdx.x == 0) child<<<1, 64, 0, cudaStreamFireAndForget>>>(p);
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  child<<<2, 32, 0, s>>>(p);
  cudaStreamDestroy(s);
  counter++;
}
