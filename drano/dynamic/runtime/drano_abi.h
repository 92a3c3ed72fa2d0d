/* What the generated device code and the run-time library know of each other: the only contract.
 *
 * Generated code (drano/dynamic/cpu): for every translation unit one object with one
 * `static const drano_unit` that a constructor passes to drano_register_unit().
 * A kernel is a function that advances ONE WARP (32 lanes in lock step) until it exits or all its
 * remaining lanes wait at a barrier. All state that outlives a segment lies in the warp's frame,
 * so "suspend at a barrier" is a plain return. Pointers of every space are host addresses; spaces
 * are told apart by range (block's shared window, warp's local window, constant, else global).
 */
#ifndef DRANO_ABI_H
#define DRANO_ABI_H
#include <stdint.h>

#define DRANO_ABI 5
#define DRANO_WARP 32
#define DRANO_NO_SITE UINT32_MAX

enum drano_status { DRANO_EXITED = 0, DRANO_AT_BARRIER = 1, DRANO_AT_GRID_BARRIER = 2, DRANO_FAULT = 3,
                    DRANO_YIELD = 4 /* spins on what other warps may do: goes on when called again */ };
enum drano_kind { DRANO_LOAD = 0, DRANO_STORE = 1, DRANO_ATOMIC = 2 };

typedef struct { int32_t x, y, z; } drano_dim3;
typedef struct drano_spot { const char *path; uint32_t line, column; } drano_spot;

/* Full warps' requests of one access whose lanes lie at proved distances, counted by generated code:
 * those with lane 0's address within [base, base + span], aligned; all others go to drano_row(). */
typedef struct drano_tally {
  uint64_t base, span;
  uint64_t times[128];  /* by lane 0's address % 128, in units of min(bytes, 4) */
  const struct drano_proof *proof; /* run-time private, as what follows: what the counts are worth */
  uint32_t array, shared;
  uint64_t unused[4];
} drano_tally;

/* Shared by the warps of one block. */
typedef struct drano_block {
  drano_dim3 block_idx, block_dim, grid_dim;
  char *shared;              /* static shared variables first, dynamic behind them (aligned 128) */
  uint32_t shared_bytes;     /* static + dynamic */
  uint32_t dynamic_shared_offset;
  uint32_t warps;
  struct drano_launch *launch;      /* run-time private */
  struct drano_counters *counters;  /* this worker's private counters, one per site */
  struct drano_visits *work;        /* and one per block of code, of all units */
  struct drano_reuse *reuse;        /* run-time private: of a block whose reads are remembered */
  drano_tally *tallies;             /* this worker's, of the kernel's sites; NULL: nothing is proved
                                       for this launch, and generated code looks at every lane */
  const int32_t *stop;              /* not 0: the kernel is to end */
  uint32_t interval;                /* run-time private: how many barriers have opened */
} drano_block;

typedef struct drano_warp {
  const char *params;        /* kernel parameter buffer, laid out as drano_kernel.params says */
  char *frame;               /* drano_kernel.frame_bytes, 64-byte aligned; its first 8 bytes are 0 at block start */
  char *local;               /* 32 * drano_kernel.local_bytes; lane k's part at k * local_bytes */
  drano_block *block;
  uint32_t warp_id;          /* in the block */
  uint32_t live;             /* lanes that exist and have not exited */
  uint32_t barrier_id;       /* set when DRANO_AT_BARRIER: the named barrier, */
  uint32_t barrier_lanes;    /* and the mask of the lanes that wait at it */
  int32_t tid_x[DRANO_WARP], tid_y[DRANO_WARP], tid_z[DRANO_WARP];
  /* set by step when DRANO_AT_BARRIER */
  uint32_t barrier_threads;  /* 0: the whole block; else how many threads the barrier waits for */
  uint32_t barrier_true;     /* of the waiting lanes, those whose predicate is true */
  uint32_t barrier_arrive;   /* 1: counted as arrived, but goes on at once */
  /* set by the run-time before the warp goes on */
  uint32_t barrier_count, barrier_total; /* threads with a true predicate; threads that took part */
  const drano_spot *barrier_place; /* set by step when DRANO_AT_BARRIER */
} drano_warp;

typedef struct { uint32_t offset, bytes; } drano_param;

typedef struct drano_kernel {
  const char *name;          /* mangled, as the host passes to __cudaRegisterFunction */
  int32_t (*step)(drano_warp *);
  uint32_t frame_bytes, local_bytes, static_shared_bytes, param_count, params_bytes;
  const drano_param *params;
  uint32_t first_site, site_count;     /* indices into the unit's sites, for reports */
  const char *display;       /* as people read it: with template arguments, without types */
  uint32_t zero_offset, zero_bytes; /* of shared memory that is zero when a block begins */
  uint32_t compiled;         /* 1: its sites are those of optimised code */
} drano_kernel;

/* What is proved of an access, for blocks of one shape. */
typedef struct drano_pattern {
  uint32_t block[3];           /* 0 0 0: any whose x is a multiple of 32 */
  int32_t offset[DRANO_WARP];  /* of each lane's address from lane 0's, in bytes */
} drano_pattern;

