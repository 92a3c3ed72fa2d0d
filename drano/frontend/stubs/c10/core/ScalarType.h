/* Stands in for PyTorch's element types. */
#ifndef DRANO_STUB_C10_SCALARTYPE_H
#define DRANO_STUB_C10_SCALARTYPE_H
#include "../util/BFloat16.h"
#include "../util/Exception.h"
#include "../util/Half.h"
#include "../util/complex.h"
/* X(C++ type, name, number) */
#define DRANO_SCALAR_TYPES(X) \
    X(uint8_t, Byte, 0) X(int8_t, Char, 1) X(int16_t, Short, 2) X(int, Int, 3) X(int64_t, Long, 4) \
    X(c10::Half, Half, 5) X(float, Float, 6) X(double, Double, 7) \
    X(c10::complex<c10::Half>, ComplexHalf, 8) X(c10::complex<float>, ComplexFloat, 9) \
    X(c10::complex<double>, ComplexDouble, 10) X(bool, Bool, 11) X(c10::qint8, QInt8, 12) \
    X(c10::quint8, QUInt8, 13) X(c10::qint32, QInt32, 14) X(c10::BFloat16, BFloat16, 15) \
    X(c10::quint4x2, QUInt4x2, 16) X(c10::quint2x4, QUInt2x4, 17) X(c10::bits1x8, Bits1x8, 18) \
    X(c10::bits2x4, Bits2x4, 19) X(c10::bits4x2, Bits4x2, 20) X(c10::bits8, Bits8, 21) \
    X(c10::bits16, Bits16, 22) X(c10::Float8_e5m2, Float8_e5m2, 23) X(c10::Float8_e4m3fn, Float8_e4m3fn, 24) \
    X(c10::Float8_e5m2fnuz, Float8_e5m2fnuz, 25) X(c10::Float8_e4m3fnuz, Float8_e4m3fnuz, 26) \
    X(uint16_t, UInt16, 27) X(uint32_t, UInt32, 28) X(uint64_t, UInt64, 29)
namespace c10 {
struct qint8 { int8_t val_; };
struct quint8 { uint8_t val_; };
struct qint32 { int val_; };
struct quint4x2 { uint8_t val_; };
struct quint2x4 { uint8_t val_; };
struct bits1x8 { uint8_t val_; };
struct bits2x4 { uint8_t val_; };
struct bits4x2 { uint8_t val_; };
struct bits8 { uint8_t val_; };
struct bits16 { uint16_t val_; };
#define DRANO_FLOAT8(T) \
    struct T { \
        uint8_t x; \
        T() = default; \
        C10_HOST_DEVICE explicit T(float); \
        C10_HOST_DEVICE operator float() const; \
    };
DRANO_FLOAT8(Float8_e5m2) DRANO_FLOAT8(Float8_e4m3fn)
DRANO_FLOAT8(Float8_e5m2fnuz) DRANO_FLOAT8(Float8_e4m3fnuz)
#undef DRANO_FLOAT8
enum class ScalarType : int8_t {
#define DRANO_X(type, name, number) name = number,
    DRANO_SCALAR_TYPES(DRANO_X)
#undef DRANO_X
    Undefined = 44,
    NumOptions
};
namespace impl {
template <ScalarType> struct ScalarTypeToCPPType;
template <ScalarType S> using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<S>::type;
}
template <typename T> struct CppTypeToScalarType;
#define DRANO_X(cpp, name, number) \
    template <> struct impl::ScalarTypeToCPPType<ScalarType::name> { using type = cpp; }; \
    template <> struct CppTypeToScalarType<cpp> \
        : std::integral_constant<ScalarType, ScalarType::name> {}; \
    constexpr ScalarType k##name = ScalarType::name;
DRANO_SCALAR_TYPES(DRANO_X)
#undef DRANO_X
constexpr ScalarType kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble, kUInt8 = kByte,
                     kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong;
size_t elementSize(ScalarType);
const char *toString(ScalarType);
bool isFloatingType(ScalarType), isIntegralType(ScalarType, bool includeBool = false),
    isComplexType(ScalarType), isReducedFloatingType(ScalarType);
ScalarType promoteTypes(ScalarType, ScalarType), toOpMathType(ScalarType);
}
namespace at { using namespace c10; }
namespace torch { using namespace at; using Dtype = c10::ScalarType; }
#endif
