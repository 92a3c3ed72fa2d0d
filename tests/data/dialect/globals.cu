// Variables of the device: constant, constructed, static, in classes and namespaces.
struct Range { int low, high; constexpr Range(int l, int h) : low(l), high(h) {} };
struct Pod { float x[4]; };
struct Plain { __device__ __host__ Plain() = default; int v; };
__constant__ Range range{1, 2};
__constant__ Pod pod = {{1, 2, 3, 4}};
__constant__ float coefficients[] = {1.0f, 2.0f, 3.0f};
__device__ const int offsets[3] = {0, 1, 2};
static __device__ int hits;
__device__ static float cells[64];
__device__ Plain plain;
static const __constant__ int sizes[2] = {3, 4};
constexpr __device__ int kDepth = 4;
__device__ constexpr float kHalf = 0.5f;
static constexpr int kWidth = 16;
const int kGlobalConst = 7;
static __device__ int inline_counter;
namespace deep { __device__ volatile int flag; __constant__ int limit; }
struct Holder { static constexpr int size = 8; static const int other = 9; };
__device__ int *pointer_to = &inline_counter;
__device__ void (*function)(int *) = nullptr;
template <class T> __device__ T per_type = T(1);
template <int N> __constant__ int per_size[N];
__device__ const char *const text = "hello";
__device__ int matrix[4][4] = {{1}, {2}};
__device__ __align__(16) float aligned[4];
__device__ __constant__ int both_ways;
typedef float Lane[32];
__device__ Lane lanes;
__global__ void globals(float *out) {
  int i = threadIdx.x;
  static int counter = 0;
  static __device__ int inner;
  const static float local_table[4] = {1, 2, 3, 4};
  static const int steps[] = {1, 2};
  static constexpr int taps[] = {1, 2, 3};
  static __constant__ const float inner_constant[2] = {1, 2};
  out[i] = range.low + pod.x[i & 3] + coefficients[i % 3] + offsets[i % 3] + cells[i] + plain.v + sizes[i & 1] + kDepth + kHalf + kWidth + kGlobalConst
         + deep::flag + deep::limit + Holder::size + Holder::other + *pointer_to + per_type<float> + per_size<3>[1] + text[0]
         + matrix[i & 3][0] + aligned[0] + lanes[i] + local_table[i & 3] + steps[i & 1] + taps[i % 3] + inner_constant[i & 1] + both_ways;
  atomicAdd(&hits, 1); atomicAdd(&inner, 1); counter++; inline_counter++;
  if (function) function(&inner);
}
