"""Stand-in headers: host code compiles at the first try, and kernels give the real ones' code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.headers.stand_ins import OWN_STUBS, used
from drano.model.access import AccessKind
from drano.model.judgement import Space, Verdict
from drano.model.settings import CompileOptions, Config
from drano.run.driver import check_unit
from tests.views import AS_WRITTEN

KERNEL = re.compile(r"^define [^@]*ptx_kernel [^@]*@([\w$.]+)", re.MULTILINE)

C_LIBRARIES = {
    "boost": """
#include <boost/algorithm/string.hpp>
#include <boost/bind.hpp>
#include <boost/date_time/posix_time/posix_time.hpp>
#include <boost/filesystem.hpp>
#include <boost/format.hpp>
#include <boost/function.hpp>
#include <boost/lexical_cast.hpp>
#include <boost/make_shared.hpp>
#include <boost/math/constants/constants.hpp>
#include <boost/noncopyable.hpp>
#include <boost/optional.hpp>
#include <boost/program_options.hpp>
#include <boost/scoped_ptr.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/thread.hpp>
#include <boost/variant.hpp>
namespace po = boost::program_options;
using boost::shared_ptr;
__global__ void k(float *a) { a[threadIdx.x] = 0; }
struct Width : boost::static_visitor<int> {
  int operator()(int n) const { return n; }
  int operator()(const std::string &s) const { return boost::lexical_cast<int>(s); }
};
struct Layer : boost::noncopyable {
  shared_ptr<float> data; boost::scoped_ptr<int> count; boost::mutex guard;
  void run(float *a) { boost::mutex::scoped_lock lock(guard); k<<<1, 32>>>(a); }
};
int run(int argc, char **argv, float *a) {
  po::options_description all("options");
  all.add_options()("help", "says this")("size", po::value<int>()->default_value(4), "of a");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, all), given);
  shared_ptr<Layer> layer = boost::make_shared<Layer>();
  boost::function<void(float *)> f = boost::bind(&Layer::run, layer.get(), _1);
  boost::thread worker(f, a);
  worker.join();
  boost::variant<int, std::string> width = 3;
  if (const int *n = boost::get<int>(&width)) return *n + boost::apply_visitor(Width(), width);
  std::vector<std::string> parts;
  boost::split(parts, argv[0], boost::is_any_of(","));
  boost::optional<std::string> name = boost::none;
  std::string text = (boost::format("%1% %2%") % parts.size() % *name).str();
  boost::posix_time::ptime start = boost::posix_time::microsec_clock::local_time();
  const bool there = boost::filesystem::exists(boost::filesystem::path(text) / "x");
  return there + boost::math::constants::pi<float>() + given["size"].as<int>() +
         (boost::posix_time::microsec_clock::local_time() - start).total_milliseconds();
}
""",
    "numa": """
#include <numa.h>
__global__ void k(float *a) { a[threadIdx.x] = 0; }
void run(int cpu) {
  if (numa_available() < 0 || numa_run_on_node(numa_node_of_cpu(cpu))) return;
  struct bitmask *nodes = numa_bitmask_setbit(numa_allocate_nodemask(), numa_max_node());
  if (numa_bitmask_isbitset(nodes, 0)) numa_bind(nodes);
  float *a = (float *)numa_alloc_onnode(32 * sizeof(float), 0);
  k<<<1, 32>>>(a);
}
""",
    "rmm": """
#include <rmm/device_buffer.hpp>
#include <rmm/device_scalar.hpp>
#include <rmm/device_uvector.hpp>
#include <rmm/exec_policy.hpp>
#include <rmm/mr/pool_memory_resource.hpp>
#include <rmm/mr/device/cuda_memory_resource.hpp>
#include <rmm/mr/device/per_device_resource.hpp>
__global__ void k(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }
void run(rmm::cuda_stream_view s, rmm::device_async_resource_ref mr) {
  rmm::mr::cuda_memory_resource device;
  rmm::mr::pool_memory_resource<rmm::mr::cuda_memory_resource> pool{&device, 1 << 20};
  rmm::mr::pool_memory_resource other{device, rmm::percent_of_free_device_memory(50)};
  rmm::mr::set_current_device_resource(&pool);
  rmm::device_uvector<float> a(32, s), b(32, s, mr), copy(a, s);
  rmm::device_scalar<int> one(1, s, rmm::mr::get_current_device_resource_ref());
  rmm::device_buffer bytes = a.release();
  auto policy = rmm::exec_policy_nosync(s, mr);
  RMM_CUDA_TRY(cudaMemsetAsync(b.data(), one.value(s), b.size(), s.value()));
  k<<<1, 32, 0, s>>>(b.begin(), static_cast<const float *>(bytes.data()));
}
""",
    "nvjpeg": """
