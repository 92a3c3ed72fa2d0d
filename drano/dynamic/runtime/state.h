/* What kernels leave in memory, written to a file for whoever compares two runs. */
#ifndef DRANO_STATE_H
#define DRANO_STATE_H
#include "drano_runtime.h"

uint32_t drano_allocation_count(void) HIDDEN; /* with those that have ended, and [0] */
void drano_state_keep(const allocation *a) HIDDEN; /* an allocation that is about to end */
#endif
