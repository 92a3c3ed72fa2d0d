/* Stand-in for the cutil library of the CUDA 2 to 4 SDK samples. */
#ifndef DRANO_STUB_CUTIL_H
#define DRANO_STUB_CUTIL_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int CUTBoolean;
enum { CUTFalse = 0, CUTTrue = 1 };
inline int drano_cutil_any(...) { return 0; }
#define CUT_DEVICE_INIT(...) ((void)drano_cutil_any(__VA_ARGS__))
#define CUT_EXIT(...) (drano_cutil_any(__VA_ARGS__), exit(0))
#define CUT_CHECK_ERROR(message) ((void)(message))
#define CUT_CONDITION(value) ((void)(value))
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUDA_SAFE_CALL(call) ((void)(call))
#define CUDA_SAFE_CALL_NO_SYNC(call) ((void)(call))
#define CU_SAFE_CALL(call) ((void)(call))
#define CUFFT_SAFE_CALL(call) ((void)(call))
#define CUT_SAFE_CALL(call) ((void)(call))
#define CUT_SAFE_MALLOC(call) (call)
#define cutilSafeCall(call) ((void)(call))
#define cutilSafeCallNoSync(call) ((void)(call))
#define cutilCheckError(call) ((void)(call))
#define cutilCheckMsg(message) ((void)(message))
#define cutilCondition(value) ((void)(value))
#define cutilExit(...) (drano_cutil_any(__VA_ARGS__), exit(0))
#define cutilSafeThreadSync() cudaThreadSynchronize()
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilDeviceInit(...) drano_cutil_any(__VA_ARGS__)
inline int cutGetMaxGflopsDeviceId() { return 0; }
inline int cutilChooseCudaDevice(int, char **) { return 0; }
inline CUTBoolean cutCreateTimer(unsigned *) { return CUTTrue; }
inline CUTBoolean cutDeleteTimer(unsigned) { return CUTTrue; }
inline CUTBoolean cutStartTimer(unsigned) { return CUTTrue; }
inline CUTBoolean cutStopTimer(unsigned) { return CUTTrue; }
inline CUTBoolean cutResetTimer(unsigned) { return CUTTrue; }
inline float cutGetTimerValue(unsigned) { return 0; }
inline float cutGetAverageTimerValue(unsigned) { return 0; }
inline void cutFree(void *) {}
inline CUTBoolean cutCheckCmdLineFlag(int, const char **, const char *) { return CUTFalse; }
inline CUTBoolean cutGetCmdLineArgumenti(int, const char **, const char *, int *) {
  return CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumentf(int, const char **, const char *, float *) {
  return CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumentstr(int, const char **, const char *, char **) {
  return CUTFalse;
}
inline char *cutFindFilePath(const char *, const char *) { return 0; }
template <class T> inline CUTBoolean cutComparef(const T *, const T *, unsigned) {
  return CUTTrue;
}
template <class T> inline CUTBoolean cutComparefe(const T *, const T *, unsigned, float) {
  return CUTTrue;
}
template <class T> inline CUTBoolean cutCompareL2fe(const T *, const T *, unsigned, float) {
  return CUTTrue;
}
#endif
