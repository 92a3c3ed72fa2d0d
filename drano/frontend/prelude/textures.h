#if CUDART_VERSION >= 12000
/* Texture and surface references, gone since CUDA 12. A fetch is a call of an unknown function here:
 * that is all an analysis of global memory needs to know of it. */
struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
};
template <class T, int Dimension = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{normalized, filter, {address, address, address}, cudaCreateChannelDesc<T>()} {}
  __host__ texture(int normalized, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address, struct cudaChannelFormatDesc desc)
      : textureReference{normalized, filter, {address, address, address}, desc} {}
};
template <class T, enum cudaTextureReadMode Mode> struct drano_texel { typedef T type; };
template <> struct drano_texel<unsigned char, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<signed char, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<unsigned short, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<short, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<uchar4, cudaReadModeNormalizedFloat> { typedef float4 type; };
template <> struct drano_texel<char4, cudaReadModeNormalizedFloat> { typedef float4 type; };
template <> struct drano_texel<short4, cudaReadModeNormalizedFloat> { typedef float4 type; };
template <> struct drano_texel<uchar2, cudaReadModeNormalizedFloat> { typedef float2 type; };
template <> struct drano_texel<ushort2, cudaReadModeNormalizedFloat> { typedef float2 type; };
template <> struct drano_texel<ushort4, cudaReadModeNormalizedFloat> { typedef float4 type; };
#define DRANO_FETCH(NAME, ...) \
  template <class T, int D, enum cudaTextureReadMode M> \
  __device__ typename drano_texel<T, M>::type NAME(texture<T, D, M>, __VA_ARGS__);
DRANO_FETCH(tex1Dfetch, int)
DRANO_FETCH(tex1D, float)
DRANO_FETCH(tex2D, float, float)
DRANO_FETCH(tex3D, float, float, float)
DRANO_FETCH(tex1DLayered, float, int)
DRANO_FETCH(tex2DLayered, float, float, int)
DRANO_FETCH(texCubemap, float, float, float)
DRANO_FETCH(tex1DLod, float, float)
DRANO_FETCH(tex2DLod, float, float, float)
DRANO_FETCH(tex3DLod, float, float, float, float)
DRANO_FETCH(tex1DGrad, float, float, float)
DRANO_FETCH(tex2DGrad, float, float, float2, float2)
DRANO_FETCH(tex3DGrad, float, float, float, float4, float4)
DRANO_FETCH(texCubemapLayered, float, float, float, int)
DRANO_FETCH(tex1DLayeredLod, float, int, float)
DRANO_FETCH(tex2DLayeredLod, float, float, int, float)
DRANO_FETCH(texCubemapLod, float, float, float, float)
#undef DRANO_FETCH
template <class T> struct drano_texel4;
#define DRANO_GATHERED(T, PREFIX) \
  template <> struct drano_texel4<T> { typedef PREFIX##4 type; }; \
  template <> struct drano_texel4<PREFIX##1> { typedef PREFIX##4 type; }; \
  template <> struct drano_texel4<PREFIX##2> { typedef PREFIX##4 type; }; \
  template <> struct drano_texel4<PREFIX##4> { typedef PREFIX##4 type; };
DRANO_GATHERED(signed char, char)
DRANO_GATHERED(unsigned char, uchar)
DRANO_GATHERED(short, short)
DRANO_GATHERED(unsigned short, ushort)
DRANO_GATHERED(int, int)
DRANO_GATHERED(unsigned int, uint)
DRANO_GATHERED(float, float)
#undef DRANO_GATHERED
template <class T, int D, enum cudaTextureReadMode M>
__device__ typename drano_texel4<typename drano_texel<T, M>::type>::type tex2Dgather(
    texture<T, D, M>, float, float, int = 0);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture(size_t *, const textureReference &, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture2D(size_t *, const textureReference &, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTextureToArray(const textureReference &, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture(size_t *, const textureReference *, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTextureToArray(const textureReference *, const Arguments &...);
__host__ cudaError_t cudaUnbindTexture(const textureReference &);
__host__ cudaError_t cudaUnbindTexture(const textureReference *);
__host__ cudaError_t cudaGetTextureReference(const textureReference **, const void *);
__host__ cudaError_t cudaGetTextureAlignmentOffset(size_t *, const textureReference &);
__host__ cudaError_t cudaBindTextureToMipmappedArray(const textureReference &, cudaMipmappedArray_t);

struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
template <class T, int Dimension = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __host__ surface() {}
};
#define DRANO_SURFACE(READ, WRITE, ...) \
  template <class T, class S, int D> \
  __device__ T READ(surface<S, D>, __VA_ARGS__, \
                    enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T, class S, int D> \
  __device__ void READ(T *, surface<S, D>, __VA_ARGS__, \
                       enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T, class S, int D> \
  __device__ void WRITE(T, surface<S, D>, __VA_ARGS__, \
                        enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
DRANO_SURFACE(surf1Dread, surf1Dwrite, int)
DRANO_SURFACE(surf2Dread, surf2Dwrite, int, int)
DRANO_SURFACE(surf3Dread, surf3Dwrite, int, int, int)
DRANO_SURFACE(surf1DLayeredread, surf1DLayeredwrite, int, int)
DRANO_SURFACE(surf2DLayeredread, surf2DLayeredwrite, int, int, int)
DRANO_SURFACE(surfCubemapread, surfCubemapwrite, int, int, int)
DRANO_SURFACE(surfCubemapLayeredread, surfCubemapLayeredwrite, int, int, int)
#undef DRANO_SURFACE
__host__ cudaError_t cudaBindSurfaceToArray(const surfaceReference &, cudaArray_const_t);
__host__ cudaError_t cudaBindSurfaceToArray(const surfaceReference &, cudaArray_const_t,
                                            const struct cudaChannelFormatDesc &);
__host__ cudaError_t cudaGetSurfaceReference(const surfaceReference **, const void *);
#endif
