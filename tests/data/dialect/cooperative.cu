// nvcc: -rdc=true
// Cooperative groups: tiles, reductions, scans, asynchronous copies, clusters, grids.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void groups(int *out, const int *in, int n) {
  extern __shared__ int tile[];
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  auto warp = cg::tiled_partition<32>(block);
  cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
  auto active = cg::coalesced_threads();
  int v = in[grid.thread_rank()];
  v += cg::reduce(warp, v, cg::plus<int>());
  v += cg::reduce(eight, v, cg::greater<int>());
  v += cg::inclusive_scan(warp, v, cg::plus<int>());
  v += cg::exclusive_scan(warp, v);
  v += warp.shfl_down(v, 1) + warp.ballot(v) + active.size() + warp.meta_group_rank();
  v += cg::reduce(active, v, [](int a, int b) { return a + b; });
  cg::memcpy_async(block, tile, in, sizeof(int) * 64);
  cg::wait(block);
  cg::memcpy_async(warp, tile, 32, in, 32);
  cg::wait_prior<0>(warp);
  auto part = cg::labeled_partition(warp, v & 3);
  auto half = cg::binary_partition(warp, v & 1);
  v += part.size() + half.thread_rank();
  cg::invoke_one(warp, [] {});
  grid.sync();
  block.sync();
  out[block.group_index().x * block.size() + block.thread_rank()] = v + tile[block.thread_rank()];
}
__global__ void __cluster_dims__(2, 1, 1) clusters(int *out) {
  __shared__ int cell[32];
  cg::cluster_group cluster = cg::this_cluster();
  cell[threadIdx.x] = threadIdx.x;
  cluster.sync();
  int *other = cluster.map_shared_rank(cell, cluster.block_rank() ^ 1);
  out[threadIdx.x] = other[threadIdx.x];
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
}