#include <nvjpeg.h>
__global__ void k(float *a) { a[threadIdx.x] = 0; }
bool run(const unsigned char *data, size_t size, cudaStream_t s) {
  nvjpegHandle_t handle; nvjpegJpegState_t state; nvjpegImage_t image = {};
  nvjpegDevAllocator_t allocator{};
  int channels, widths[NVJPEG_MAX_COMPONENT], heights[NVJPEG_MAX_COMPONENT];
  nvjpegChromaSubsampling_t subsampling = NVJPEG_CSS_420;
  nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, &allocator, nullptr, NVJPEG_FLAGS_DEFAULT, &handle);
  nvjpegJpegStateCreate(handle, &state);
  nvjpegGetImageInfo(handle, data, size, &channels, &subsampling, widths, heights);
  image.pitch[0] = widths[0];
  k<<<1, 32, 0, s>>>(nullptr);
  return nvjpegDecode(handle, state, data, size, NVJPEG_OUTPUT_RGBI, &image, s) ==
         NVJPEG_STATUS_SUCCESS;
}
""",
    "protobuf, llvm, half": """
#include <google/protobuf/map.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/util/message_differencer.h>
#include <llvm/ADT/ArrayRef.h>
#include <half.hpp>
__global__ void k(float *a) { a[threadIdx.x] = 0; }
bool run(google::protobuf::Message &m, const google::protobuf::RepeatedPtrField<std::string> &s) {
  google::protobuf::io::ArrayInputStream in(nullptr, 0);
  google::protobuf::Map<std::string, int> counts;
  for (const std::string &each : s) counts[each] = 1;
  std::string text;
  google::protobuf::TextFormat::PrintToString(m, &text);
  llvm::SmallVector<long, 4> sizes(2, 1);
  llvm::ArrayRef<long> all(sizes);
  half_float::half h(1.5f), most = std::numeric_limits<half_float::half>::max();
  sizes.append(all.begin(), all.end());
  k<<<1, 32>>>(nullptr);
  return m.ParseFromZeroCopyStream(&in) && all[0] == all.back() && float(h) < most &&
         google::protobuf::util::MessageDifferencer::Equals(m, m);
}
""",
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
    "BLAS on the host": """
#include <cblas.h>
__global__ void k(float *a) { a[threadIdx.x] = 1; }
float run(float *a, double *b, CBLAS_TRANSPOSE how, CBLAS_ORDER order) {
  cblas_sgemm(CblasRowMajor, how, CblasNoTrans, 4, 4, 4, 1, a, 4, a, 4, 0, a, 4);
  cblas_dgemv(order, CblasTrans, 4, 4, 1, b, 4, b, 1, 0, b, 1);
  cblas_saxpy(4, 2, a, 1, a, 1); cblas_sscal(4, 2, a, 1); k<<<1, 32>>>(a);
  return cblas_sdot(4, a, 1, a, 1) + cblas_snrm2(4, a, 1) + cblas_isamax(4, a, 1);
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
#if !(defined CUBLAS_API_H_ && defined _CUFFT_H_ && defined CUSPARSEAPI && \\
      defined CUSOLVER_COMMON_H_)
