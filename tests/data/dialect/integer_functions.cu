// Integer, dot product and SIMD-in-a-word functions.
__global__ void integers(int *out, unsigned *uout, short2 s2, char4 c4, uchar4 uc4, ushort2 us2) {
  int i = threadIdx.x, a = out[i], b = out[i + 1]; unsigned u = uout[i], w = uout[i + 1];
  a += __dp4a(a, b, 3) + __dp4a(c4, c4, 3) + __dp2a_lo(a, b, 1) + __dp2a_hi(a, b, 1) + __dp2a_lo(s2, c4, 1);
  u += __dp4a(u, w, 3u) + __dp4a(uc4, uc4, 3u) + __dp2a_lo(u, w, 1u) + __dp2a_hi(us2, uc4, 1u);
  u += __vabs2(u) + __vabs4(u) + __vabsdiffs2(u, w) + __vabsdiffs4(u, w) + __vabsdiffu2(u, w) + __vabsdiffu4(u, w);
  u += __vadd2(u, w) + __vadd4(u, w) + __vaddss2(u, w) + __vaddss4(u, w) + __vaddus4(u, w) + __vavgs4(u, w) + __vavgu4(u, w);
  u += __vcmpeq4(u, w) + __vcmpgts4(u, w) + __vcmpne4(u, w) + __vcmpgtu2(u, w) + __vhaddu4(u, w) + __vmaxs4(u, w) + __vmaxu2(u, w);
  u += __vmins2(u, w) + __vminu4(u, w) + __vneg2(u) + __vnegss4(u) + __vsads4(u, w) + __vsadu4(u, w) + __vseteq4(u, w);
  u += __vsetgts2(u, w) + __vsub2(u, w) + __vsub4(u, w) + __vsubss4(u, w) + __vsubus2(u, w) + __vcmpleu4(u, w);
  a += __viaddmax_s32(a, b, 1) + __viaddmin_s32(a, b, 1) + __vimax3_s32(a, b, 1) + __vimin3_s32(a, b, 1) + __vimax3_s32_relu(a, b, 1);
  u += __viaddmax_u32(u, w, 1) + __viaddmax_s16x2(u, w, 1) + __vimax3_u16x2(u, w, 2) + __vimax_s32_relu(a, b);
  a += __mul24(a, b) + __mulhi(a, b) + __sad(a, b, 1u) + __clz(a) + __ffs(a) + __popc(u) + __brev(u) + __byte_perm(u, w, 0x3210);
  a += __usad(u, w, 1) + __umulhi(u, w) + __hadd(a, b) + __rhadd(a, b) + __uhadd(u, w) + __funnelshift_l(u, w, 3) + __funnelshift_rc(u, w, 3);
  long long l = __mul64hi(a, b) + __clzll(a) + __popcll(u) + __ffsll((long long)a) + __brevll(u) + __umul64hi(u, w) + __umul24(u, w);
  bool p, q; u += __vibmax_s32(a, b, &p) + __vibmin_u16x2(u, w, &p, &q);
  out[i] = a + (int)l + min(a, b) + max(u, w) + abs(a) + llabs(l) + labs((long)l) + llmin(l, 3ll) + umax(u, w) + p + q; uout[i] = u;
}
