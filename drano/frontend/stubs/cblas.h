/* BLAS's C interface, as far as host code around kernels calls it. */
#ifndef DRANO_CBLAS_H
#define DRANO_CBLAS_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#ifndef CBLAS_INDEX
#define CBLAS_INDEX size_t
#endif
typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef CBLAS_LAYOUT CBLAS_ORDER;
typedef enum CBLAS_TRANSPOSE {
    CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113, CblasConjNoTrans = 114
} CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

#define DRANO_CBLAS(P, T)                                                                          \
    T cblas_##P##dot(int, const T *, int, const T *, int);                                         \
    T cblas_##P##nrm2(int, const T *, int);                                                        \
    T cblas_##P##asum(int, const T *, int);                                                        \
    CBLAS_INDEX cblas_i##P##amax(int, const T *, int);                                             \
    void cblas_##P##axpy(int, T, const T *, int, T *, int);                                        \
    void cblas_##P##copy(int, const T *, int, T *, int);                                           \
    void cblas_##P##scal(int, T, T *, int);                                                        \
    void cblas_##P##swap(int, T *, int, T *, int);                                                 \
    void cblas_##P##gemv(CBLAS_ORDER, CBLAS_TRANSPOSE, int, int, T, const T *, int, const T *, int, \
                         T, T *, int);                                                             \
    void cblas_##P##ger(CBLAS_ORDER, int, int, T, const T *, int, const T *, int, T *, int);       \
    void cblas_##P##symv(CBLAS_ORDER, CBLAS_UPLO, int, T, const T *, int, const T *, int, T, T *,  \
                         int);                                                                     \
    void cblas_##P##trsv(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int, const T *, int, \
                         T *, int);                                                                \
    void cblas_##P##gemm(CBLAS_ORDER, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, int, int, int, T,          \
                         const T *, int, const T *, int, T, T *, int);                             \
    void cblas_##P##symm(CBLAS_ORDER, CBLAS_SIDE, CBLAS_UPLO, int, int, T, const T *, int,         \
                         const T *, int, T, T *, int);                                             \
    void cblas_##P##syrk(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, int, int, T, const T *, int, T, \
                         T *, int);                                                                \
    void cblas_##P##trsm(CBLAS_ORDER, CBLAS_SIDE, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int,    \
                         int, T, const T *, int, T *, int);
DRANO_CBLAS(s, float)
DRANO_CBLAS(d, double)
#undef DRANO_CBLAS
#ifdef __cplusplus
}
#endif
#endif