typedef struct drano_site {
  const char *path; uint32_t line, column;
  const char *kernel, *function;
  const char *inlined_at;    /* "file:line:column\tcaller\n" of each call, outward, "" when none */
  uint8_t kind, space;       /* drano_kind; NVPTX address space number of the pointer, 0 generic */
  uint16_t align;            /* of the address; 0: as its size demands */
  uint32_t bytes;
  uint32_t ordinal;          /* of the access in its kernel, as the static side numbers them */
  uint32_t pattern_count;
  const drano_pattern *patterns;
  const char *loops;         /* "file:line:column\tcounter\tcalls around it\n", outermost first */
} drano_site;

/* How often a block of code was executed: by warps, and by their lanes. Generated code counts. */
typedef struct drano_visits { uint64_t warps, lanes; } drano_visits;

#define DRANO_CLASSES 13     /* of instructions: f16 f32 f64 special integer address compare convert
                              * memory exchange barrier control other */
/* What one execution of one block has of one line; rows of one place stand together. */
typedef struct drano_work {
  const char *path; uint32_t line;
  uint32_t block;            /* of the unit: its counter */
  const char *kernel, *function, *inlined_at, *loops;
  uint32_t flops[3];         /* by one lane, of 16, 32, 64 bits */
  uint32_t integers;
  uint32_t classes[DRANO_CLASSES];
} drano_work;

typedef struct drano_variable {        /* __device__, __constant__, __managed__, textures */
  const char *name; void *address; uint64_t bytes; uint8_t space;
} drano_variable;

typedef struct drano_unit {
  uint32_t abi;              /* DRANO_ABI */
  const char *id;            /* content hash */
  const drano_kernel *kernels; uint32_t kernel_count;
  const drano_site *sites; uint32_t site_count;
  const drano_variable *variables; uint32_t variable_count;
  uint32_t site_base;        /* filled by the run-time: first global site number */
  const struct drano_proof **proofs; /* run-time private: of each site in this launch, or NULL */
  const drano_work *work; uint32_t work_count, block_count;
  uint32_t work_base;        /* filled by the run-time: its first block's counter */
} drano_unit;

void drano_register_unit(drano_unit *unit);

/* Called by generated code before the lanes of `mask` access memory. Counts, and checks bounds,
 * alignment and life; returns 0, or 1 when the kernel must end (step then returns DRANO_FAULT). */
int32_t drano_access(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                     const uint64_t address[DRANO_WARP]);
/* The same for a full warp, with lane 0's address, at a site whose lanes lie at proved distances. */
int32_t drano_row(drano_warp *w, const drano_unit *u, uint32_t site, uint64_t address);
/* Faults found by generated code: trap, assert, unsupported at run time. `site` may be
 * DRANO_NO_SITE. step then returns DRANO_FAULT. */
void drano_fault(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask, const char *what);
void drano_assert(drano_warp *w, const drano_unit *u, uint32_t mask, const char *message,
                  const char *file, uint32_t line, const char *function);
/* An access of `bytes` that begins `offset` bytes from the start of a local array of `size` bytes. */
void drano_local_fault(drano_warp *w, const char *path, uint32_t line, uint32_t column, uint64_t lane,
                       int64_t offset, uint64_t size, uint64_t bytes, uint32_t writes);
/* printf, malloc and free of the device, per lane. */
int32_t drano_vprintf(drano_warp *w, uint32_t lane, const char *format, const char *arguments);
/* A launch by a kernel, put aside until that has ended. `step`: of the kernel; `params`: laid out. */
int32_t drano_launch_device(drano_warp *w, const void *step, char *params, const drano_dim3 *grid,
                            const drano_dim3 *block, uint32_t shared, const void *stream);
/* The same for a copy and a fill of `rows` x `width` bytes. */
int32_t drano_copy_device(drano_warp *w, void *to, uint64_t to_pitch, const void *from, uint64_t from_pitch,
                          uint64_t width, uint64_t rows, const void *stream);
int32_t drano_fill_device(drano_warp *w, void *to, uint64_t pitch, int32_t value, uint64_t width,
                          uint64_t rows, const void *stream);
const char *drano_error_text(int32_t error, int32_t is_name); /* where kernels may read it */
void drano_set_condition(uint64_t handle, uint32_t value); /* of a conditional node of a graph */
/* Where an address of a warp lies: 0 global, 1 shared, 2 local. */
int32_t drano_space(const drano_warp *w, const void *pointer);
void *drano_device_malloc(uint64_t bytes);
void drano_device_free(void *pointer);
/* Texture fetch per lane: handle or reference; coordinates in float, the last one the layer's number;
 * result 4 x 32 bits. `shape`: number of dimensions, and what follows. */
#define DRANO_LAYERED 16
#define DRANO_CUBE 32
void drano_texture(drano_warp *w, uint64_t handle, uint32_t shape, const float coordinate[4],
                   int32_t integer_coordinates, uint32_t result[4], int32_t result_is_float);
/* A surface's element of `bytes` at `at` (x in bytes, y, z, layer), read or written. `boundary`: what
 * becomes of a place outside: 0 ends the kernel, 1 is clamped, 2 reads zero. */
void drano_surface(drano_warp *w, uint64_t handle, uint32_t shape, const int32_t at[4], uint32_t boundary,
                   uint32_t bytes, void *value, int32_t writes);
#endif
