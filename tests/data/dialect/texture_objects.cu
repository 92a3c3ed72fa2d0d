// Texture and surface objects.
__global__ void objects(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out) {
  int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(t, i) + tex2D<float>(t, i, 0) + tex3D<float4>(t, i, 0, 0).x + tex1D<float>(t, 0.5f)
         + tex2DLayered<float>(t, 0.f, 0.f, 1) + texCubemap<float4>(t, 0.f, 1.f, 0.f).y + tex2DLod<float>(t, 0.f, 0.f, 1.f)
         + tex2Dgather<float4>(t, 0.f, 0.f, 1).z + tex2DGrad<float>(t, 0.f, 0.f, make_float2(0, 1), make_float2(1, 0))
         + tex1DLayered<int>(t, 0.f, 1);
  float v; tex2D(&v, t, 0.f, 1.f);
  uchar4 c = tex2D<uchar4>(t, 0.f, 0.f);
  surf2Dwrite(v + c.x, s, i * 4, 0); surf2Dread(&v, s, i * 4, 0, cudaBoundaryModeClamp);
  v += surf1Dread<float>(s, i * 4) + surf3Dread<float>(s, i * 4, 0, 0);
  surf3Dwrite(make_float4(v, v, v, v), s, 16 * i, 0, 0); surf2DLayeredwrite(v, s, i, 0, 1); surfCubemapwrite(v, s, i, 0, 1);
  ushort4 u; surf2Dread(&u, s, i * 8, 0); out[i] += v + u.x;
}
