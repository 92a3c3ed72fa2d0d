/* Stands in for OpenCV: its matrices and images, of the host and of the GPU. What kernels take of it
   (DevPtr, PtrSz, PtrStep, PtrStepSz, constants, types of elements) is complete. */
#ifndef DRANO_STUB_OPENCV_H
#define DRANO_STUB_OPENCV_H
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>
typedef unsigned char uchar;
typedef signed char schar;
typedef unsigned short ushort;
#define CV_VERSION_MAJOR 4
#define CV_VERSION_MINOR 10
#define CV_VERSION_REVISION 0
#define CV_MAJOR_VERSION CV_VERSION_MAJOR
#define CV_MINOR_VERSION CV_VERSION_MINOR
#define CV_VERSION "4.10.0"
#define CV_PI 3.1415926535897932384626433832795
#define CV_2PI 6.283185307179586476925286766559
#define CV_LOG2 0.69314718055994530941723212145818
#define CV_8U 0
#define CV_8S 1
#define CV_16U 2
#define CV_16S 3
#define CV_32S 4
#define CV_32F 5
#define CV_64F 6
#define CV_16F 7
#define CV_CN_SHIFT 3
#define CV_CN_MAX 512
#define CV_DEPTH_MAX (1 << CV_CN_SHIFT)
#define CV_MAT_DEPTH(flags) ((flags) & (CV_DEPTH_MAX - 1))
#define CV_MAT_CN(flags) ((((flags) >> CV_CN_SHIFT) & (CV_CN_MAX - 1)) + 1)
#define CV_MAT_TYPE(flags) ((flags) & (CV_DEPTH_MAX * CV_CN_MAX - 1))
#define CV_MAKETYPE(depth, cn) (CV_MAT_DEPTH(depth) + (((cn) - 1) << CV_CN_SHIFT))
#define CV_MAKE_TYPE CV_MAKETYPE
#define CV_8UC(n) CV_MAKETYPE(CV_8U, n)
#define CV_8SC(n) CV_MAKETYPE(CV_8S, n)
#define CV_16UC(n) CV_MAKETYPE(CV_16U, n)
#define CV_16SC(n) CV_MAKETYPE(CV_16S, n)
#define CV_32SC(n) CV_MAKETYPE(CV_32S, n)
#define CV_32FC(n) CV_MAKETYPE(CV_32F, n)
#define CV_64FC(n) CV_MAKETYPE(CV_64F, n)
#define CV_16FC(n) CV_MAKETYPE(CV_16F, n)
#define CV_8UC1 CV_8UC(1)
#define CV_8UC2 CV_8UC(2)
#define CV_8UC3 CV_8UC(3)
#define CV_8UC4 CV_8UC(4)
#define CV_8SC1 CV_8SC(1)
#define CV_16UC1 CV_16UC(1)
#define CV_16UC2 CV_16UC(2)
#define CV_16UC3 CV_16UC(3)
#define CV_16UC4 CV_16UC(4)
#define CV_16SC1 CV_16SC(1)
#define CV_16SC2 CV_16SC(2)
#define CV_16SC3 CV_16SC(3)
#define CV_32SC1 CV_32SC(1)
#define CV_32SC2 CV_32SC(2)
#define CV_32SC3 CV_32SC(3)
#define CV_32SC4 CV_32SC(4)
#define CV_32FC1 CV_32FC(1)
#define CV_32FC2 CV_32FC(2)
#define CV_32FC3 CV_32FC(3)
#define CV_32FC4 CV_32FC(4)
#define CV_64FC1 CV_64FC(1)
#define CV_64FC2 CV_64FC(2)
#define CV_64FC3 CV_64FC(3)
#define CV_16FC1 CV_16FC(1)
#define CV_16FC3 CV_16FC(3)
#define CV_Assert(condition) do { if (!(condition)) std::abort(); } while (0)
#define CV_DbgAssert(condition) CV_Assert(condition)
#define CV_Error(code, text) std::abort()
#define CV_Func __func__
#define CV_OUT
#define CV_IN_OUT
#define CV_EXPORTS
#define CV_EXPORTS_W
#define CV_WRAP
#define CV_OVERRIDE override
#define CV_FINAL final
#define CV_NOEXCEPT noexcept
#ifndef __CV_GPU_HOST_DEVICE__
#define __CV_GPU_HOST_DEVICE__ __host__ __device__ __forceinline__
#define __CV_CUDA_HOST_DEVICE__ __CV_GPU_HOST_DEVICE__
#endif
namespace cv {
using String = std::string;
using ::uchar, ::schar, ::ushort;
using uint = unsigned int;
using int64 = std::int64_t;
using uint64 = std::uint64_t;
template <typename T> using Ptr = std::shared_ptr<T>;
template <typename T, typename... Ts> Ptr<T> makePtr(Ts &&...values) {
    return std::make_shared<T>(std::forward<Ts>(values)...);
}
template <typename T> struct DataType { static const int type = -1, depth = -1, channels = 1; };
#define DRANO_CV_ELEMENT(T, D)                                                                     \
    template <> struct DataType<T> { static const int type = D, depth = D, channels = 1; };
DRANO_CV_ELEMENT(uchar, CV_8U)
DRANO_CV_ELEMENT(schar, CV_8S)
DRANO_CV_ELEMENT(ushort, CV_16U)
DRANO_CV_ELEMENT(short, CV_16S)
DRANO_CV_ELEMENT(int, CV_32S)
DRANO_CV_ELEMENT(float, CV_32F)
DRANO_CV_ELEMENT(double, CV_64F)
#undef DRANO_CV_ELEMENT
template <typename T, int M, int N> struct Matx {
    typedef T value_type;
    enum { rows = M, cols = N, channels = M * N };
    T val[M * N];
    Matx() : val{} {}
    template <typename... Ts> Matx(T first, Ts... rest) : val{first, static_cast<T>(rest)...} {}
    explicit Matx(const T *);
    static Matx eye(), zeros(), ones(), all(T);
    T &operator()(int i, int j) { return val[i * N + j]; }
    const T &operator()(int i, int j) const { return val[i * N + j]; }
    T &operator()(int i) { return val[i]; }
    const T &operator()(int i) const { return val[i]; }
    Matx<T, N, M> t() const;
    Matx inv(int = 0, bool * = nullptr) const;
    T dot(const Matx &) const;
};
template <typename T, int M, int K, int N>
Matx<T, M, N> operator*(const Matx<T, M, K> &, const Matx<T, K, N> &);
template <typename T, int N> struct Vec : Matx<T, N, 1> {
    using Matx<T, N, 1>::Matx;
    Vec() {}
    Vec(const Matx<T, N, 1> &other) : Matx<T, N, 1>(other) {}
    T &operator[](int i) { return this->val[i]; }
    const T &operator[](int i) const { return this->val[i]; }
    Vec cross(const Vec &) const;
};
template <typename T, int N> Vec<T, N> operator+(const Vec<T, N> &, const Vec<T, N> &);
template <typename T, int N> Vec<T, N> operator-(const Vec<T, N> &, const Vec<T, N> &);
template <typename T, int N> Vec<T, N> operator*(const Vec<T, N> &, double);
template <typename T, int N> Vec<T, N> operator*(double, const Vec<T, N> &);
typedef Vec<uchar, 2> Vec2b;
typedef Vec<uchar, 3> Vec3b;
typedef Vec<uchar, 4> Vec4b;
typedef Vec<short, 2> Vec2s;
typedef Vec<short, 3> Vec3s;
typedef Vec<ushort, 3> Vec3w;
typedef Vec<int, 2> Vec2i;
typedef Vec<int, 3> Vec3i;
typedef Vec<int, 4> Vec4i;
typedef Vec<float, 2> Vec2f;
typedef Vec<float, 3> Vec3f;
typedef Vec<float, 4> Vec4f;
typedef Vec<float, 6> Vec6f;
typedef Vec<double, 2> Vec2d;
typedef Vec<double, 3> Vec3d;
typedef Vec<double, 4> Vec4d;
typedef Matx<float, 2, 3> Matx23f;
typedef Matx<float, 3, 3> Matx33f;
typedef Matx<float, 3, 4> Matx34f;
typedef Matx<float, 4, 4> Matx44f;
typedef Matx<double, 2, 3> Matx23d;
typedef Matx<double, 3, 3> Matx33d;
typedef Matx<double, 3, 4> Matx34d;
typedef Matx<double, 4, 4> Matx44d;
template <typename T> struct Point_ {
    T x, y;
    Point_(T a = 0, T b = 0) : x(a), y(b) {}
    template <typename U> Point_(const Point_<U> &p) : x(p.x), y(p.y) {}
};
template <typename T> struct Point3_ {
    T x, y, z;
    Point3_(T a = 0, T b = 0, T c = 0) : x(a), y(b), z(c) {}
};
template <typename T> struct Size_ {
    T width, height;
    Size_(T w = 0, T h = 0) : width(w), height(h) {}
    template <typename U> Size_(const Size_<U> &s) : width(s.width), height(s.height) {}
    T area() const { return width * height; }
    bool empty() const { return width <= 0 || height <= 0; }
    bool operator==(const Size_ &s) const { return width == s.width && height == s.height; }
    bool operator!=(const Size_ &s) const { return !(*this == s); }
};
template <typename T> struct Rect_ {
    T x, y, width, height;
    Rect_(T a = 0, T b = 0, T w = 0, T h = 0) : x(a), y(b), width(w), height(h) {}
    Rect_(Point_<T> p, Size_<T> s) : x(p.x), y(p.y), width(s.width), height(s.height) {}
    Point_<T> tl() const, br() const;
    Size_<T> size() const { return {width, height}; }
    T area() const { return width * height; }
    bool contains(const Point_<T> &) const;
};
template <typename T> Rect_<T> operator&(const Rect_<T> &, const Rect_<T> &);
template <typename T> struct Scalar_ : Vec<T, 4> {
    Scalar_(T a = 0, T b = 0, T c = 0, T d = 0) : Vec<T, 4>(a, b, c, d) {}
    static Scalar_ all(T);
};
typedef Point_<int> Point, Point2i;
typedef Point_<float> Point2f;
typedef Point_<double> Point2d;
typedef Point3_<int> Point3i;
typedef Point3_<float> Point3f;
typedef Point3_<double> Point3d;
typedef Size_<int> Size, Size2i;
typedef Size_<float> Size2f;
typedef Rect_<int> Rect, Rect2i;
typedef Rect_<float> Rect2f;
typedef Rect_<double> Rect2d;
typedef Scalar_<double> Scalar;
struct RotatedRect { Point2f center; Size2f size; float angle; };
struct Range {
    int start, end;
    Range(int a = 0, int b = 0) : start(a), end(b) {}
    static Range all();
    int size() const { return end - start; }
};
struct TermCriteria {
    enum Type { COUNT = 1, MAX_ITER = COUNT, EPS = 2 };
    TermCriteria(int = 0, int = 0, double = 0);
};
struct KeyPoint { Point2f pt; float size, angle, response; int octave, class_id; };
struct DMatch { int queryIdx, trainIdx, imgIdx; float distance; };
template <typename T, typename U> T saturate_cast(U);
struct MatStep {
    operator std::size_t() const;
    std::size_t operator[](int) const;
};
struct MatSize {
    Size operator()() const;
    int operator[](int) const;
    operator Size() const;
};
struct Mat {
    enum { AUTO_STEP = 0, CONTINUOUS_FLAG = 1 << 14, MAGIC_VAL = 0x42FF0000 };
    int flags, dims, rows, cols;
    uchar *data;
    const uchar *datastart, *dataend;
    MatSize size;
    MatStep step;
    Mat();
    Mat(const Mat &);
    Mat(int, int, int);
    Mat(int, int, int, const Scalar &);
    Mat(int, int, int, void *, std::size_t = 0);
    Mat(Size, int);
    Mat(Size, int, const Scalar &);
    Mat(Size, int, void *, std::size_t = 0);
    Mat(int, const int *, int);
    Mat(int, const int *, int, void *, const std::size_t * = nullptr);
    Mat(const Mat &, const Rect &);
    Mat(const Mat &, const Range &, const Range & = Range::all());
    template <typename T> explicit Mat(const std::vector<T> &, bool = false);
    template <typename T, int M, int N> explicit Mat(const Matx<T, M, N> &, bool = true);
    ~Mat();
    Mat &operator=(const Mat &), &operator=(const Scalar &);
    static Mat zeros(int, int, int), zeros(Size, int), ones(int, int, int), ones(Size, int);
    static Mat eye(int, int, int), eye(Size, int), diag(const Mat &);
    Mat clone() const, t() const, inv(int = 0) const, mul(const Mat &, double = 1) const;
    Mat reshape(int, int = 0) const, row(int) const, col(int) const;
    Mat rowRange(int, int) const, colRange(int, int) const, cross(const Mat &) const;
    Mat operator()(const Rect &) const, operator()(Range, Range) const;
    template <typename... Ts> void copyTo(Ts &&...) const;
    template <typename... Ts> void convertTo(Ts &&...) const;
    template <typename... Ts> Mat &setTo(Ts &&...);
    void create(int, int, int), create(Size, int), create(int, const int *, int), release();
    template <typename T> void push_back(const T &);
    bool empty() const, isContinuous() const;
    std::size_t total() const, elemSize() const, elemSize1() const, step1(int = 0) const;
    int type() const, depth() const, channels() const;
    template <typename T = uchar> T *ptr(int = 0);
    template <typename T = uchar> const T *ptr(int = 0) const;
    template <typename T = uchar> T *ptr(int, int);
    template <typename T> T &at(int);
    template <typename T> T &at(int, int);
    template <typename T> T &at(int, int, int);
    template <typename T> T &at(Point);
    template <typename T> const T &at(int) const;
    template <typename T> const T &at(int, int) const;
    template <typename T> const T &at(Point) const;
    template <typename T> T *begin();
    template <typename T> T *end();
};
typedef Mat MatExpr, UMat;
Mat operator+(const Mat &, const Mat &), operator-(const Mat &, const Mat &);
Mat operator*(const Mat &, const Mat &), operator*(const Mat &, double);
Mat operator*(double, const Mat &), operator/(const Mat &, double), operator/(const Mat &, const Mat &);
Mat operator+(const Mat &, const Scalar &), operator-(const Mat &, const Scalar &), operator-(const Mat &);
std::ostream &operator<<(std::ostream &, const Mat &);
template <typename T> struct Mat_ : Mat {
    using Mat::Mat;
    Mat_();
    Mat_(const Mat &);
    Mat_(int, int);
    Mat_(int, int, const T &);
    Mat_(Size);
    T &operator()(int), &operator()(int, int), &operator()(Point);
    const T &operator()(int) const, &operator()(int, int) const;
    T *operator[](int);
};
template <typename T> struct MatCommaInitializer_ {
    template <typename U> MatCommaInitializer_ &operator,(U);
    operator Mat_<T>() const;
    operator Mat() const;
};
template <typename T, typename U> MatCommaInitializer_<T> operator<<(const Mat_<T> &, U);
typedef Mat_<uchar> Mat1b;
typedef Mat_<Vec3b> Mat3b;
typedef Mat_<float> Mat1f;
typedef Mat_<double> Mat1d;
struct DranoAnyArray {
    template <typename T> DranoAnyArray(const T &);
    Mat getMat(int = -1) const;
};
typedef const DranoAnyArray &InputArray, &OutputArray, &InputOutputArray;
typedef const DranoAnyArray &InputArrayOfArrays, &OutputArrayOfArrays;
InputArray noArray();
struct Exception : std::exception { String msg, err, func, file; int code, line; };
enum ImreadModes { IMREAD_UNCHANGED = -1, IMREAD_GRAYSCALE = 0, IMREAD_COLOR = 1, IMREAD_ANYDEPTH = 2 };
enum InterpolationFlags { INTER_NEAREST = 0, INTER_LINEAR = 1, INTER_CUBIC = 2, INTER_AREA = 3,
                          INTER_LANCZOS4 = 4, WARP_INVERSE_MAP = 16 };
enum BorderTypes { BORDER_CONSTANT = 0, BORDER_REPLICATE = 1, BORDER_REFLECT = 2, BORDER_WRAP = 3,
                   BORDER_REFLECT_101 = 4, BORDER_DEFAULT = BORDER_REFLECT_101, BORDER_ISOLATED = 16 };
enum ColorConversionCodes { COLOR_BGR2BGRA = 0, COLOR_BGRA2BGR = 1, COLOR_BGR2RGBA = 2,
                            COLOR_RGBA2BGR = 3, COLOR_BGR2RGB = 4, COLOR_RGB2BGR = 4,
                            COLOR_BGR2GRAY = 6, COLOR_RGB2GRAY = 7, COLOR_GRAY2BGR = 8,
                            COLOR_GRAY2RGB = 8, COLOR_BGRA2GRAY = 10, COLOR_RGBA2GRAY = 11,
                            COLOR_BGR2YCrCb = 36, COLOR_BGR2HSV = 40, COLOR_HSV2BGR = 54 };
enum NormTypes { NORM_INF = 1, NORM_L1 = 2, NORM_L2 = 4, NORM_HAMMING = 6, NORM_MINMAX = 32 };
enum WindowFlags { WINDOW_NORMAL = 0, WINDOW_AUTOSIZE = 1, WINDOW_OPENGL = 4096 };
Mat imread(const String &, int = IMREAD_COLOR), imdecode(InputArray, int);
template <typename... Ts> bool imwrite(const String &, InputArray, Ts &&...);
template <typename... Ts> void imshow(Ts &&...);
template <typename... Ts> void namedWindow(Ts &&...);
template <typename... Ts> void destroyAllWindows(Ts &&...);
int waitKey(int = 0);
#define DRANO_CV_ANY(name) template <typename... Ts> void name(Ts &&...);
DRANO_CV_ANY(cvtColor) DRANO_CV_ANY(resize) DRANO_CV_ANY(GaussianBlur) DRANO_CV_ANY(blur)
DRANO_CV_ANY(medianBlur) DRANO_CV_ANY(normalize) DRANO_CV_ANY(split) DRANO_CV_ANY(merge)
DRANO_CV_ANY(add) DRANO_CV_ANY(subtract) DRANO_CV_ANY(multiply) DRANO_CV_ANY(divide)
DRANO_CV_ANY(absdiff) DRANO_CV_ANY(addWeighted) DRANO_CV_ANY(flip) DRANO_CV_ANY(rotate)
DRANO_CV_ANY(transpose) DRANO_CV_ANY(rectangle) DRANO_CV_ANY(circle) DRANO_CV_ANY(line)
DRANO_CV_ANY(putText) DRANO_CV_ANY(polylines) DRANO_CV_ANY(threshold) DRANO_CV_ANY(Sobel)
DRANO_CV_ANY(Canny) DRANO_CV_ANY(filter2D) DRANO_CV_ANY(dilate) DRANO_CV_ANY(erode)
DRANO_CV_ANY(warpAffine) DRANO_CV_ANY(warpPerspective) DRANO_CV_ANY(remap)
DRANO_CV_ANY(copyMakeBorder) DRANO_CV_ANY(minMaxLoc) DRANO_CV_ANY(randu) DRANO_CV_ANY(randn)
DRANO_CV_ANY(applyColorMap) DRANO_CV_ANY(hconcat) DRANO_CV_ANY(vconcat) DRANO_CV_ANY(Rodrigues)
#undef DRANO_CV_ANY
template <typename... Ts> double norm(Ts &&...);
template <typename... Ts> Scalar mean(Ts &&...);
template <typename... Ts> Scalar sum(Ts &&...);
template <typename... Ts> Mat getAffineTransform(Ts &&...);
template <typename... Ts> Mat getRotationMatrix2D(Ts &&...);
int64 getTickCount();
double getTickFrequency();
int cvRound(double), cvFloor(double), cvCeil(double);
struct VideoCapture {
    VideoCapture();
    template <typename... Ts> explicit VideoCapture(Ts &&...);
    bool isOpened() const, read(InputArray), set(int, double), grab();
    template <typename... Ts> bool open(Ts &&...);
    double get(int) const;
    VideoCapture &operator>>(Mat &);
    void release();
};
struct VideoWriter {
    template <typename... Ts> explicit VideoWriter(Ts &&...);
    static int fourcc(char, char, char, char);
    bool isOpened() const;
    void write(InputArray), release();
};
struct FileStorage;
namespace cuda {
template <typename T> struct DevPtr {
    typedef T elem_type;
    typedef int index_type;
    enum { elem_size = sizeof(elem_type) };
    T *data;
    __CV_CUDA_HOST_DEVICE__ DevPtr() : data(nullptr) {}
    __CV_CUDA_HOST_DEVICE__ DevPtr(T *pointer) : data(pointer) {}
    __CV_CUDA_HOST_DEVICE__ std::size_t elemSize() const { return elem_size; }
    __CV_CUDA_HOST_DEVICE__ operator T *() { return data; }
    __CV_CUDA_HOST_DEVICE__ operator const T *() const { return data; }
};
template <typename T> struct PtrSz : DevPtr<T> {
    std::size_t size;
    __CV_CUDA_HOST_DEVICE__ PtrSz() : size(0) {}
    __CV_CUDA_HOST_DEVICE__ PtrSz(T *pointer, std::size_t n) : DevPtr<T>(pointer), size(n) {}
};
template <typename T> struct PtrStep : DevPtr<T> {
    std::size_t step;  // in bytes
    __CV_CUDA_HOST_DEVICE__ PtrStep() : step(0) {}
    __CV_CUDA_HOST_DEVICE__ PtrStep(T *pointer, std::size_t n) : DevPtr<T>(pointer), step(n) {}
    __CV_CUDA_HOST_DEVICE__ T *ptr(int y = 0) {
        return (T *)((char *)((DevPtr<T> *)this)->data + y * step);
    }
    __CV_CUDA_HOST_DEVICE__ const T *ptr(int y = 0) const {
        return (const T *)((const char *)((const DevPtr<T> *)this)->data + y * step);
    }
    __CV_CUDA_HOST_DEVICE__ T &operator()(int y, int x) { return ptr(y)[x]; }
    __CV_CUDA_HOST_DEVICE__ const T &operator()(int y, int x) const { return ptr(y)[x]; }
};
template <typename T> struct PtrStepSz : PtrStep<T> {
    int cols, rows;
    __CV_CUDA_HOST_DEVICE__ PtrStepSz() : cols(0), rows(0) {}
    __CV_CUDA_HOST_DEVICE__ PtrStepSz(int h, int w, T *pointer, std::size_t n)
        : PtrStep<T>(pointer, n), cols(w), rows(h) {}
    template <typename U>
    __CV_CUDA_HOST_DEVICE__ explicit PtrStepSz(const PtrStepSz<U> &other)
        : PtrStep<T>((T *)other.data, other.step), cols(other.cols), rows(other.rows) {}
};
typedef PtrStepSz<unsigned char> PtrStepSzb;
typedef PtrStepSz<unsigned short> PtrStepSzus;
typedef PtrStepSz<float> PtrStepSzf;
typedef PtrStepSz<int> PtrStepSzi;
typedef PtrStep<unsigned char> PtrStepb;
typedef PtrStep<unsigned short> PtrStepus;
typedef PtrStep<float> PtrStepf;
typedef PtrStep<int> PtrStepi;
struct Stream {
    Stream();
    explicit Stream(unsigned int);
    static Stream &Null();
    void waitForCompletion();
    bool queryIfComplete() const;
    void *cudaPtr() const;
};
struct StreamAccessor {
    static cudaStream_t getStream(const Stream &);
    static Stream wrapStream(cudaStream_t);
};
struct GpuMat {
    int flags, rows, cols;
    std::size_t step;
    uchar *data;
    int *refcount;
    uchar *datastart;
    const uchar *dataend;
    void *allocator;
    GpuMat();
    GpuMat(const GpuMat &);
    GpuMat(int, int, int);
    GpuMat(int, int, int, Scalar);
    GpuMat(int, int, int, void *, std::size_t = 0);
    GpuMat(Size, int);
    GpuMat(Size, int, Scalar);
    GpuMat(Size, int, void *, std::size_t = 0);
    GpuMat(const GpuMat &other, Rect part) : GpuMat(other) {
        data += part.y * step + part.x * elemSize();
    }
    explicit GpuMat(const Mat &);
    ~GpuMat();
    GpuMat &operator=(const GpuMat &);
    void create(int, int, int), create(Size, int), release();
    template <typename... Ts> void upload(Ts &&...);
    template <typename... Ts> void download(Ts &&...) const;
    template <typename... Ts> void copyTo(Ts &&...) const;
    template <typename... Ts> void convertTo(Ts &&...) const;
    template <typename... Ts> GpuMat &setTo(Ts &&...);
    GpuMat clone() const, reshape(int, int = 0) const;
    GpuMat operator()(Rect part) const { return GpuMat(*this, part); }
    GpuMat operator()(Range y, Range x) const { return rowRange(y).colRange(x); }
    GpuMat rowRange(Range y) const { return GpuMat(*this, Rect(0, y.start, cols, y.size())); }
    GpuMat colRange(Range x) const { return GpuMat(*this, Rect(x.start, 0, x.size(), rows)); }
    GpuMat rowRange(int y, int end) const { return rowRange(Range(y, end)); }
    GpuMat colRange(int x, int end) const { return colRange(Range(x, end)); }
    GpuMat row(int y) const { return rowRange(y, y + 1); }
    GpuMat col(int x) const { return colRange(x, x + 1); }
    uchar *ptr(int y = 0) { return data + y * step; }
    const uchar *ptr(int y = 0) const { return data + y * step; }
    template <typename T> T *ptr(int y = 0) { return (T *)(data + y * step); }
    template <typename T> const T *ptr(int y = 0) const { return (const T *)(data + y * step); }
    template <typename T> operator PtrStepSz<T>() const {
        return PtrStepSz<T>(rows, cols, (T *)data, step);
    }
    template <typename T> operator PtrStep<T>() const { return PtrStep<T>((T *)data, step); }
    bool isContinuous() const, empty() const;
    std::size_t elemSize() const, elemSize1() const, step1() const;
    int type() const, depth() const, channels() const;
    Size size() const;
    void *cudaPtr() const;
};
struct HostMem { Mat createMatHeader() const; GpuMat createGpuMatHeader() const; };
int getDevice(), getCudaEnabledDeviceCount();
void setDevice(int), resetDevice(), printShortCudaDeviceInfo(int);
void createContinuous(int, int, int, InputArray), ensureSizeIsEnough(int, int, int, InputArray);
}
namespace gpu {
using namespace cuda;
template <typename T> using DevMem2D_ = PtrStepSz<T>;
template <typename T> using PtrStep_ = PtrStep<T>;
typedef PtrStepSz<unsigned char> DevMem2D, DevMem2Db;
typedef PtrStepSz<float> DevMem2Df;
typedef PtrStepSz<int> DevMem2Di;
}
}
using cv::cvCeil, cv::cvFloor, cv::cvRound;
#endif
