/* Texture references for SDKs that have removed them, as far as drano/ir's prelude only declares them:
 * device code fetches by the reference's handle as it would by an object's; on the host the run-time
 * library binds what the handle stands for (texture.c).
 */
#ifndef DRANO_REFERENCES_H
#define DRANO_REFERENCES_H
#ifdef __CUDA_ARCH__
template <class Reference> static inline __device__ cudaTextureObject_t drano_object(Reference of) {
  cudaTextureObject_t object;
  asm("mov.b64 %0, %1; " : "=l"(object) : "l"(of));
  return object;
}
#define DRANO_OF template <class T, int D, enum cudaTextureReadMode M> __device__
#define DRANO_TEXEL typename drano_texel<T, M>::type
DRANO_OF DRANO_TEXEL tex1Dfetch(texture<T, D, M> t, int x) {
  return tex1Dfetch<DRANO_TEXEL>(drano_object(t), x);
}
DRANO_OF DRANO_TEXEL tex1D(texture<T, D, M> t, float x) {
  return tex1D<DRANO_TEXEL>(drano_object(t), x);
}
DRANO_OF DRANO_TEXEL tex2D(texture<T, D, M> t, float x, float y) {
  return tex2D<DRANO_TEXEL>(drano_object(t), x, y);
}
DRANO_OF DRANO_TEXEL tex3D(texture<T, D, M> t, float x, float y, float z) {
  return tex3D<DRANO_TEXEL>(drano_object(t), x, y, z);
}
DRANO_OF DRANO_TEXEL tex1DLayered(texture<T, D, M> t, float x, int layer) {
  return tex1DLayered<DRANO_TEXEL>(drano_object(t), x, layer);
}
DRANO_OF DRANO_TEXEL tex2DLayered(texture<T, D, M> t, float x, float y, int layer) {
  return tex2DLayered<DRANO_TEXEL>(drano_object(t), x, y, layer);
}
DRANO_OF DRANO_TEXEL texCubemap(texture<T, D, M> t, float x, float y, float z) {
  return texCubemap<DRANO_TEXEL>(drano_object(t), x, y, z);
}
#undef DRANO_OF
#undef DRANO_TEXEL
#else
extern "C" {
cudaError_t drano_bind(size_t *, const textureReference *, const void *, const cudaChannelFormatDesc *,
                       size_t) __asm__("cudaBindTexture");
cudaError_t drano_bind_2d(size_t *, const textureReference *, const void *,
                          const cudaChannelFormatDesc *, size_t, size_t,
                          size_t) __asm__("cudaBindTexture2D");
cudaError_t drano_bind_array(const textureReference *, cudaArray_const_t,
                             const cudaChannelFormatDesc *) __asm__("cudaBindTextureToArray");
cudaError_t drano_unbind(const textureReference *) __asm__("cudaUnbindTexture");
cudaError_t drano_reference(const textureReference **, const void *) __asm__("cudaGetTextureReference");
}
/* What calls give: the API's pointers, or C++ references; without a description the texture's own. */
#define DRANO_CALL static inline __host__ cudaError_t
#define DRANO_MEMORY size_t *offset, const textureReference *t, const void *pointer
DRANO_CALL drano_bound(DRANO_MEMORY, size_t bytes = ~0u) {
  return drano_bind(offset, t, pointer, &t->channelDesc, bytes);
}
DRANO_CALL drano_bound(DRANO_MEMORY, const cudaChannelFormatDesc &desc, size_t bytes = ~0u) {
  return drano_bind(offset, t, pointer, &desc, bytes);
}
DRANO_CALL drano_bound(DRANO_MEMORY, const cudaChannelFormatDesc *desc, size_t bytes = ~0u) {
  return drano_bind(offset, t, pointer, desc, bytes);
}
DRANO_CALL drano_bound_2d(DRANO_MEMORY, size_t width, size_t height, size_t pitch) {
  return drano_bind_2d(offset, t, pointer, &t->channelDesc, width, height, pitch);
}
DRANO_CALL drano_bound_2d(DRANO_MEMORY, const cudaChannelFormatDesc &desc, size_t width, size_t height,
                          size_t pitch) {
  return drano_bind_2d(offset, t, pointer, &desc, width, height, pitch);
}
DRANO_CALL drano_bound_2d(DRANO_MEMORY, const cudaChannelFormatDesc *desc, size_t width, size_t height,
                          size_t pitch) {
  return drano_bind_2d(offset, t, pointer, desc, width, height, pitch);
}
DRANO_CALL drano_bound_array(const textureReference *t, cudaArray_const_t array) {
  return drano_bind_array(t, array, &t->channelDesc);
}
DRANO_CALL drano_bound_array(const textureReference *t, cudaArray_const_t array,
                             const cudaChannelFormatDesc &desc) {
  return drano_bind_array(t, array, &desc);
}
DRANO_CALL drano_bound_array(const textureReference *t, cudaArray_const_t array,
                             const cudaChannelFormatDesc *desc) {
  return drano_bind_array(t, array, desc);
}
#undef DRANO_CALL
#undef DRANO_MEMORY
#define DRANO_BINDING template <class... Arguments> __host__ cudaError_t
DRANO_BINDING cudaBindTexture(size_t *offset, const textureReference &t, const Arguments &...rest) {
  return drano_bound(offset, &t, rest...);
}
DRANO_BINDING cudaBindTexture(size_t *offset, const textureReference *t, const Arguments &...rest) {
  return drano_bound(offset, t, rest...);
}
DRANO_BINDING cudaBindTexture2D(size_t *offset, const textureReference &t, const Arguments &...rest) {
  return drano_bound_2d(offset, &t, rest...);
}
DRANO_BINDING cudaBindTexture2D(size_t *offset, const textureReference *t, const Arguments &...rest) {
  return drano_bound_2d(offset, t, rest...);
}
DRANO_BINDING cudaBindTextureToArray(const textureReference &t, const Arguments &...rest) {
  return drano_bound_array(&t, rest...);
}
DRANO_BINDING cudaBindTextureToArray(const textureReference *t, const Arguments &...rest) {
  return drano_bound_array(t, rest...);
}
#undef DRANO_BINDING
inline __host__ cudaError_t cudaUnbindTexture(const textureReference &t) { return drano_unbind(&t); }
inline __host__ cudaError_t cudaUnbindTexture(const textureReference *t) { return drano_unbind(t); }
inline __host__ cudaError_t cudaGetTextureReference(const textureReference **t, const void *symbol) {
  return drano_reference(t, symbol);
}
inline __host__ cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference &) {
  *offset = 0;
  return cudaSuccess;
}
#endif
#endif
