// Layered and cube textures, and surfaces; prints what is wrong.
#include <cstdio>
static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)
#define OK(call) WANT((call) == cudaSuccess)

__global__ void layers(cudaTextureObject_t rows, cudaTextureObject_t planes, float *o) {
  int t = threadIdx.x;
  o[t] = tex1DLayered<float>(rows, t % 8 + 0.5f, t / 8);
  o[32 + t] = tex2DLayered<float>(planes, t % 4 + 0.5f, t / 4 % 4 + 0.5f, t / 16);
}
__global__ void faces(cudaTextureObject_t cube, float *o) {
  const float d[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  int t = threadIdx.x;
  if (t < 6) o[t] = texCubemap<float>(cube, d[t][0], d[t][1], d[t][2]);
  /* on the face of +x, s is -z and t is -y */
  if (t == 6) o[t] = texCubemap<float>(cube, 1, 0.5f, 0.5f);
  if (t == 7) o[t] = texCubemap<float>(cube, 1, -0.5f, -0.5f);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x % 8, y = threadIdx.x / 8;
  float2 v;
  surf2Dread(&v, from, x * 8, y);
  surf2Dwrite(make_float2(v.y, v.x), to, x * 8, 3 - y);
  surf2Dwrite(v, to, 64, y, cudaBoundaryModeZero); /* outside: nothing happens */
}
__global__ void edges(cudaSurfaceObject_t from, float *o) {
  o[0] = surf2Dread<float2>(from, 64, 0, cudaBoundaryModeZero).x;
  o[1] = surf2Dread<float2>(from, 800, 9, cudaBoundaryModeClamp).x;
}

static cudaTextureObject_t texture_of(cudaArray_t array) {
  cudaResourceDesc from = {};
  from.resType = cudaResourceTypeArray;
  from.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t made = 0;
  OK(cudaCreateTextureObject(&made, &from, &how, nullptr));
  return made;
}

static cudaArray_t filled(cudaExtent extent, unsigned flags, float *values) {
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  OK(cudaMalloc3DArray(&array, &desc, extent, flags));
  cudaMemcpy3DParms copy = {};
  size_t rows = extent.height ? extent.height : 1;
  copy.srcPtr = make_cudaPitchedPtr(values, extent.width * 4, extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, extent.depth);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  return array;
}

int main() {
  float values[64], *o;
  for (int k = 0; k < 64; k++) values[k] = k;
  OK(cudaMallocManaged(&o, 512));
  cudaArray_t rows = filled(make_cudaExtent(8, 0, 4), cudaArrayLayered, values);
  cudaArray_t planes = filled(make_cudaExtent(4, 4, 2), cudaArrayLayered, values);
  layers<<<1, 32>>>(texture_of(rows), texture_of(planes), o);
  OK(cudaDeviceSynchronize());
  for (int k = 0; k < 64; k++) WANT(o[k] == k % 32);
  cudaArray_t cube = filled(make_cudaExtent(2, 2, 6), cudaArrayCubemap, values);
  faces<<<1, 32>>>(texture_of(cube), o);
  OK(cudaDeviceSynchronize());
  for (int k = 0; k < 6; k++) WANT((int)o[k] / 4 == k);
  WANT(o[6] == 0 && o[7] == 3);

  cudaSurfaceObject_t from, to;
  cudaArray_t source, target;
  cudaChannelFormatDesc two = cudaCreateChannelDesc<float2>();
  cudaResourceDesc desc = {};
  desc.resType = cudaResourceTypeArray;
  OK(cudaMallocArray(&source, &two, 8, 4, cudaArraySurfaceLoadStore));
  OK(cudaMallocArray(&target, &two, 8, 4, cudaArraySurfaceLoadStore));
  OK(cudaMemcpy2DToArray(source, 0, 0, values, 64, 64, 4, cudaMemcpyHostToDevice));
  desc.res.array.array = source;
  OK(cudaCreateSurfaceObject(&from, &desc));
  desc.res.array.array = target;
  OK(cudaCreateSurfaceObject(&to, &desc));
  turn<<<1, 32>>>(from, to);
  OK(cudaDeviceSynchronize());
  float back[64];
  OK(cudaMemcpy2DFromArray(back, 64, target, 0, 0, 64, 4, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 64; k++) WANT(back[k] == values[(3 - k / 16) * 16 + (k % 16 ^ 1)]);
  edges<<<1, 1>>>(from, o);
  OK(cudaDeviceSynchronize());
  WANT(o[0] == 0 && o[1] == 62);
  OK(cudaDestroySurfaceObject(to));
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
