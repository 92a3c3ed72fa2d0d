// printf, assert, the heap, alloca and strings on the device.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <new>
struct Node { int value; Node *next; __device__ Node(int v) : value(v), next(nullptr) {} __device__ virtual ~Node() {} __device__ virtual int get() const { return value; } };
struct Leaf : Node { __device__ Leaf() : Node(1) {} __device__ int get() const override { return 2; } };
__global__ void library(int *out, int n, void *buffer) {
  int i = threadIdx.x;
  printf("%d %f %s\n", i, 1.0, "text");
  assert(i < n);
  assert(n > 0 && "message");
  int *p = (int *)malloc(16); p[0] = 1; free(p);
  int *q = new int[n]; q[0] = 2; delete[] q;
  Node *node = new Leaf; out[i] = node->get(); delete node;
  Node *placed = new (buffer) Node(3); placed->~Node();
  int *local = (int *)alloca(16); local[i & 3] = i; out[i] += local[1];
  char text[8]; memset(text, 0, sizeof text); memcpy(text, "abc", 4); out[i] += text[0];
  typedef int (*function)(int); static_assert(sizeof(function) == 8, "");
  printf("%s %s\n", __func__, __PRETTY_FUNCTION__);
  std::printf("done\n");
}
