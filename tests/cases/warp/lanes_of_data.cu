// Memory chooses the active lanes: what they cost at the most is known, and how they lie.
struct Node { int first, count; };

__global__ void visit(const Node* nodes, const bool* mask, int* seen, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n || !mask[t]) return;
  seen[t] = nodes[t].first;  // drano: expect[DRN001] "if several lanes are active"
}

// One run of lanes, cut by data: nothing to report.
__global__ void pack(const int* chosen, const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n && chosen[t]) out[t] = in[t];
}

// A size chooses them: it may leave one of each warp.
__global__ void every(const Node* nodes, int* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t % n == 0) out[t] = nodes[t].first;  // drano: expect[DRN001] "if several lanes are active"
}

void go(Node* nodes, bool* mask, int* seen, int* chosen, float* in, float* out, int n) {
  visit<<<(n + 255) / 256, 256>>>(nodes, mask, seen, n);
  every<<<(n + 255) / 256, 256>>>(nodes, seen, n);
  pack<<<(n + 255) / 256, 256>>>(chosen, in, out, n);
}
