/* What the parts of the GPU's run-time library know of each other.
 *
 * It stands beside CUDA's own library, not in its place: the linker's --wrap sends the program's calls
 * here (__wrap_NAME), and from here they go on (__real_NAME).
 */
#ifndef DRANO_GPU_H
#define DRANO_GPU_H
#include "../drano_runtime.h"

#define SLOT_FIELDS 8 /* as in counting.cu */
enum { F_LANES, F_SECTORS, F_LINES, F_IDEAL, F_REQUESTS, F_CONFLICTS };
#define MAX_DEVICES 16
#define MAX_MODULES 4096
#define MAX_QUESTIONS 8  /* of a unit, and answers to each (drano/dynamic/gpu/replay/device_math.py) */
#define ANSWERS 513
#define MAX_VARIABLES 64 /* whose addresses launches that the host counts ask for */

/* Where a site's counts are (drano/dynamic/gpu/counting/segments.py): -1 is none. */
typedef struct gpu_place { int32_t slot, shared, group, histogram; uint64_t cost; } gpu_place;
#define COST_WIDTH 13
/* A site has two: in kernels as they are, and in those that rely on proofs. */
#define FORMS 2

/* The second forms of a kernel: `blocks`: slot of its blocks in a sample, -1: none; `proved`: whether
 * there is one that relies on proofs, for blocks of this `shape`, 0 0 0: a whole number of warps wide. */
typedef struct gpu_forms {
  int32_t blocks, proved;
  uint32_t shape[3];
  /* How many parameters the program knows of; one more follows. -1: there is none more. And its slots. */
  int32_t parameters, first, slots;
  int32_t repeats; /* its first among the parameters that decide what it counts; -1: others do, too */
  int32_t deciding; /* how many these are: all that the program knows of */
} gpu_forms;

/* A parameter of a repeatable kernel (drano/dynamic/gpu/replay/repeatable.py). */
typedef struct gpu_parameter { uint32_t bytes, place; } gpu_parameter;
typedef struct gpu_repeats gpu_repeats;
/* An array that a kernel writes to, or whose content decides what it counts: by a pointer in a parameter;
 * parameter -1: any. */
typedef struct gpu_touch { int32_t kernel, parameter, offset, writes; } gpu_touch;

/* Where a site's address comes from, in the order of sites: a pointer in a parameter; else a variable. */
typedef struct gpu_root { int32_t site, parameter, offset, variable; } gpu_root;
typedef struct kernel_sets kernel_sets;
typedef struct gpu_set gpu_set;
typedef struct gpu_replayed gpu_replayed; /* replay.h */

/* The counters of one module on one device. */
typedef struct counter_table {
  uint64_t *rows;   /* on the device */
  uint64_t *copy;   /* here, in memory that the device can write: what was there last time */
  uint64_t *saved;  /* and what there was before the device was reset */
  uint32_t row_count;
  bool tried;
} counter_table;

/* One fat binary: a unit's device code. */
typedef struct gpu_module {
  void **handle;
  char id[80];
  drano_unit *unit;
  const gpu_place *places;
  /* A table of counters has `height` rows of `slots`, for all kernels; behind it lie more such tables: those of further
   * sets. A kernel may have `spare` of these, and `repeating` more for launches that repeat; in `used` of them
   * something is counted. */
  uint64_t slots, height, spare, repeating, used;
  /* Addresses by which the host names the device's variables. */
  char rows, row_length, row_mask, whole, threshold, variable_table, answer_table;
  const gpu_forms *forms; /* of each kernel */
  uint32_t visits;        /* slot of the first block of code, if they are counted */
  uint32_t sample;        /* 1 of so many blocks is counted; 0: all */
  const gpu_root *roots;
  uint32_t root_count;
  const uint32_t *variables; /* arrays of the unit's variables */
  kernel_sets *sets;         /* of each kernel, and of what belongs to none */
  uint32_t *kernel_of;       /* of each site */
  const gpu_parameter *parameters;
  const gpu_touch *touches;
  uint32_t touch_count;
  gpu_repeats *repeats; /* of each kernel */
  struct replay_kernel *replays; /* likewise */
  uint64_t variable_at[MAX_VARIABLES];
  float answers[MAX_QUESTIONS * ANSWERS + 1]; /* behind the variables: the host's code relies on it */
  uint32_t questions;
  char *ask; /* names the kernel that answers them */
  int variables_of, answers_of; /* which device, from 1 on; 0: not asked for yet */
  counter_table tables[MAX_DEVICES];
} gpu_module;

extern gpu_module *gpu_modules[MAX_MODULES] HIDDEN;
extern _Atomic uint32_t gpu_module_count HIDDEN;

drano_unit *gpu_unit_of(gpu_module *m) HIDDEN;
void gpu_prepare(void) HIDDEN;       /* counters of the current device, for every module */
/* Bring counts here now and then, without waiting; `waited`: the program has just waited for kernels. */
void gpu_snapshot_soon(bool waited) HIDDEN;
void gpu_before_reset(void) HIDDEN;
void gpu_note_error(cudaError_t error, const char *where) HIDDEN;
gpu_module *gpu_module_of(void **handle) HIDDEN;
void gpu_name_function(const void *host, const char *name) HIDDEN;
/* Gives the record, and the number of the shape in it; NULL: there is none. */
kernel_record *gpu_count_launch(const void *host, dim3 grid, dim3 block, size_t shared, bool counted,
                                uint32_t *shape) HIDDEN;
kernel_record *gpu_record_named(const char *name) HIDDEN;

