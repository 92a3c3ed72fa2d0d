/* Stands in for libnuma's header. */
#ifndef DRANO_STUB_NUMA_H
#define DRANO_STUB_NUMA_H
#include <stddef.h>
#include <sys/types.h>
#define LIBNUMA_API_VERSION 2
#define NUMA_NUM_NODES 128
struct bitmask { unsigned long size; unsigned long *maskp; };
typedef struct { unsigned long n[NUMA_NUM_NODES / (8 * sizeof(unsigned long))]; } nodemask_t;
#ifdef __cplusplus
extern "C" {
#endif
extern struct bitmask *numa_all_nodes_ptr, *numa_no_nodes_ptr, *numa_all_cpus_ptr;
extern int numa_exit_on_error, numa_exit_on_warn;
int numa_available(void), numa_max_node(void), numa_max_possible_node(void),
    numa_num_possible_nodes(void), numa_num_configured_nodes(void), numa_num_configured_cpus(void),
    numa_num_task_cpus(void), numa_num_task_nodes(void), numa_num_possible_cpus(void),
    numa_preferred(void), numa_pagesize(void);
int numa_run_on_node(int), numa_node_of_cpu(int), numa_distance(int, int),
    numa_run_on_node_mask(struct bitmask *), numa_node_to_cpus(int, struct bitmask *),
    numa_sched_getaffinity(pid_t, struct bitmask *), numa_sched_setaffinity(pid_t, struct bitmask *);
long numa_node_size(int, long *);
long long numa_node_size64(int, long long *);
void numa_bind(struct bitmask *), numa_set_membind(struct bitmask *),
    numa_set_interleave_mask(struct bitmask *), numa_set_preferred(int), numa_set_localalloc(void),
    numa_set_bind_policy(int), numa_set_strict(int), numa_free(void *, size_t),
    numa_tonode_memory(void *, size_t, int), numa_setlocal_memory(void *, size_t),
    numa_interleave_memory(void *, size_t, struct bitmask *), numa_bitmask_free(struct bitmask *),
    numa_free_nodemask(struct bitmask *), numa_free_cpumask(struct bitmask *);
void *numa_alloc(size_t), *numa_alloc_local(size_t), *numa_alloc_onnode(size_t, int),
    *numa_alloc_interleaved(size_t), *numa_realloc(void *, size_t, size_t);
struct bitmask *numa_allocate_nodemask(void), *numa_allocate_cpumask(void),
    *numa_bitmask_alloc(unsigned), *numa_bitmask_setall(struct bitmask *),
    *numa_bitmask_clearall(struct bitmask *), *numa_bitmask_setbit(struct bitmask *, unsigned),
    *numa_bitmask_clearbit(struct bitmask *, unsigned), *numa_parse_nodestring(const char *),
    *numa_parse_cpustring(const char *), *numa_get_mems_allowed(void), *numa_get_run_node_mask(void),
    *numa_get_membind(void), *numa_get_interleave_mask(void);
int numa_bitmask_isbitset(const struct bitmask *, unsigned);
unsigned numa_bitmask_weight(const struct bitmask *), numa_bitmask_nbytes(struct bitmask *);
#ifdef __cplusplus
}
#endif
#endif
