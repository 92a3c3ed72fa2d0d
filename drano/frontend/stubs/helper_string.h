/* Stand-in for the CUDA samples' helper_string.h: command lines and file names. */
#ifndef DRANO_STUB_HELPER_STRING_H
#define DRANO_STUB_HELPER_STRING_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef STRCASECMP
#include <strings.h>
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) ((result) == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif
inline bool checkCmdLineFlag(const int, const char **, const char *) { return false; }
inline int getCmdLineArgumentInt(const int, const char **, const char *) { return 0; }
inline float getCmdLineArgumentFloat(const int, const char **, const char *) { return 0; }
inline bool getCmdLineArgumentString(const int, const char **, const char *, char **) {
  return false;
}
template <class T>
inline bool getCmdLineArgumentValue(const int, const char **, const char *, T *) {
  return false;
}
inline char *sdkFindFilePath(const char *, const char *) { return 0; }
#endif
