/* Stand-in for the CUDA samples' helper_image.h: images and comparisons of results. */
#ifndef DRANO_STUB_HELPER_IMAGE_H
#define DRANO_STUB_HELPER_IMAGE_H
template <class T> inline bool sdkLoadPGM(const char *, T **, unsigned *, unsigned *) {
  return true;
}
template <class T> inline bool sdkSavePGM(const char *, T *, unsigned, unsigned) { return true; }
template <class T> inline bool sdkLoadPPM4(const char *, T **, unsigned *, unsigned *) {
  return true;
}
template <class T> inline bool sdkSavePPM4ub(const char *, T *, unsigned, unsigned) {
  return true;
}
template <class T> inline bool sdkReadFile(const char *, T **, unsigned *, bool) { return true; }
template <class T, class S>
inline bool sdkWriteFile(const char *, const T *, unsigned, const S, bool, bool = false) {
  return true;
}
template <class T, class S>
inline bool compareData(const T *, const T *, const unsigned, const S, const float) {
  return true;
}
inline bool sdkCompareL2fe(const float *, const float *, const unsigned, const float) {
  return true;
}
#endif
