/* Names of glibc's by which the host code in NVIDIA's crt/math_functions.hpp calls these. */
#include_next <math.h>
#ifndef DRANO_AS_GLIBC_MATH_H
#define DRANO_AS_GLIBC_MATH_H
#ifdef __cplusplus
extern "C" {
#endif
int __finite(double);
int __finitef(float);
int __finitel(long double);
int __isinf(double);
int __isinff(float);
int __isinfl(long double);
int __isnan(double);
int __isnanf(float);
int __isnanl(long double);
int __signbit(double);
int __signbitf(float);
int __signbitl(long double);
#ifdef __cplusplus
}
#endif
#endif
