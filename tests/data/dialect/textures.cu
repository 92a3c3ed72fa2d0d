// old: nvcc 13 refuses it
// Texture and surface references, which CUDA 12 has removed.
texture<float, 1, cudaReadModeElementType> line;
texture<float4, cudaTextureType2D> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;
texture<int2, 1> doubles;
texture<uchar4, 3, cudaReadModeNormalizedFloat> volume;
texture<float, cudaTextureType2DLayered> layered;
texture<float, cudaTextureTypeCubemap> cube;
surface<void, cudaSurfaceType2D> target;
surface<void, 3> target3;
static __inline__ __device__ double fetch(texture<int2, 1> t, int i) {
  int2 v = tex1Dfetch(t, i);
  return __hiloint2double(v.y, v.x);
}
__global__ void fetches(float *out, int n) {
  int i = threadIdx.x;
  float4 v = tex2D(plane, i, n);
  out[i] = tex1Dfetch(line, i) + v.x + tex2D(image, 0.5f, 0.25f) + fetch(doubles, i) + tex1D(line, 0.5f)
         + tex3D(volume, 0.f, 0.f, 1.f).x + tex2DLayered(layered, 0.f, 0.f, 1) + texCubemap(cube, 1.f, 0.f, 0.f)
         + tex2DLod(plane, 0.f, 0.f, 1.f).y + tex2Dgather(plane, 0.f, 0.f, 0).x + tex2DGrad(plane, 0.f, 0.f, float2(), float2()).x;
  float f;
  surf2Dread(&f, target, i * 4, n);
  surf2Dwrite(f, target, i * 4, n, cudaBoundaryModeTrap);
  f += surf2Dread<float>(target, i * 4, n);
  surf3Dwrite(f, target3, i, n, 0);
}
int main() {
  float *p; cudaArray *a; size_t offset;
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaBindTexture(0, line, p); cudaBindTexture(&offset, line, p, d, 100); cudaBindTexture(NULL, &line, p, &d, 4);
  cudaBindTexture2D(0, plane, p, d, 1, 1, 4); cudaBindTextureToArray(plane, a); cudaBindTextureToArray(plane, a, d);
  cudaBindSurfaceToArray(target, a);
  plane.addressMode[0] = cudaAddressModeWrap; plane.filterMode = cudaFilterModeLinear; plane.normalized = true;
  cudaUnbindTexture(line);
  const textureReference *r; cudaGetTextureReference(&r, &line);
  fetches<<<1, 32>>>(p, 3);
}
