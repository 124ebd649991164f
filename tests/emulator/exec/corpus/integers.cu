// Integer intrinsics: bits and bytes, SIMD within a word, 24-bit and high products, 128-bit integers.
#include <cstdint>

extern "C" __global__ void bits(const unsigned* in, unsigned* out) {
  unsigned a = in[0], b = in[1], c = in[2];
  unsigned long long w = (static_cast<unsigned long long>(a) << 32) | b;
  int k = 0;
  out[k++] = __brev(a);
  out[k++] = static_cast<unsigned>(__brevll(w) >> 7);
  out[k++] = __clz(static_cast<int>(a)) + __clzll(static_cast<long long>(w));
  out[k++] = __ffs(static_cast<int>(a)) + __ffsll(static_cast<long long>(w));
  out[k++] = __popc(a) + __popcll(w);
  out[k++] = __fns(a, b & 31, static_cast<int>(c % 5));
  out[k++] = __fns(a, b & 31, -static_cast<int>(c % 5));
  out[k++] = __byte_perm(a, b, c);
  out[k++] = __byte_perm(a, b, 0x5140);
  out[k++] =
      __funnelshift_l(a, b, c) ^ __funnelshift_lc(a, b, c) ^ __funnelshift_r(a, b, c) ^ __funnelshift_rc(a, b, c);
  out[k++] = __mul24(static_cast<int>(a), static_cast<int>(b));
  out[k++] = __umul24(a, b);
  out[k++] = __mulhi(static_cast<int>(a), static_cast<int>(b)) + __umulhi(a, b);
  out[k++] = static_cast<unsigned>(__mul64hi(static_cast<long long>(w), 12345678901ll) + __umul64hi(w, 12345678901ull));
  out[k++] = __sad(static_cast<int>(a), static_cast<int>(b), c) + __usad(a, b, c);
  out[k++] = __hadd(static_cast<int>(a), static_cast<int>(b)) + __rhadd(static_cast<int>(a), static_cast<int>(b));
  out[k++] = __uhadd(a, b) + __urhadd(a, b);
  out[k++] = __dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + __dp4a(a, b, c);
  out[k++] = __dp2a_lo(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + __dp2a_hi(a, b, c) +
             __dp2a_lo(a, b, c) + __dp2a_hi(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c));
  out[k++] = a ? b % a + b / a : 0;
  out[k++] = (a & b) | (~a & c);
  out[k++] = static_cast<unsigned>(static_cast<int>(a) >> (b & 31)) + (a << (c & 31));
  out[k++] = min(static_cast<int>(a), static_cast<int>(b)) + max(a, b) + abs(static_cast<int>(c));
  out[k++] =
      static_cast<unsigned>(llabs(static_cast<long long>(w)) + llmin(static_cast<long long>(w), 5ll) + ullmax(w, 7ull));
  uint8_t bytes = static_cast<uint8_t>(a) + static_cast<uint8_t>(b);
  int16_t shorts = static_cast<int16_t>(a) * static_cast<int16_t>(b);
  uint16_t ushorts = static_cast<uint16_t>(a) / static_cast<uint16_t>((b & 0xFF) + 1);
  out[k++] = bytes + shorts + ushorts + static_cast<int8_t>(c) % static_cast<int8_t>((b & 0x3F) + 1);
}
#define SIMD(suffix)                                                                                                \
  out[k++] = __vadd##suffix(a, b);                                                                                  \
  out[k++] = __vaddss##suffix(a, b);                                                                                \
  out[k++] = __vaddus##suffix(a, b);                                                                                \
  out[k++] = __vsub##suffix(a, b);                                                                                  \
  out[k++] = __vsubss##suffix(a, b);                                                                                \
  out[k++] = __vsubus##suffix(a, b);                                                                                \
  out[k++] = __vabs##suffix(a);                                                                                     \
  out[k++] = __vabsss##suffix(a);                                                                                   \
  out[k++] = __vabsdiffs##suffix(a, b);                                                                             \
  out[k++] = __vabsdiffu##suffix(a, b);                                                                             \
  out[k++] = __vavgs##suffix(a, b);                                                                                 \
  out[k++] = __vavgu##suffix(a, b);                                                                                 \
  out[k++] = __vhaddu##suffix(a, b);                                                                                \
  out[k++] = __vmins##suffix(a, b);                                                                                 \
  out[k++] = __vminu##suffix(a, b);                                                                                 \
  out[k++] = __vmaxs##suffix(a, b);                                                                                 \
  out[k++] = __vmaxu##suffix(a, b);                                                                                 \
  out[k++] = __vneg##suffix(a);                                                                                     \
  out[k++] = __vnegss##suffix(a);                                                                                   \
  out[k++] = __vsads##suffix(a, b);                                                                                 \
  out[k++] = __vsadu##suffix(a, b);                                                                                 \
  out[k++] = __vcmpeq##suffix(a, b) ^ __vcmpne##suffix(a, b);                                                       \
  out[k++] = __vcmpges##suffix(a, b) ^ __vcmpgts##suffix(a, b) ^ __vcmples##suffix(a, b) ^ __vcmplts##suffix(a, b); \
  out[k++] = __vcmpgeu##suffix(a, b) ^ __vcmpgtu##suffix(a, b) ^ __vcmpleu##suffix(a, b) ^ __vcmpltu##suffix(a, b); \
  out[k++] = __vseteq##suffix(a, b) ^ __vsetne##suffix(a, b);                                                       \
  out[k++] = __vsetges##suffix(a, b) ^ __vsetgts##suffix(a, b) ^ __vsetles##suffix(a, b) ^ __vsetlts##suffix(a, b); \
  out[k++] = __vsetgeu##suffix(a, b) ^ __vsetgtu##suffix(a, b) ^ __vsetleu##suffix(a, b) ^ __vsetltu##suffix(a, b)