#error "the samples' helper_cuda.h asks for these"
#endif
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
    "flags of the command line": """
#include <gflags/gflags.h>
DEFINE_int32(width, 64, "elements");
DECLARE_string(name);
__global__ void k(float *a) { a[threadIdx.x] = 1; }
int main(int argc, char **argv) {
  gflags::ParseCommandLineFlags(&argc, &argv, true); google::SetUsageMessage(FLAGS_name);
  k<<<FLAGS_width, 32>>>(nullptr);
}
""",
    "logs and checks": """
#include <glog/logging.h>
#define REQUIRE_EQ(a, b) CHECK_OP_LOG(_EQ, ==, a, b, Thrown)
struct Thrown : google::LogMessage {
  Thrown(const char *file, int line, const google::CheckOpString &text)
      : LogMessage(file, line, google::GLOG_ERROR, text.str_) { stream() << *text.str_; Flush(); }
};
template <typename T> __global__ void k(T *a) { a[threadIdx.x] = 1; }
template <typename T> void run(T *a, int n) {
  CHECK_NOTNULL(a); CHECK(n > 2) << "few: " << n; CHECK_GE(n, 3); DCHECK_LT(n, 99) << "many";
  if (n == 4) LOG(WARNING) << "four"; else VLOG(2) << n;
  LOG_IF(FATAL_THROW, n == 5) << "five"; REQUIRE_EQ(n % 32, 0) << "a part"; k<<<1, 32>>>(a);
}
int main(int, char **argv) { google::InitGoogleLogging(argv[0]); FLAGS_v = 1; run<float>(0, 3); }
""",
    "opencv": """
#include <opencv2/core/cuda_types.hpp>
#include <opencv2/opencv.hpp>
#include <opencv2/core/cuda_stream_accessor.hpp>
__global__ void k(cv::cuda::PtrStepSz<uchar3> in, cv::cuda::PtrStepf out, float *turned) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= in.cols || y >= in.rows) return;
  out.ptr(y)[x] = in(y, x).x * float(CV_PI); turned[x * 180] = in.step;
}
void run(const char *name, cv::cuda::Stream &stream) {
  cv::Mat image = cv::imread(name, cv::IMREAD_COLOR), grey, back(image.rows, image.cols, CV_32FC1);
  CV_Assert(image.type() == CV_8UC3 && !image.empty());
  cv::cvtColor(image, grey, cv::COLOR_BGR2GRAY);
  cv::resize(image, grey, cv::Size(640, 480), 0, 0, cv::INTER_LINEAR);
  cv::cuda::GpuMat in(image), out; out.create(in.size(), CV_32F);
  for (int i = 0; i < 3; ++i) back.at<float>(i, 0) = image.at<cv::Vec3b>(i, 0)[i];
  cv::Mat turn = (cv::Mat_<double>(2, 3) << 1, 0, 2, 0, 1, 3);
  dim3 block(32, 1), grid((in.cols + 31) / 32, in.rows);
  k<<<grid, block, 0, cv::cuda::StreamAccessor::getStream(stream)>>>(in, out, back.ptr<float>());
  out.download(back); back = back * 2.0 + back; std::vector<cv::Rect> boxes = {{0, 0, 1, 1}};
  cv::rectangle(image, boxes[0], cv::Scalar(0, 255, 0), 2); cv::imwrite("out.png", back);
}
""",
    "json": """
#include <fstream>
#include <nlohmann/json.hpp>
using json = nlohmann::json;
enum class Kind { One, Two };
NLOHMANN_JSON_SERIALIZE_ENUM(Kind, {{Kind::One, "one"}, {Kind::Two, "two"}})
struct Shape { int x, y; NLOHMANN_DEFINE_TYPE_INTRUSIVE(Shape, x, y) };
inline void to_json(json &j, const dim3 &d) { j = json{{"x", d.x}, {"y", d.y}}; }
__global__ void k(float *a) { a[threadIdx.x] = 1; }
void run(float *a, const char *name) {
  std::ifstream file(name); json j = json::parse(file), out;
  Shape shape = j.at("shape").get<Shape>();
  int threads = j["threads"]; threads = j.value("threads", 64); std::string text = j["name"];
  for (auto &[key, value] : j["all"].items()) out[key] = value;
  for (const auto &each : j["list"]) out.push_back(each);
  if (j.contains("n") && j["n"].is_number()) k<<<j["n"].get<int>(), 32>>>(a);
  out["kind"] = Kind::One; out["list"] = {1, 2, 3}; k<<<shape.x, 64>>>(a); text = out.dump(2);
}
""",
    "words of CUTLASS": """
#include <cutlass/cutlass.h>
CUTLASS_HOST_DEVICE int twice(int n) { return 2 * n; }
__global__ void k(float *a) {
  CUTLASS_PRAGMA_UNROLL
  for (int i = 0; i < 4; ++i) a[threadIdx.x + twice(i) * cutlass::NumThreadsPerWarp] = 1;
}
bool run(float *a, cutlass::Status s) { k<<<1, 64>>>(a); return s == cutlass::Status::kSuccess; }
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

EXTENSION = """
#include <ATen/AccumulateType.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/detail/KernelUtils.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>
static_assert(sizeof(at::Half) == 2 && sizeof(at::BFloat16) == 2);
static_assert(sizeof(at::PackedTensorAccessor32<float, 3>) == 8 + 6 * 4);
static_assert(sizeof(at::PackedTensorAccessor64<float, 3>) == 8 + 6 * 8);
static_assert(std::is_same_v<at::acc_type<at::Half, true>, float>);
template <typename T> __global__ void raw(const T *__restrict__ a, T *b, int n) {
  CUDA_KERNEL_LOOP(i, n) { b[i] = a[i] * T(2) + a[i]; b[i] += 1.0f; }
  if (a[0] == b[0] || b[0] <= a[1] || a[1] != T(0) || a[2] < 1.0) b[1] = a[2] == 0.0f ? a[0] : a[1];
  if (0 != a[3] && a[3] >= n && a[4] > FLT_MIN) b[2] = a[3] < 0 ? -a[3] : a[3];
}
template <typename T> __global__ void indexed(
    torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> a,
    const at::PackedTensorAccessor64<T, 1> b) {
  a[blockIdx.x][threadIdx.x] = static_cast<at::acc_type<T, true>>(b[threadIdx.x]) + a.size(1);
}
#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
torch::Tensor run(torch::Tensor a, const at::Tensor &b, c10::optional<at::Tensor> mask) {
  CHECK_CUDA(a);
  TORCH_CHECK(a.dtype() == torch::kFloat32 || a.scalar_type() == at::kHalf, "bad ", a.sizes());
  const at::cuda::OptionalCUDAGuard guard(device_of(a));
  at::globalContext().alertNotDeterministic("run");
  auto options = torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA, 0);
  auto out = torch::zeros({a.size(0), a.size(1)}, options);
  out = torch::cat({a, b}, 1).view({-1, 2}).to(torch::kFloat) * 2.0 + out.sum().item<float>();
  const int n = a.numel(); auto stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(
      at::ScalarType::Half, at::ScalarType::BFloat16, a.scalar_type(), "raw", [&] {
        raw<scalar_t><<<at::cuda::detail::GET_BLOCKS(n), 256, 0, stream>>>(
            a.data_ptr<scalar_t>(), out.mutable_data_ptr<scalar_t>(), n);
      });
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(a.type(), "indexed", ([&] {
    indexed<scalar_t><<<dim3(1, b.sizes()[0]), 256>>>(
        a.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        b.packed_accessor64<scalar_t, 1>());
  }));
  AT_CUDA_CHECK(cudaGetLastError()); C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run, "doc", py::arg("a") = 1); }
