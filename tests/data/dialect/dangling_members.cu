// nvcc lets members refer to temporaries, as where nobody reads them.
struct Table {
  int *rows, size;
  __device__ int get(int i) const { return i < size ? rows[i] : 0; }
};
struct Reader {
  const Table &table;
  int next;
  __device__ Reader(int next) : table(Table()), next(next) {}
  __device__ Reader(const Table &table, int next) : table{table}, next(next) {}
  __device__ int get() const { return next > 0 ? next : table.get(-next); }
};

__global__ void read(int *to, Table table) {
  to[threadIdx.x] = threadIdx.x > 3 ? Reader(table, -1).get() : Reader(1).get();
}
