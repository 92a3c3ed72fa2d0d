/* What the run-time library tells the user, for both back ends. */
#include "drano_runtime.h"
#include <unistd.h>

/* One line on stderr, whole. */
void drano_say(const char *format, ...) {
  char line[1400];
  int n = snprintf(line, sizeof line, "drano: ");
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
  va_end(arguments);
  size_t length = (size_t)n + (more < 0 ? 0 : (size_t)more);
  if (length > sizeof line - 2) length = sizeof line - 2;
  for (size_t k = 0; k < length; k++)
    if ((unsigned char)line[k] < 0x20) line[k] = ' ';
  line[length++] = '\n';
  fflush(stdout);
  if (write(2, line, length) < 0) return;
}
