/* Accesses of different warps to one place, with no barrier between them, of which one writes. */
#ifndef DRANO_RACES_H
#define DRANO_RACES_H
#include "drano_runtime.h"

extern bool drano_racing HIDDEN; /* DRANO_RACES=FILE: every access is remembered, one block after the other */
/* What was done before has been seen by all that follows: a launch, or an opened grid barrier. */
void drano_races_next(void) HIDDEN;
void drano_race_access(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                       const uint64_t address[DRANO_WARP]) HIDDEN;
#endif
