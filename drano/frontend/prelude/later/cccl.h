/* Behind common.h: CUB, Thrust, and what kernels use of libcu++. */
#if __has_include(<cub/cub.cuh>)
#include <cub/cub.cuh>
#endif
#if __has_include(<cuda/atomic>)
#include <cuda/atomic>
#endif
#if __has_include(<cuda/barrier>)
#include <cuda/barrier>
#endif
#if __has_include(<cuda/pipeline>)
#include <cuda/pipeline>
#endif
#if __has_include(<cuda/ptx>)
#include <cuda/ptx>
#endif
#if __has_include(<cuda/std/array>)
#include <cuda/std/array>
#endif
#if __has_include(<cuda/std/atomic>)
#include <cuda/std/atomic>
#endif
#if __has_include(<cuda/std/barrier>)
#include <cuda/std/barrier>
#endif
#if __has_include(<cuda/std/cmath>)
#include <cuda/std/cmath>
#endif
#if __has_include(<cuda/std/complex>)
#include <cuda/std/complex>
#endif
#if __has_include(<cuda/std/cstdint>)
#include <cuda/std/cstdint>
#endif
#if __has_include(<cuda/std/functional>)
#include <cuda/std/functional>
#endif
#if __has_include(<cuda/std/limits>)
#include <cuda/std/limits>
#endif
#if __has_include(<cuda/std/tuple>)
#include <cuda/std/tuple>
#endif
#if __has_include(<cuda/std/type_traits>)
#include <cuda/std/type_traits>
#endif
#if __has_include(<cuda/std/utility>)
#include <cuda/std/utility>
#endif
#if __has_include(<thrust/adjacent_difference.h>)
#include <thrust/adjacent_difference.h>
#endif
#if __has_include(<thrust/binary_search.h>)
#include <thrust/binary_search.h>
#endif
#if __has_include(<thrust/complex.h>)
#include <thrust/complex.h>
#endif
#if __has_include(<thrust/copy.h>)
#include <thrust/copy.h>
#endif
#if __has_include(<thrust/count.h>)
#include <thrust/count.h>
#endif
#if __has_include(<thrust/device_malloc.h>)
#include <thrust/device_malloc.h>
#endif
#if __has_include(<thrust/device_free.h>)
#include <thrust/device_free.h>
#endif
#if __has_include(<thrust/device_ptr.h>)
#include <thrust/device_ptr.h>
#endif
#if __has_include(<thrust/device_vector.h>)
#include <thrust/device_vector.h>
#endif
#if __has_include(<thrust/execution_policy.h>)
#include <thrust/execution_policy.h>
#endif
#if __has_include(<thrust/extrema.h>)
#include <thrust/extrema.h>
#endif
#if __has_include(<thrust/fill.h>)
#include <thrust/fill.h>
#endif
#if __has_include(<thrust/find.h>)
#include <thrust/find.h>
#endif
#if __has_include(<thrust/for_each.h>)
#include <thrust/for_each.h>
#endif
#if __has_include(<thrust/functional.h>)
#include <thrust/functional.h>
#endif
#if __has_include(<thrust/gather.h>)
#include <thrust/gather.h>
#endif
#if __has_include(<thrust/generate.h>)
#include <thrust/generate.h>
#endif
#if __has_include(<thrust/host_vector.h>)
#include <thrust/host_vector.h>
#endif
#if __has_include(<thrust/inner_product.h>)
#include <thrust/inner_product.h>
#endif
#if __has_include(<thrust/iterator/constant_iterator.h>)
#include <thrust/iterator/constant_iterator.h>
#endif
#if __has_include(<thrust/iterator/counting_iterator.h>)
#include <thrust/iterator/counting_iterator.h>
#endif
#if __has_include(<thrust/iterator/discard_iterator.h>)
#include <thrust/iterator/discard_iterator.h>
#endif
#if __has_include(<thrust/iterator/permutation_iterator.h>)
#include <thrust/iterator/permutation_iterator.h>
#endif
#if __has_include(<thrust/iterator/transform_iterator.h>)
#include <thrust/iterator/transform_iterator.h>
#endif
#if __has_include(<thrust/iterator/transform_output_iterator.h>)
#include <thrust/iterator/transform_output_iterator.h>
#endif
#if __has_include(<thrust/iterator/zip_iterator.h>)
#include <thrust/iterator/zip_iterator.h>
#endif
#if __has_include(<thrust/logical.h>)
#include <thrust/logical.h>
#endif
#if __has_include(<thrust/merge.h>)
#include <thrust/merge.h>
#endif
#if __has_include(<thrust/pair.h>)
#include <thrust/pair.h>
#endif
#if __has_include(<thrust/partition.h>)
#include <thrust/partition.h>
#endif
#if __has_include(<thrust/random.h>)
#include <thrust/random.h>
#endif
#if __has_include(<thrust/reduce.h>)
#include <thrust/reduce.h>
#endif
#if __has_include(<thrust/remove.h>)
#include <thrust/remove.h>
#endif
#if __has_include(<thrust/replace.h>)
#include <thrust/replace.h>
#endif
#if __has_include(<thrust/reverse.h>)
#include <thrust/reverse.h>
#endif
#if __has_include(<thrust/scan.h>)
#include <thrust/scan.h>
#endif
#if __has_include(<thrust/scatter.h>)
#include <thrust/scatter.h>
#endif
#if __has_include(<thrust/sequence.h>)
#include <thrust/sequence.h>
#endif
#if __has_include(<thrust/set_operations.h>)
#include <thrust/set_operations.h>
#endif
#if __has_include(<thrust/sort.h>)
#include <thrust/sort.h>
#endif
#if __has_include(<thrust/system/cuda/execution_policy.h>)
#include <thrust/system/cuda/execution_policy.h>
#endif
#if __has_include(<thrust/tabulate.h>)
#include <thrust/tabulate.h>
#endif
#if __has_include(<thrust/transform.h>)
#include <thrust/transform.h>
#endif
#if __has_include(<thrust/transform_reduce.h>)
#include <thrust/transform_reduce.h>
#endif
#if __has_include(<thrust/transform_scan.h>)
#include <thrust/transform_scan.h>
#endif
#if __has_include(<thrust/tuple.h>)
#include <thrust/tuple.h>
#endif
#if __has_include(<thrust/unique.h>)
#include <thrust/unique.h>
#endif