/* Linked device code (linked.c): what an entry is called there; NULL: it is not there. And the end of a
 * module's registration, with its managed variables (managed.c). */
const char *gpu_device_name(const char *name, const char *const *names, uint32_t count) HIDDEN;
void gpu_end_module(void **handle, const char *unit, const char *const *names, uint32_t count) HIDDEN;

/* Times (times.c): around a launch; `record` NULL: there was none. */
typedef struct gpu_timer gpu_timer;
gpu_timer *gpu_time_start(const void *kernel, cudaStream_t stream) HIDDEN;
void gpu_time_stop(gpu_timer *t, cudaStream_t stream, kernel_record *record, uint32_t shape) HIDDEN;
void gpu_read_times(void) HIDDEN;
void gpu_read_times_locked(void) HIDDEN;
void gpu_forget_timers(int device) HIDDEN;

/* Second forms of kernels, and samples (forms.c). */
uint64_t gpu_whole_threads(int device) HIDDEN;  /* launches of up to so many are counted whole */
uint32_t gpu_threshold(uint32_t sample) HIDDEN;
/* A kernel was registered: `host`. Calls `registered` with the names of its other forms. */
void gpu_register_forms(gpu_module *m, const void *host, const char *name,
                        void (*registered)(void **handle, const char *name)) HIDDEN;
const void *gpu_choose(const void *host, dim3 grid, dim3 block) HIDDEN; /* which form is launched */
bool gpu_is_counted(const void *host, const void *launched) HIDDEN;
/* The kernel's unit, and its number there; NULL: it is not one of ours. */
gpu_module *gpu_kernel_of(const void *host, uint32_t *number) HIDDEN;
void gpu_collect_blocks(const gpu_module *m, const counter_table *t) HIDDEN;
/* Arrays (arrays.c), and sets of counters for each combination of them (sets.c). */
uint32_t gpu_array_at(uint64_t address) HIDDEN;
/* Stamps of contents: 0: not known; `written`: it is another one now (arrays.c, contents.c). */
uint64_t gpu_stamp_at(uint64_t address) HIDDEN;
uint64_t gpu_content_at(uint64_t address, uint64_t *base, uint64_t *bytes) HIDDEN; /* and where the array is */
void gpu_written_at(uint64_t address) HIDDEN;
void gpu_all_written(void) HIDDEN;
uint64_t gpu_epoch(void) HIDDEN; /* how often all may have been written */
bool gpu_contents_are_known(void) HIDDEN;
void gpu_kernel_writes(const gpu_module *m, uint32_t kernel, void **arguments) HIDDEN;
uint64_t gpu_pointer_in(void **arguments, const gpu_touch *t) HIDDEN;
void gpu_make_sets(gpu_module *m) HIDDEN;
uint32_t gpu_set_for(gpu_module *m, uint32_t kernel, void **arguments) HIDDEN; /* the set's distance */
const gpu_set *gpu_next_set(const gpu_module *m, uint32_t site, const gpu_set *s) HIDDEN; /* NULL: the first */
uint32_t gpu_distance(const gpu_set *s) HIDDEN;
uint32_t gpu_array_of(const gpu_module *m, uint32_t site, const gpu_set *s) HIDDEN;
uint64_t gpu_launches_of(const gpu_set *s) HIDDEN; /* for how many launches what is counted in it stands */
const gpu_replayed *gpu_replayed_of(const gpu_set *s) HIDDEN; /* NULL: it is counted on the GPU */

/* Launches that need not be counted (repeats.c). `key` NULL: this one is counted as ever. `repeated`: one
 * like it was counted, or the host counts it; else it is to be counted in the set at `distance`. */
typedef struct gpu_repeat {
  struct launch_key *key;
  gpu_set *set;
  bool repeated;
  uint32_t distance;
} gpu_repeat;
void gpu_repeat_start(gpu_repeat *r, gpu_module *m, uint32_t kernel, int device, dim3 grid, dim3 block, size_t shared,
                      void **arguments, cudaStream_t stream) HIDDEN;
void gpu_repeat_end(gpu_repeat *r, bool launched) HIDDEN;
void gpu_forget_repeats(void) HIDDEN;
bool gpu_room_for_repeats(gpu_module *m, uint32_t kernel, uint32_t *distance) HIDDEN;
gpu_set *gpu_repeat_set(gpu_module *m, uint32_t kernel, void **arguments, uint32_t distance,
                        const gpu_replayed *replayed) HIDDEN;
void gpu_stands_for_one_more(gpu_set *s) HIDDEN;
const void *gpu_plain_form(const void *host) HIDDEN; /* without counting; NULL: there is none */
/* What the unit asks the GPU (questions.c). */
void gpu_register_questions(gpu_module *m, void (*registered)(void **handle, const char *name)) HIDDEN;
bool gpu_answers_are_known(gpu_module *m, int device) HIDDEN;
bool gpu_is_capturing(cudaStream_t stream) HIDDEN; /* or cannot be asked now */

uint64_t gpu_row_bytes(const gpu_module *m) HIDDEN; /* one row of counters */
uint64_t gpu_table_bytes(const gpu_module *m, uint64_t tables) HIDDEN;
void gpu_add_up(const gpu_module *m, const counter_table *t) HIDDEN; /* to sites and arrays (sums.c) */
void gpu_add_replayed(const gpu_module *m) HIDDEN; /* likewise, what the host has counted */
void gpu_add_visits(const gpu_module *m, const counter_table *t) HIDDEN; /* to blocks of code */
void gpu_sum_slot(const gpu_module *m, const counter_table *t, int32_t slot, uint64_t sum[SLOT_FIELDS]) HIDDEN;
#endif
