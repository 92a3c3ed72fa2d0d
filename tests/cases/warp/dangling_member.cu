// A member that refers to a temporary is read as nvcc reads it, beyond the temporary's life.
struct Table {
  int *rows, size;
  // drano: expect[DRN004] "possibly strided load"
  __device__ int get(int i) const { return i < size ? rows[i] : 0; }
};

struct Reader {
  const Table& table;
  int next;
  __device__ Reader(int* rows, int next) : table(Table{rows, 100}), next(next) {}
  __device__ int get() const { return table.get(next); }
};

__global__ void read(int* to, int* from, int n) {
  Reader reader(from, threadIdx.x * n);
  to[threadIdx.x] = reader.get();
}

void go(int* to, int* from, int n) { read<<<1, 32>>>(to, from, n); }
