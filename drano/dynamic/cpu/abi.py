"""Offsets and types of ``runtime/drano_abi.h``, as the generated code uses them.

Assumptions: a 64-bit host with the System V layout. A test compiles the header and compares.
"""

from __future__ import annotations

ABI = 5
NO_SITE = 0xFFFFFFFF

WARP_PARAMS = 0
WARP_FRAME = 8
WARP_LOCAL = 16
WARP_BLOCK = 24
WARP_ID = 32
WARP_LIVE = 36
BARRIER_ID = 40
BARRIER_LANES = 44
TID_X = 48
BARRIER_THREADS = 432
BARRIER_TRUE = 436
BARRIER_ARRIVE = 440
BARRIER_COUNT = 444
BARRIER_TOTAL = 448
BARRIER_PLACE = 456

BLOCK_IDX = 0
BLOCK_DIM = 12
GRID_DIM = 24
BLOCK_SHARED = 40
BLOCK_SHARED_BYTES = 48
BLOCK_DYNAMIC_OFFSET = 52
BLOCK_WORK = 80
BLOCK_TALLIES = 96
BLOCK_STOP = 104

TALLY_TIMES = 16
TALLY_BYTES = 1088

EXITED = 0
AT_BARRIER = 1
AT_GRID_BARRIER = 2
FAULT = 3
YIELD = 4

PARAM = "{ i32, i32 }"
KERNEL = "{ ptr, ptr, i32, i32, i32, i32, i32, ptr, i32, i32, ptr, i32, i32, i32 }"
PLACE = "{ ptr, i32, i32 }"
PATTERN = "{ [3 x i32], [32 x i32] }"
SITE = "{ ptr, i32, i32, ptr, ptr, ptr, i8, i8, i16, i32, i32, i32, ptr, ptr }"
WORK = "{ ptr, i32, i32, ptr, ptr, ptr, ptr, [3 x i32], i32, [13 x i32] }"
VARIABLE = "{ ptr, ptr, i64, i8 }"
UNIT = "{ i32, ptr, ptr, i32, ptr, i32, ptr, i32, i32, ptr, ptr, i32, i32, i32 }"
UNIT_WORK_BASE = 88