extern "C" __global__ void simd2(const unsigned* in, unsigned* out) {
  unsigned a = in[0], b = in[1];
  int k = 0;
  SIMD(2);
}
extern "C" __global__ void simd4(const unsigned* in, unsigned* out) {
  unsigned a = in[0], b = in[1];
  int k = 0;
  SIMD(4);
}
extern "C" __global__ void simd_fused(const unsigned* in, unsigned* out) {
  unsigned a = in[0], b = in[1], c = in[2];
  int k = 0;
  bool high, low;
  out[k++] = __viaddmax_s32(a, b, c) + __viaddmin_u32(a, b, c) + __vimax3_s32(a, b, c) + __vimin3_u32(a, b, c);
  out[k++] = __viaddmax_s16x2(a, b, c) + __viaddmin_u16x2(a, b, c) + __vimax3_s16x2(a, b, c) + __vimin3_u16x2(a, b, c);
  out[k++] = __viaddmax_s16x2_relu(a, b, c) + __vimax_s16x2_relu(a, b) + __vimin3_s32_relu(a, b, c);
  out[k++] = __vibmax_s16x2(a, b, &high, &low) + high * 2 + low;
  out[k++] = __vibmin_u32(a, b, &high) + high;
}
// The video instructions, which no intrinsic makes.
#define VIDEO(op) asm(op " %0, %1, %2, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c))
extern "C" __global__ void video(const unsigned* in, unsigned* out) {
  unsigned a = in[0], b = in[1], c = in[2];
  int k = 0;
  asm("vadd.s32.s32.s32 %0, %1.b1, %2.h0;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("vsub.s32.u32.u32.sat %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("vabsdiff.u32.u32.u32.add %0, %1.b3, %2.b2, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  asm("vmin.s32.s32.s32.max %0, %1.h1, %2.b0, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  asm("vmax.u32.u32.u32 %0.b2, %1.b1, %2.b0, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  asm("vshl.u32.u32.u32.wrap %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("vshr.s32.s32.u32.clamp.add %0, %1, %2, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  asm("vmad.u32.u32.u32.shr7 %0, %1.b0, %2.b1, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  asm("vmad.s32.s32.s32.sat %0, %1.h0, -%2.h1, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  asm("vset.s32.u32.lt %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("vset.u32.u32.ge.add %0, %1.b0, %2.b1, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  VIDEO("vadd2.s32.s32.s32.sat");
  VIDEO("vadd2.u32.u32.u32.add");
  VIDEO("vsub2.s32.s32.s32");
  VIDEO("vavrg2.s32.s32.s32");
  VIDEO("vabsdiff2.u32.u32.u32.add");
  VIDEO("vmin2.s32.s32.s32");
  VIDEO("vmax2.u32.u32.u32");
  VIDEO("vset2.s32.s32.lt");
  VIDEO("vadd4.s32.s32.s32.sat");
  VIDEO("vsub4.u32.u32.u32");
  VIDEO("vavrg4.u32.u32.u32");
  VIDEO("vabsdiff4.s32.s32.s32.add");
  VIDEO("vmin4.u32.u32.u32");
  VIDEO("vmax4.s32.s32.s32");
  VIDEO("vset4.u32.u32.ge.add");
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(out[k++]) : "r"(a), "r"(b & 31), "r"(c));
  asm("mad24.hi.s32 %0, %1, %2, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
  asm("mul24.hi.u32 %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("{.reg .pred p, q; setp.lt.u32 q, %1, %2; lop3.or.b32 %0|p, %1, %2, %3, 0x96, q; @p add.u32 %0, %0, 1;}"
      : "=r"(out[k++])
      : "r"(a), "r"(b), "r"(c));
#if __CUDA_ARCH__ >= 720
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(out[k++]) : "r"(a), "r"(b));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out[k++]) : "r"(a), "r"(b), "r"(c));
#endif
}
extern "C" __global__ void wide128(const unsigned long long* in, unsigned long long* out) {
  unsigned __int128 a = (static_cast<unsigned __int128>(in[0]) << 64) | in[1];
  unsigned __int128 b = (static_cast<unsigned __int128>(in[2]) << 64) | in[3];
  __int128 s = static_cast<__int128>(a);
  unsigned __int128 r[8] = {a + b,
                            a - b,
                            a * b,
                            b != 0 ? a / b : 0,
                            b != 0 ? a % b : 0,
                            static_cast<unsigned __int128>(s >> (in[3] & 127)) ^ (a << (in[1] & 127)),
                            a < b ? a : b,
                            static_cast<unsigned __int128>(s / 7)};
  for (int k = 0; k < 8; ++k) {
    out[2 * k] = static_cast<unsigned long long>(r[k] >> 64);
    out[2 * k + 1] = static_cast<unsigned long long>(r[k]);
  }
}
