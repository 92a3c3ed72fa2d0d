/* nvcc's mixed-type min and max exist on the host, too; clang's wrapper keeps those of the device.
 * Exact matches only (no templates), as in crt/math_functions.hpp. */
#define DRANO_MINMAX(R, A, B) \
  static inline __host__ R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
  static inline __host__ R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
DRANO_MINMAX(int, int, int)
DRANO_MINMAX(unsigned, unsigned, unsigned)
DRANO_MINMAX(unsigned, int, unsigned)
DRANO_MINMAX(unsigned, unsigned, int)
DRANO_MINMAX(long, long, long)
DRANO_MINMAX(unsigned long, unsigned long, unsigned long)
DRANO_MINMAX(unsigned long, long, unsigned long)
DRANO_MINMAX(unsigned long, unsigned long, long)
DRANO_MINMAX(long long, long long, long long)
DRANO_MINMAX(unsigned long long, unsigned long long, unsigned long long)
DRANO_MINMAX(unsigned long long, long long, unsigned long long)
DRANO_MINMAX(unsigned long long, unsigned long long, long long)
DRANO_MINMAX(float, float, float)
DRANO_MINMAX(double, double, double)
DRANO_MINMAX(double, float, double)
DRANO_MINMAX(double, double, float)
#undef DRANO_MINMAX
/* What both sides may call, and nvcc lets pass: drano/frontend/repair/functions/host_functions.py. */
template <int = 0> __device__ void abort() { __nvvm_read_ptx_sreg_nsmid() ? __builtin_trap() : (void)0; }
template <int = 0> __device__ void exit(int) { __nvvm_read_ptx_sreg_nsmid() ? __builtin_trap() : (void)0; }
namespace std {
using ::abort;
using ::exit;
} // namespace std
