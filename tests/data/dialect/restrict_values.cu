// Values whose type is a template's parameter may be `__restrict__`, as if they were pointers.
struct Map {
  int *slots;
  __device__ int find(int key) const { return slots[key]; }
};

template <typename M, typename T>
__global__ void look_up(M const __restrict__ map, T *__restrict__ found, T const __restrict__ by) {
  found[threadIdx.x] = map.find(threadIdx.x) + by;
}

template <class M> __global__ void clear(M __restrict__ map, int *__restrict__ const *__restrict__ p) {
  map.slots[threadIdx.x] = **p;
}

void run(Map map, int *found, int **p) {
  look_up<Map, int><<<1, 32>>>(map, found, 3);
  look_up<<<1, 64>>>(map, found, 4);
  clear<Map><<<1, 32>>>(map, p);
}

// So may the elements of arrays that are parameters, by a type's second name.
typedef unsigned short word;

template <unsigned char N>
__device__ int sum_of(const __restrict__ word first[8 * N], int *__restrict__ rest, __restrict__ word last[N]) {
  return first[threadIdx.x] + rest[threadIdx.x] + last[threadIdx.x];
}

__global__ void sums(const word __restrict__ in[8], word *last, int *out) {
  out[threadIdx.x] = sum_of<4>(in, out, last);
}