TORCH_LIBRARY(mine, m) { m.def("run(Tensor a) -> Tensor"); }
TORCH_LIBRARY_IMPL(mine, CUDA, m) { m.impl("run", &run); }
"""

RANDOM = """
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraphsUtils.cuh>
#include <ATen/cuda/detail/UnpackRaw.cuh>
static_assert(sizeof(at::PhiloxCudaState) == 32);
struct Params { at::PhiloxCudaState philox; float *out; };
__global__ void dropout(Params params) {
  auto seeds = at::cuda::philox::unpack(params.philox);
  params.out[threadIdx.x] = std::get<0>(seeds) + threadIdx.x * std::get<1>(seeds);
}
void run(at::Tensor a, c10::optional<at::Generator> given) {
  auto generator = at::get_generator_or_default<at::CUDAGeneratorImpl>(
      given, at::cuda::detail::getDefaultCUDAGenerator());
  std::lock_guard<std::mutex> lock(generator->mutex_);
  dropout<<<1, 128>>>(Params{generator->philox_cuda_state(4), a.data_ptr<float>()});
}
"""

# The same kernel, with accessors and with ATen's address arithmetic written out.
ACCESSED = """
#include <torch/types.h>
using torch::PackedTensorAccessor32;
extern "C" __global__ void k(PackedTensorAccessor32<float, 3, torch::RestrictPtrTraits> a) {
  a[blockIdx.y][blockIdx.x][threadIdx.x] = a.size(2);
}
"""
WRITTEN_OUT = """
template <int N> struct Row {
  float *data; const int *sizes, *strides;
  __device__ auto operator[](int i) {
    return Row<N - 1>{data + strides[0] * i, sizes + 1, strides + 1};
  }
};
template <> struct Row<1> {
  float *data; const int *sizes, *strides;
  __device__ float &operator[](int i) { return data[strides[0] * i]; }
};
struct Packed {
  float *__restrict__ data; int sizes[3], strides[3];
  __device__ int size(int i) const { return sizes[i]; }
  __device__ auto operator[](int i) {
    return Row<2>{data + strides[0] * i, sizes + 1, strides + 1};
  }
};
extern "C" __global__ void k(Packed a) { a[blockIdx.y][blockIdx.x][threadIdx.x] = a.size(2); }
"""

SHAPED = """
#include <ATen/ATen.h>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <torch/serialize/tensor.h>
using at::cuda::detail::TensorInfo; using at::cuda::detail::IndexToOffset;
static_assert(sizeof(TensorInfo<float, int>) == 216 && sizeof(TensorInfo<float, int64_t>) == 416);
__global__ void gather(const TensorInfo<int64_t, int> index, const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[index.data[IndexToOffset<int64_t, int, -1>::get(i, index)]];
  b[i] += a[index.data[IndexToOffset<int64_t, int, 2>::get(i, index)]];
}
void run(at::Tensor index, at::Tensor a) {
  TORCH_CHECK(at::cuda::detail::canUse32BitIndexMath(index));
  auto info = at::cuda::detail::getTensorInfo<int64_t, int>(index);
  gather<<<1, 256>>>(info, a.data_ptr<float>(), a.data_ptr<float>());
}
"""


def without_boost(tmp_path: Path, standard: str | None = None) -> CompileOptions:
    """With our stand-in before a Boost that the machine may have."""
    (tmp_path / "boost").symlink_to(OWN_STUBS / "boost")
    return CompileOptions(flags=("-I", str(tmp_path)), std=standard)


def compiled(tmp_path: Path, source: str) -> str:
    """The IR of a unit that has no errors, and whose missing headers all have stand-ins."""
    path = tmp_path / "unit.cu"
    path.write_text(source)
    unit = compile_unit(str(path), without_boost(tmp_path))
    assert unit.ir is not None, unit.diagnostics
    assert unit.host_errors == () == unit.not_analysed
    assert all(header.stand_in for header in unit.missing_headers)
    return unit.ir


@pytest.mark.parametrize("name", C_LIBRARIES)
def test_host_calls_of_c_libraries(tmp_path: Path, name: str) -> None:
    kernels = KERNEL.findall(compiled(tmp_path, C_LIBRARIES[name]))
    assert len([kernel for kernel in kernels if "3cub" not in kernel]) == 1, kernels


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
def test_boost_in_each_standard(tmp_path: Path, standard: str) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(
        "#include <boost/shared_ptr.hpp>\n#include <boost/bind.hpp>\n"
        "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n"
        "void go(int n, boost::shared_ptr<float> a) { k<<<1, n>>>(a.get()); }\n"
        "void all(boost::shared_ptr<float> a) { boost::bind(go, 32, a)(); }\n"
    )
    unit = compile_unit(str(path), without_boost(tmp_path, standard))
    assert unit.ir is not None and unit.host_errors == ()


def test_structures_of_rmm_have_its_sizes(tmp_path: Path) -> None:
    """As in RMM 26: what strides and offsets follow from."""
    compiled(
        tmp_path,
        "#include <rmm/device_scalar.hpp>\n#include <rmm/device_uvector.hpp>\n"
        "static_assert(sizeof(rmm::cuda_stream_view) == 8);\n"
        "static_assert(sizeof(rmm::cuda_stream) == 40);\n"
        "static_assert(sizeof(rmm::cuda_stream_pool) == 32);\n"
        "static_assert(sizeof(rmm::device_buffer) == 112);\n"
        "static_assert(sizeof(rmm::device_uvector<float>) == 112);\n"
        "static_assert(sizeof(rmm::device_scalar<char>) == 112);\n",
    )


def test_structures_of_boost_have_its_sizes(tmp_path: Path) -> None:
    """As in Boost 1.74: what strides and offsets follow from. ``boost::any`` is a pointer."""
    compiled(
        tmp_path,
        "#include <boost/any.hpp>\n#include <boost/optional.hpp>\n#include <boost/variant.hpp>\n"
        "static_assert(sizeof(boost::optional<float>) == 8);\n"
        "static_assert(sizeof(boost::optional<char>) == 2);\n"
        "static_assert(sizeof(boost::variant<char, bool>) == 8);\n"
        "static_assert(sizeof(boost::variant<int, double>) == 16);\n"
        "static_assert(sizeof(boost::any) == 8);\n"
        "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n",
    )


def test_dispatch_makes_an_instance_for_each_type(tmp_path: Path) -> None:
    kernels = KERNEL.findall(compiled(tmp_path, EXTENSION))
    assert sum("3raw" in kernel for kernel in kernels) == 4
    assert sum("7indexed" in kernel for kernel in kernels) == 3
    assert len(kernels) == 7


def test_random_numbers_of_an_extension(tmp_path: Path) -> None:
    assert len(KERNEL.findall(compiled(tmp_path, RANDOM))) == 1


STABLE = """
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/Dispatch.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/core/TensorAccessor.h>
using torch::headeronly::ScalarType;
using torch::stable::Tensor;
template <typename T> using Rows = torch::headeronly::HeaderOnlyGenericPackedTensorAccessor<T, 2>;
template <typename T> __global__ void columns(Rows<T> rows) {
  rows[threadIdx.x][blockIdx.x] = 1;
}
template <typename T> __global__ void twice(const T *in, T *out, int64_t n) {
  int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[2 * i];
}
Tensor run(const Tensor &in, std::optional<Tensor> given) {
  STD_TORCH_CHECK(in.scalar_type() == ScalarType::Half, "of type ", 1);
  torch::stable::accelerator::DeviceGuard guard(in.get_device_index());
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(in.get_device_index(), &stream));
  Tensor out = given ? *given : torch::stable::new_empty(
      in, {in.size(0), in.size(1)}, std::make_optional(ScalarType::Half));
  std::array<StableIValue, 1> stack{torch::stable::detail::from(in)};
  out = torch::stable::detail::to<Tensor>(stack[0]);
  out = torch::stable::view(torch::stable::empty_like(in), {1, -1});
  Rows<float> rows(out.mutable_data_ptr<float>(), out.sizes().data(), out.strides().data());
  columns<float><<<1, 32, 0, static_cast<cudaStream_t>(stream)>>>(rows);
  THO_DISPATCH_SWITCH(in.scalar_type(), "twice", THO_DISPATCH_CASE(ScalarType::Half, [&] {
    twice<scalar_t><<<1, 64>>>(
        in.const_data_ptr<scalar_t>(), out.mutable_data_ptr<scalar_t>(), in.numel());
    STD_CUDA_KERNEL_LAUNCH_CHECK();
  }));
  return out;
}
STABLE_TORCH_LIBRARY_FRAGMENT(mine, m) { m.def("run(Tensor a, Tensor? b) -> Tensor"); }
STABLE_TORCH_LIBRARY_IMPL(mine, CUDA, m) { m.impl("run", TORCH_BOX(&run)); }
"""


def test_extensions_by_the_stable_abi(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(STABLE)
    report = check_unit(str(path), Config())
    assert not (report.incomplete or report.host_errors)
    assert {kernel.launches[0].block for kernel in report.kernels} == {(32, 1, 1), (64, 1, 1)}
    assert all(header.stand_in for header in report.missing_headers)


def test_headers_of_stand_ins_themselves_are_not_named() -> None:
    """Nobody's library has a header of that name."""
    names = ("c10/util/Half.h", "c10/util/drano_float16.h")
    assert used([str(OWN_STUBS / name) for name in names]) == names[:1]


