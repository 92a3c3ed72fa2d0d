// __managed__ variables, alone and with __device__, of one unit and of several.
__device__ __managed__ int counter;
__managed__ float table[256];
__managed__ __device__ double total = 1.0;
static __managed__ int own;
extern __managed__ int elsewhere;
__managed__ int *pointer;

__global__ void managed(float *out) {
  out[threadIdx.x] = table[2 * threadIdx.x] + counter + total + own + elsewhere + pointer[threadIdx.x];
  atomicAdd(&counter, 1);
}
int main() { counter = 3; table[0] = 1; managed<<<1, 32>>>(table); return counter; }
