/* Memory pools: what is allocated from them is memory like any other; what is freed is given back at
 * once, so that a pool holds no more than what is in use.
 */
#include "streams.h"

#if CUDART_VERSION >= 11020
#define POOL_MARK 0x6472706cu

struct CUmemPoolHandle_st {
  unsigned mark; uint64_t threshold, used, high; int reuse[3]; enum cudaMemAccessFlags access;
};

static struct CUmemPoolHandle_st standard = {POOL_MARK, 0, 0, 0, {1, 1, 1}, cudaMemAccessFlagsProtReadWrite};
static cudaMemPool_t chosen = &standard;

static bool is_pool(cudaMemPool_t pool) { return pool != NULL && pool->mark == POOL_MARK; }
#define REQUIRE_POOL(p) REQUIRE(is_pool(p), cudaErrorInvalidValue)

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  CHECK_STATE();
  REQUIRE(pool != NULL && device == 0, cudaErrorInvalidValue);
  *pool = &standard;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  CHECK_STATE();
  REQUIRE(pool != NULL && device == 0, cudaErrorInvalidValue);
  *pool = chosen;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  CHECK_STATE();
  REQUIRE(device == 0 && is_pool(pool), cudaErrorInvalidValue);
  chosen = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *wanted) {
  CHECK_STATE();
  REQUIRE(pool != NULL && wanted != NULL, cudaErrorInvalidValue);
  *pool = calloc(1, sizeof **pool);
  REQUIRE(*pool != NULL, cudaErrorMemoryAllocation);
  **pool = (struct CUmemPoolHandle_st){POOL_MARK, 0, 0, 0, {1, 1, 1}, cudaMemAccessFlagsProtReadWrite};
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  CHECK_STATE();
  REQUIRE(is_pool(pool) && pool != &standard, cudaErrorInvalidValue);
  pool->mark = 0; /* the few bytes stay, so that a later use is seen */
  if (chosen == pool) chosen = &standard;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  CHECK_STATE();
  (void)bytes;
  REQUIRE_POOL(pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr what, void *value) {
  CHECK_STATE();
  REQUIRE(is_pool(pool) && value != NULL, cudaErrorInvalidValue);
  switch (what) {
  case cudaMemPoolReuseFollowEventDependencies: pool->reuse[0] = *(int *)value; break;
  case cudaMemPoolReuseAllowOpportunistic: pool->reuse[1] = *(int *)value; break;
  case cudaMemPoolReuseAllowInternalDependencies: pool->reuse[2] = *(int *)value; break;
  case cudaMemPoolAttrReleaseThreshold: pool->threshold = *(uint64_t *)value; break;
  default: pool->high = drano_memory_used(); /* the two high marks may be set to zero */
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr what, void *value) {
  CHECK_STATE();
  REQUIRE(is_pool(pool) && value != NULL, cudaErrorInvalidValue);
  const uint64_t used = drano_memory_used();
  if (used > pool->high) pool->high = used;
  switch ((int)what) {
  case cudaMemPoolReuseFollowEventDependencies: *(int *)value = pool->reuse[0]; break;
  case cudaMemPoolReuseAllowOpportunistic: *(int *)value = pool->reuse[1]; break;
  case cudaMemPoolReuseAllowInternalDependencies: *(int *)value = pool->reuse[2]; break;
  case cudaMemPoolAttrReleaseThreshold: *(uint64_t *)value = pool->threshold; break;
  case 0x5: case 0x7: *(uint64_t *)value = used; break; /* reserved, used */
  case 0x6: case 0x8: *(uint64_t *)value = pool->high; break;
  default: return drano_error(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count) {
  CHECK_STATE();
  REQUIRE(is_pool(pool) && (access != NULL || count == 0), cudaErrorInvalidValue);
  for (size_t k = 0; k < count; k++) {
    REQUIRE(access[k].location.id == 0, cudaErrorInvalidDevice);
    pool->access = access[k].flags;
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
  CHECK_STATE();
  REQUIRE(is_pool(pool) && flags != NULL && location != NULL, cudaErrorInvalidValue);
  *flags = pool->access;
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  REQUIRE_POOL(pool);
  return cudaMallocAsync(pointer, bytes, stream);
}
#endif