TVM = """
#include <dlpack/dlpack.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/cuda/device_guard.h>
#include <tvm/ffi/function.h>
using tvm::ffi::Optional; using tvm::ffi::TensorView;
#define CONTIGUOUS(x) TVM_FFI_ICHECK_EQ(x.stride(-1), 1) #x " must be contiguous";
template <typename T> __global__ void scale(T *a, const float *by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = static_cast<T>(static_cast<float>(a[i]) * *by);
}
template <typename F> bool dispatch(DLDataType type, F f) {
  switch (type.code << 8 | type.bits) {
    case kDLFloat << 8 | 16: f(__half()); return true;
    case kDLFloat << 8 | 32: f(float()); return true;
    default: TVM_FFI_THROW(ValueError) << "no such type: " << tvm::ffi::DLDataTypeToString(type);
  }
  return false;
}
void run(TensorView a, Optional<TensorView> by, tvm::ffi::Array<int64_t> sizes) {
  CONTIGUOUS(a)
  TVM_FFI_ICHECK(by.has_value() && by.value().ndim() == 1) << "one dimension, not " << sizes.size();
  TVM_FFI_ICHECK_EQ(a.device().device_type, kDLCUDA);
  tvm::ffi::CUDADeviceGuard guard(a.device().device_id);
  auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(kDLCUDA, a.device().device_id));
  dispatch(a.dtype(), [&](auto zero) {
    auto *data = static_cast<decltype(zero) *>(a.data_ptr());
    scale<<<a.numel() / 256, 256, 0, stream>>>(
        data, static_cast<float *>(by.value().data_ptr()), static_cast<int>(a.size(0)));
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
"""


