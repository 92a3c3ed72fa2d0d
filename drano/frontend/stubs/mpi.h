/* Stands in for MPI's header. */
#ifndef DRANO_STUB_MPI_H
#define DRANO_STUB_MPI_H
#define MPI_INCLUDED
#include <stddef.h>
#include <stdint.h>
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
typedef struct drano_mpi_comm *MPI_Comm;
typedef struct drano_mpi_group *MPI_Group;
typedef struct drano_mpi_datatype *MPI_Datatype;
typedef struct drano_mpi_op *MPI_Op;
typedef struct drano_mpi_request *MPI_Request;
typedef struct drano_mpi_info *MPI_Info;
typedef struct drano_mpi_win *MPI_Win;
typedef struct drano_mpi_file *MPI_File;
typedef struct drano_mpi_errhandler *MPI_Errhandler;
typedef struct drano_mpi_message *MPI_Message;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset, MPI_Count;
typedef int MPI_Fint;
typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);
enum {
    MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM,
    MPI_ERR_RANK, MPI_ERR_REQUEST, MPI_ERR_ROOT, MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY,
    MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN, MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN
};
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
#define MPI_PROC_NULL (-2)
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_ROOT (-4)
#define MPI_UNDEFINED (-32766)
#define MPI_COMM_TYPE_SHARED 0
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_INFO_VAL 256
#define MPI_ORDER_C 0
#define MPI_ORDER_FORTRAN 1
#define MPI_LOCK_EXCLUSIVE 1
#define MPI_LOCK_SHARED 2
#define MPI_MODE_NOCHECK 1
#define MPI_MODE_CREATE 1
#define MPI_MODE_RDONLY 2
#define MPI_MODE_WRONLY 4
#define MPI_MODE_RDWR 8
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_GROUP_NULL ((MPI_Group)0)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_INFO_NULL ((MPI_Info)0)
#define MPI_WIN_NULL ((MPI_Win)0)
extern MPI_Comm MPI_COMM_WORLD, MPI_COMM_SELF;
extern MPI_Errhandler MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL;
extern MPI_Op MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR,
    MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP;
extern MPI_Datatype MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE, MPI_PACKED, MPI_SHORT,
    MPI_UNSIGNED_SHORT, MPI_INT, MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG,
    MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG, MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_WCHAR,
    MPI_C_BOOL, MPI_CXX_BOOL, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T,
    MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_C_COMPLEX,
    MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX,
    MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_2INT, MPI_REAL, MPI_INTEGER, MPI_DOUBLE_PRECISION, MPI_AINT;
extern "C" {
double MPI_Wtime(void), MPI_Wtick(void);
int MPI_Init(...), MPI_Init_thread(...), MPI_Initialized(...), MPI_Finalize(...), MPI_Finalized(...),
    MPI_Abort(...), MPI_Get_version(...), MPI_Get_library_version(...),
    MPI_Get_processor_name(...), MPI_Query_thread(...), MPI_Error_string(...), MPI_Error_class(...),
    MPI_Comm_set_errhandler(...), MPI_Errhandler_set(...), MPI_Pcontrol(...);
int MPI_Comm_rank(...), MPI_Comm_size(...), MPI_Comm_split(...), MPI_Comm_split_type(...),
    MPI_Comm_dup(...), MPI_Comm_free(...), MPI_Comm_create(...), MPI_Comm_group(...),
    MPI_Comm_compare(...), MPI_Comm_spawn(...), MPI_Comm_get_parent(...), MPI_Group_incl(...),
    MPI_Group_excl(...), MPI_Group_free(...), MPI_Group_rank(...), MPI_Group_size(...),
    MPI_Group_translate_ranks(...), MPI_Cart_create(...), MPI_Cart_coords(...), MPI_Cart_rank(...),
    MPI_Cart_shift(...), MPI_Cart_get(...), MPI_Cart_sub(...), MPI_Dims_create(...),
    MPI_Dist_graph_create_adjacent(...);
int MPI_Send(...), MPI_Ssend(...), MPI_Bsend(...), MPI_Rsend(...), MPI_Isend(...), MPI_Issend(...),
    MPI_Recv(...), MPI_Irecv(...), MPI_Sendrecv(...), MPI_Sendrecv_replace(...), MPI_Probe(...),
    MPI_Iprobe(...), MPI_Mprobe(...), MPI_Get_count(...), MPI_Wait(...), MPI_Waitall(...),
    MPI_Waitany(...), MPI_Waitsome(...), MPI_Test(...), MPI_Testall(...), MPI_Testany(...),
    MPI_Cancel(...), MPI_Request_free(...), MPI_Send_init(...), MPI_Recv_init(...), MPI_Start(...),
    MPI_Startall(...), MPI_Buffer_attach(...), MPI_Buffer_detach(...);
int MPI_Barrier(...), MPI_Ibarrier(...), MPI_Bcast(...), MPI_Ibcast(...), MPI_Reduce(...),
    MPI_Ireduce(...), MPI_Allreduce(...), MPI_Iallreduce(...), MPI_Gather(...), MPI_Gatherv(...),
    MPI_Scatter(...), MPI_Scatterv(...), MPI_Allgather(...), MPI_Iallgather(...),
    MPI_Allgatherv(...), MPI_Alltoall(...), MPI_Ialltoall(...), MPI_Alltoallv(...),
    MPI_Alltoallw(...), MPI_Reduce_scatter(...), MPI_Reduce_scatter_block(...), MPI_Scan(...),
    MPI_Exscan(...), MPI_Neighbor_alltoall(...), MPI_Op_create(...), MPI_Op_free(...);
int MPI_Type_commit(...), MPI_Type_free(...), MPI_Type_size(...), MPI_Type_contiguous(...),
    MPI_Type_vector(...), MPI_Type_create_hvector(...), MPI_Type_indexed(...),
    MPI_Type_create_struct(...), MPI_Type_create_subarray(...), MPI_Type_create_resized(...),
    MPI_Type_get_extent(...), MPI_Get_address(...), MPI_Pack(...), MPI_Unpack(...),
    MPI_Info_create(...), MPI_Info_set(...), MPI_Info_free(...);
int MPI_Win_create(...), MPI_Win_allocate(...), MPI_Win_allocate_shared(...),
    MPI_Win_shared_query(...), MPI_Win_free(...), MPI_Win_fence(...), MPI_Win_lock(...),
    MPI_Win_unlock(...), MPI_Win_lock_all(...), MPI_Win_unlock_all(...), MPI_Win_flush(...),
    MPI_Win_sync(...), MPI_Put(...), MPI_Get(...), MPI_Accumulate(...), MPI_File_open(...),
    MPI_File_close(...), MPI_File_read(...), MPI_File_read_at(...), MPI_File_read_at_all(...),
    MPI_File_write(...), MPI_File_write_at(...), MPI_File_write_at_all(...), MPI_File_seek(...),
    MPI_File_set_view(...), MPI_File_get_size(...);
}
#endif
