"""Stand-in headers: host code compiles at the first try, and kernels give the real ones' code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.config import CompileOptions
from drano.ir.clang import compile_unit
from drano.ir.stubs import OWN_STUBS

KERNEL = re.compile(r"^define [^@]*ptx_kernel [^@]*@([\w$.]+)", re.MULTILINE)

C_LIBRARIES = {
    "cublas": """
#include <cublas_v2.h>
#include <cublasLt.h>
#include <cublasXt.h>
__global__ void k(__half *a, cuComplex *b) { a[threadIdx.x] = __float2half(b[threadIdx.x].x); }
void check(cublasStatus_t); void check(cudaError_t); void check(int);
void run(float *a, __half *h, cuComplex *c, cudaStream_t s) {
  cublasHandle_t handle; const float one = 1;
  check(cublasCreate(&handle)); check(cublasSetStream(handle, s));
  check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &one, a, 1, a, 1, &one, a, 1));
  check(cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &one, a, 1, a, 1, &one, a, 1));
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, h, CUDA_R_16F, 1, h, CUDA_R_16F, 1,
               &one, h, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
  cublasLtMatmulDesc_t matmul; cublasLtMatmulHeuristicResult_t result;
  cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F); check(result.state);
  cublasXtHandle_t xt; check(cublasXtCreate(&xt)); static_assert(CUBLAS_COMPUTE_32F == 68);
  k<<<1, 32, 0, s>>>(h, c);
}
""",
    "cublas before CUDA 4": """
#include <cublas.h>
__global__ void k(cuComplex *a) { a[threadIdx.x].x = 1; }
int run(float *a, cuComplex *c) {
  cublasInit(); float sum = cublasSdot(1, a, 1, a, 1);
  cublasSgemm('n', 't', 1, 1, 1, sum, a, 1, a, 1, sum, a, 1); k<<<1, 32>>>(c);
  return cublasGetError() == CUBLAS_STATUS_SUCCESS;
}
""",
    "sparse, solvers and transforms": """
#include <cufftXt.h>
#include <cusolverDn.h>
#include <cusolverMg.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse_v2.h>
static_assert(sizeof(cufftComplex) == 8 && sizeof(cufftDoubleComplex) == 16);
__device__ cufftComplex load(void *a, size_t i, void *, void *) { return ((cufftComplex *)a)[i]; }
__device__ cufftCallbackLoadC callback = load;
__global__ void k(cufftComplex *a, __half *h) { h[threadIdx.x] = __float2half(a[threadIdx.x].x); }
void check(cufftResult); void check(cusparseStatus_t); void check(cusolverStatus_t);
void check(cublasStatus_t);
void run(cufftComplex *a, int *rows, float *values) {
  cufftHandle plan; check(cufftPlan1d(&plan, 64, CUFFT_C2C, 1));
  check(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  cusparseHandle_t sparse; check(cusparseCreate(&sparse)); cusparseSpMatDescr_t matrix;
  check(cusparseCreateCsr(&matrix, 1, 1, 1, rows, rows, values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cusolverDnHandle_t dense; check(cusolverDnCreate(&dense)); int size;
  check(cusolverDnSpotrf_bufferSize(dense, CUBLAS_FILL_MODE_LOWER, 1, values, 1, &size));
  k<<<1, 32>>>(a, nullptr);
}
""",
    "several processes and GPUs": """
#include <mpi.h>
#include <nccl.h>
#include <nvml.h>
__global__ void k(__half *a) { a[threadIdx.x] = __float2half(1); }
void check(ncclResult_t); void check(nvmlReturn_t); void check(int);
int main(int argc, char **argv) {
  int rank; MPI_Init(&argc, &argv); check(MPI_Comm_rank(MPI_COMM_WORLD, &rank)); ncclUniqueId id;
  check(ncclGetUniqueId(&id)); MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclComm_t comm; check(ncclCommInitRank(&comm, 2, id, rank)); __half *a = nullptr; MPI_Status s;
  MPI_Recv(a, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
  check(ncclAllReduce(a, a, 1, ncclHalf, ncclSum, comm, cudaStream_t()));
  nvmlDevice_t device; check(nvmlInit()); check(nvmlDeviceGetHandleByIndex(0, &device));
  k<<<1, 32>>>(a); return s.MPI_SOURCE + MPI_Finalize();
}
""",
    "cudnn": """
#include <cudnn.h>
#include <cudnn_frontend.h>
namespace fe = cudnn_frontend;
__global__ void k(float *a) { a[threadIdx.x] = 1; }
void check(cudnnStatus_t);
void run(cudnnTensorDescriptor_t d, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c) {
  cudnnHandle_t handle; check(cudnnCreate(&handle)); cudnnConvolutionFwdAlgoPerf_t perf; int count;
  check(cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1));
  check(cudnnFindConvolutionForwardAlgorithm(handle, d, f, c, d, 1, &count, &perf));
  check(perf.status); k<<<1, 32>>>(nullptr);
}
""",
    "profilers and the run-time compiler": """
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <nvToolsExt.h>
#include <nvToolsExtCudaRt.h>
#include <nvrtc.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
__global__ void k(float *a) { a[threadIdx.x] = 1; }
void run(cudaStream_t s) {
  NVTX3_FUNC_RANGE(); nvtx3::scoped_range range{"run"}; nvtxRangePush("k"); cudaProfilerStart();
  nvtxNameCudaStream(s, "s"); nvtxEventAttributes_t e = {}; e.version = NVTX_VERSION;
  e.message.ascii = "m"; nvtxRangePushEx(&e); nvrtcProgram program;
  if (nvrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr) != NVRTC_SUCCESS) return;
  k<<<1, 32, 0, s>>>(nullptr); nvtxRangePop(); cuProfilerStop();
}
""",
}


def compiled(tmp_path: Path, source: str) -> str:
    """The IR of a unit that has no errors, and whose missing headers all have stand-ins."""
    path = tmp_path / "unit.cu"
    path.write_text(source)
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    assert unit.host_errors == () == unit.not_analysed
    assert all(header.stand_in for header in unit.missing_headers)
    return unit.ir


@pytest.mark.parametrize("name", C_LIBRARIES)
def test_host_calls_of_c_libraries(tmp_path: Path, name: str) -> None:
    assert len(KERNEL.findall(compiled(tmp_path, C_LIBRARIES[name]))) == 1


def test_every_stand_in_is_packaged() -> None:
    assert {path.suffix for path in OWN_STUBS.rglob("*") if path.is_file()} <= {".h", ".hpp"}