def test_functions_that_tvm_calls(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(TVM)
    report = check_unit(str(path), Config())
    assert not (report.incomplete or report.host_errors)
    assert [kernel.launches[0].block for kernel in report.kernels] == [(256, 1, 1)] * 2


ATOMICS = """
#include <ATen/cuda/Atomic.cuh>
template <typename T> __global__ void k(T *a, T *b) {
  atomicAdd(&a[threadIdx.x], b[threadIdx.x]); gpuAtomicAdd(a, b[0]); gpuAtomicAddNoReturn(a, b[0]);
  gpuAtomicMul(&a[threadIdx.x], b[0]); gpuAtomicMax(a, b[0]); gpuAtomicMin(a, b[0]);
}
template <typename T> __global__ void both(c10::complex<T> *a, c10::complex<T> *b) {
  gpuAtomicAdd(a + threadIdx.x, b[0]); gpuAtomicAddNoReturn(a, b[0]);
}
template <typename T> void run() { k<T><<<1, 32>>>(nullptr, nullptr); }
void all() {
  both<float><<<1, 32>>>(nullptr, nullptr); both<double><<<1, 32>>>(nullptr, nullptr);
  run<uint8_t>(); run<int8_t>(); run<int16_t>(); run<int>(); run<int64_t>(); run<bool>();
  run<float>(); run<double>(); run<at::Half>(); run<at::BFloat16>();
}
"""


def test_atomic_operations_of_all_types(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(ATOMICS)
    report = check_unit(str(path), Config())
    assert not report.incomplete
    assert len(report.kernels) == 12
    atomics = [a for a in report.accesses if a.kind is AccessKind.ATOMIC]
    assert {a.bytes for a in atomics if "int8_t" in a.kernel or "char" in a.kernel} == {4}


DEVICE_HELPERS = """
#include <ATen/NumericUtils.h>
#include <ATen/ceil_div.h>
#include <ATen/cuda/NumericLimits.cuh>
#include <ATen/native/cuda/KernelUtils.cuh>
#include <ATen/native/cuda/MemoryAccess.cuh>
#include <ATen/native/cuda/block_reduce.cuh>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAMathCompat.h>
template <typename T>
__global__ void softmax(const T *in, T *out, float *most, int n, TORCH_DSA_KERNEL_ARGS) {
  __shared__ float shared[32];
  float sum = 0, top = at::numeric_limits<float>::lowest();
  if (n < at::ceil_div(n, 4)) top = static_cast<float>(at::numeric_limits<T>::lower_bound());
  auto four = at::native::memory::load_vector<4>(in, blockIdx.x * blockDim.x + threadIdx.x);
  for (T each : four.val) {
    CUDA_KERNEL_ASSERT2(!at::_isnan(static_cast<float>(each)));
    sum += c10::cuda::compat::exp(static_cast<float>(each));
    top = c10::cuda::compat::max(top, static_cast<float>(each));
  }
  sum = at::native::cuda_utils::BlockReduceSum<float>(sum, shared);
  top = at::native::cuda_utils::BlockReduceMax<float>(top, shared);
  at::native::fastAtomicAdd(out, threadIdx.x, static_cast<unsigned>(n), static_cast<T>(sum), true);
  most[threadIdx.x] = top;
}
void run(float *p, at::Half *h, int n) {
  softmax<float><<<n, 512>>>(p, p, p, n, nullptr, 0);
  softmax<at::Half><<<n, 512>>>(h, h, p, n, nullptr, 0);
}
"""


def test_helpers_of_device_code(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(DEVICE_HELPERS)
    report = check_unit(str(path), Config())
    assert not report.incomplete
    outside = [a for a in report.accesses if a.judgement.space is Space.GLOBAL]
    assert len(outside) == 6
    assert {a.judgement.verdict for a in outside} == {Verdict.COALESCED}


def test_shapes_of_tensors_in_kernels(tmp_path: Path) -> None:
    assert len(KERNEL.findall(compiled(tmp_path, SHAPED))) == 1


def values(tmp_path: Path, source: str) -> list[tuple[AccessKind, int, str]]:
    path = tmp_path / "unit.cu"
    path.write_text(source)
    report = check_unit(str(path), AS_WRITTEN)
    return [(access.kind, access.bytes, access.judgement.value) for access in report.accesses]


def test_accessors_compute_addresses_as_aten_does(tmp_path: Path) -> None:
    accessed, written = (values(tmp_path, source) for source in (ACCESSED, WRITTEN_OUT))
    assert accessed == written
    assert len(accessed) == 6


OTHERS = """
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAUtils.h>
#include <ATen/cuda/DeviceUtils.cuh>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
template <typename T> __global__ void sum(const T *a, T *b) {
  T v = a[threadIdx.x];
  v += WARP_SHFL_XOR(static_cast<float>(v), 1);
  gpuAtomicAdd(b, v); atomicAdd(b, v);
}
void check(const char *text, int i) { ASSERT_STREQ(text, fmt::format("{:>{}}", i, 8).c_str()); }
bool together(at::Tensor a, at::Tensor b) { return at::cuda::check_device({a, b}); }
TEST(Sum, Float) {
  sum<float><<<1, 32>>>(nullptr, nullptr);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess) << "launch " << 1 << std::endl;
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(i, 1.0, 1e-3) << i;
  EXPECT_THROW(check("", 1), std::exception);
}
template <typename T> struct Typed : ::testing::Test { T *data = nullptr; };
using Both = ::testing::Types<double, at::Half>;
TYPED_TEST_SUITE(Typed, Both);
TYPED_TEST(Typed, Runs) { sum<TypeParam><<<1, 32>>>(this->data, this->data); }
struct Param : ::testing::TestWithParam<int> {};
TEST_P(Param, Runs) {
  if (GetParam() > 2) GTEST_SKIP() << "many";
  sum<int><<<1, GetParam()>>>(0, 0);
}
INSTANTIATE_TEST_SUITE_P(All, Param, ::testing::Values(1, 2));
int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv); fmt::print("{}\\n", argc); return RUN_ALL_TESTS();
}
"""


def test_kernels_of_unit_tests(tmp_path: Path) -> None:
    kernels = KERNEL.findall(compiled(tmp_path, OTHERS))
    assert len([kernel for kernel in kernels if "3sum" in kernel]) == 4


PINNED = """
#include <thrust/host_vector.h>
#include <thrust/system/cuda/experimental/pinned_allocator.h>
#include <vector>
using namespace thrust::system::cuda;
template <typename T> using Kept = std::vector<T, experimental::pinned_allocator<T>>;
template <typename T> struct Matrices {
  struct View { T *data; __device__ T *row(int n) { return data + n; } };
  Kept<T> kept;
  View view() { kept.push_back(T()); return {kept.data()}; }
};
typedef thrust::host_vector<int, thrust::cuda::experimental::pinned_allocator<int>> Old;
__global__ void k(Matrices<float>::View view) { view.row(4)[threadIdx.x] = 1; }
void go(Matrices<float> &m, Old &old) { old.resize(7); k<<<1, 32>>>(m.view()); }
"""


def test_pinned_memory_of_older_thrust(tmp_path: Path) -> None:
    assert "_Z1kN8MatricesIfE4ViewE" in KERNEL.findall(compiled(tmp_path, PINNED))


def test_every_stand_in_is_packaged() -> None:
    assert {path.suffix for path in OWN_STUBS.rglob("*") if path.is_file()} <= {
        ".h",
        ".hpp",
        ".cuh",
    }
