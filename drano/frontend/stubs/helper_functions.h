/* Stand-in for the CUDA samples' helper_functions.h and the headers it gathers. */
#ifndef DRANO_STUB_HELPER_FUNCTIONS_H
#define DRANO_STUB_HELPER_FUNCTIONS_H
#include <helper_image.h>
#include <helper_string.h>
#include <helper_timer.h>
#endif
