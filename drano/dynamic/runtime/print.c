/* printf of device code: the arguments lie in a buffer, each at its own alignment, as nvcc and clang
 * pack them: integers of at most 4 bytes in 4, all else in 8, floating point as double.
 */
#include "drano_runtime.h"

static const char *next(const char **at, size_t bytes) {
  uintptr_t address = ((uintptr_t)*at + bytes - 1) & ~(uintptr_t)(bytes - 1);
  *at = (const char *)(address + bytes);
  return (const char *)address;
}

static int64_t integer(const char **at, size_t bytes, bool negative) {
  int64_t wide = 0;
  int32_t narrow = 0;
  if (bytes == 8) {
    memcpy(&wide, next(at, 8), 8);
    return wide;
  }
  memcpy(&narrow, next(at, 4), 4);
  return negative ? narrow : (int64_t)(uint32_t)narrow;
}

int32_t drano_vprintf(drano_warp *w, uint32_t lane, const char *format, const char *arguments) {
  (void)w, (void)lane;
  char out[8192], piece[64];
  size_t used = 0;
  int32_t count = 0;
  const char *at = arguments;
#define PUT(...) do { \
    int n = snprintf(out + used, sizeof out - used, __VA_ARGS__); \
    if (n > 0) used += (size_t)n < sizeof out - used ? (size_t)n : sizeof out - used - 1; \
  } while (0)
  for (const char *f = format; *f; f++) {
    if (*f != '%') {
      if (used < sizeof out - 1) out[used++] = *f;
      continue;
    }
    if (f[1] == '%') {
      if (used < sizeof out - 1) out[used++] = *f++;
      continue;
    }
    size_t length = 0, bytes = 4;
    piece[length++] = *f++;
    while (*f && strchr("-+ #0123456789.*", *f) && length < sizeof piece - 24) {
      if (*f == '*') {
        length += (size_t)snprintf(piece + length, 12, "%d", (int)integer(&at, 4, true));
        f++;
      } else {
        piece[length++] = *f++;
      }
    }
    while (*f && strchr("hlLzjtq", *f)) {
      if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't' || *f == 'q' || *f == 'L') bytes = 8;
      f++;
    }
    if (*f == 0) break;
    count++;
    switch (*f) {
    case 'd': case 'i':
      snprintf(piece + length, sizeof piece - length, "lld");
      PUT(piece, (long long)integer(&at, bytes, true));
      break;
    case 'u': case 'x': case 'X': case 'o':
      snprintf(piece + length, sizeof piece - length, "ll%c", *f);
      PUT(piece, (long long)integer(&at, bytes, false));
      break;
    case 'c':
      snprintf(piece + length, sizeof piece - length, "c");
      PUT(piece, (int)integer(&at, 4, true));
      break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': {
      double value;
      memcpy(&value, next(&at, 8), 8);
      snprintf(piece + length, sizeof piece - length, "%c", *f);
      PUT(piece, value);
      break;
    }
    case 's': {
      const char *text;
      memcpy(&text, next(&at, 8), 8);
      snprintf(piece + length, sizeof piece - length, "s");
      PUT(piece, text != NULL ? text : "(null)");
      break;
    }
    case 'p': {
      void *pointer;
      memcpy(&pointer, next(&at, 8), 8);
      snprintf(piece + length, sizeof piece - length, "p");
      PUT(piece, pointer);
      break;
    }
    default: return -1;
    }
  }
#undef PUT
  fwrite(out, 1, used, stdout);
  return count;
}
