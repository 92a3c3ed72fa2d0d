/* Included after all that drano puts in front, in a unit that lacks the header which declares the
 * names DRANO_MISSES_…: see headers/integer_names.py. */
#ifdef DRANO_MISSES_int8
typedef signed char int8;
#endif
#ifdef DRANO_MISSES_s8
typedef signed char s8;
#endif
#ifdef DRANO_MISSES_i8
typedef signed char i8;
#endif
#ifdef DRANO_MISSES_uint8
typedef unsigned char uint8;
#endif
#ifdef DRANO_MISSES_u8
typedef unsigned char u8;
#endif
#ifdef DRANO_MISSES_int16
typedef short int16;
#endif
#ifdef DRANO_MISSES_s16
typedef short s16;
#endif
#ifdef DRANO_MISSES_i16
typedef short i16;
#endif
#ifdef DRANO_MISSES_uint16
typedef unsigned short uint16;
#endif
#ifdef DRANO_MISSES_u16
typedef unsigned short u16;
#endif
#ifdef DRANO_MISSES_int32
typedef int int32;
#endif
#ifdef DRANO_MISSES_s32
typedef int s32;
#endif
#ifdef DRANO_MISSES_i32
typedef int i32;
#endif
#ifdef DRANO_MISSES_uint32
typedef unsigned int uint32;
#endif
#ifdef DRANO_MISSES_u32
typedef unsigned int u32;
#endif
#ifdef DRANO_MISSES_int64
typedef long int64;
#endif
#ifdef DRANO_MISSES_s64
typedef long s64;
#endif
#ifdef DRANO_MISSES_i64
typedef long i64;
#endif
#ifdef DRANO_MISSES_uint64
typedef unsigned long uint64;
#endif
#ifdef DRANO_MISSES_u64
typedef unsigned long u64;
#endif
#ifdef DRANO_MISSES_uchar
typedef unsigned char uchar;
#endif
#ifdef DRANO_MISSES_ushort
typedef unsigned short ushort;
#endif
#ifdef DRANO_MISSES_uint
typedef unsigned int uint;
#endif
#ifdef DRANO_MISSES_ulong
typedef unsigned long ulong;
#endif
