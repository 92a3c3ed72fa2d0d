// nvcc: --extended-lambda --expt-relaxed-constexpr -std=c++17
// Device lambdas, host device lambdas, and kernels that take them.
template <class F> __global__ void apply(F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <class F> void each(int n, F f) { apply<<<(n + 255) / 256, 256>>>(f, n); }
struct Owner {
  float *data; int w;
  void run(int n) {
    auto p = data; auto s = w;
    each(n, [=] __device__(int i) { p[i * s] = i; });
    each(n, [=] __host__ __device__(int i) mutable { p[i] = ++s; });
    each(n, [=, *this] __device__(int i) { data[i] = w; });
  }
};
__global__ void inner(float *out) {
  auto square = [](float x) { return x * x; };
  auto add = [&](int i) -> float { return out[i] + 1; };
  auto generic = [](auto a, auto b) { return a < b ? a : b; };
  auto marked = [] __device__(int i) { return 2 * i; };
  out[threadIdx.x] = square(threadIdx.x) + add(threadIdx.x) + generic(1, 2) + marked(threadIdx.x);
}
void extended(float *p) {
  auto f = [=] __device__(int i) { p[i] = 0; };
  static_assert(!__nv_is_extended_host_device_lambda_closure_type(decltype(f)), "");
  if (__nv_is_extended_device_lambda_closure_type(decltype(f))) return;
  each(3, f);
}
int main() { Owner o{nullptr, 4}; o.run(5); inner<<<1, 32>>>(o.data); extended(o.data); }
