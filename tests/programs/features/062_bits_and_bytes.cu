// Bits and bytes: population, leading zeros, first set, reversal, permuted bytes, funnel shifts, fields and packed
// bytes.
#include "feature.h"

constexpr int kColumns = 12;

__global__ void Bits(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = in[i], b = in[(i + 1) % n], s = i % 40;
  unsigned* row = out + kColumns * i;
  row[0] = __popc(a) + 100 * __popcll(static_cast<unsigned long long>(a) << 32 | b);
  row[1] =
      __clz(i % 33 == 32 ? 0 : a >> (i % 33)) + 100 * __clzll(static_cast<unsigned long long>(a) << 32 >> (i % 64));
  row[2] = __ffs(a << s % 32) + 100 * __ffsll(static_cast<unsigned long long>(b) << s);
  row[3] = __brev(a);
  row[4] = __brevll(static_cast<unsigned long long>(a) << 32 | b) >> 16;
  row[5] = __byte_perm(a, b, 0x3614);
  row[6] = __byte_perm(a, b, (i * 0x1234567u) & 0x7777);
  row[7] = __funnelshift_l(a, b, s) ^ __funnelshift_r(a, b, s);
  row[8] = __funnelshift_lc(a, b, s) ^ __funnelshift_rc(a, b, s);
  asm("bfe.u32 %0, %1, %2, 9;" : "=r"(row[9]) : "r"(a), "r"(s % 32));
  asm("bfi.b32 %0, %1, %2, %3, 7;" : "=r"(row[10]) : "r"(a), "r"(b), "r"(s % 32));
  row[11] = __vadd4(a, b) ^ __vmaxu4(a, b) ^ __vabsdiffu4(a, b);
}

void Row(unsigned* row, unsigned a, unsigned b, int i) {
  const unsigned s = i % 40, w = s % 32, c = s < 32 ? s : 32;
  const uint64_t ab = static_cast<uint64_t>(a) << 32 | b, ba = static_cast<uint64_t>(b) << 32 | a;
  const auto clz = [](uint64_t x, int bits) { return x == 0 ? bits : __builtin_clzll(x) - (64 - bits); };
  const auto reversed = [](uint64_t x) {
    uint64_t r = 0;
    for (int k = 0; k < 64; ++k) r |= (x >> k & 1) << (63 - k);
    return r;
  };
  const auto permuted = [&](unsigned selector) {
    unsigned r = 0;
    for (int k = 0; k < 4; ++k) r |= static_cast<unsigned>(ba >> (8 * (selector >> (4 * k) & 7)) & 255) << (8 * k);
    return r;
  };
  row[0] = __builtin_popcount(a) + 100 * __builtin_popcountll(ab);
  row[1] = clz(i % 33 == 32 ? 0 : a >> (i % 33), 32) + 100 * clz(static_cast<uint64_t>(a) << 32 >> (i % 64), 64);
  row[2] = __builtin_ffs(a << w) + 100 * __builtin_ffsll(static_cast<uint64_t>(b) << s);
  row[3] = reversed(a) >> 32;
  row[4] = static_cast<unsigned>(reversed(ab) >> 16);
  row[5] = permuted(0x3614);
  row[6] = permuted((i * 0x1234567u) & 0x7777);
  row[7] = static_cast<unsigned>(ba << w >> 32) ^ static_cast<unsigned>(ba >> w);
  row[8] = static_cast<unsigned>((ba << (c / 2) << (c - c / 2)) >> 32) ^ static_cast<unsigned>(ba >> c);
  row[9] = (a >> w) & 511;
  const unsigned field = 127u << w;
  row[10] = (b & ~field) | (a << w & field);
  row[11] = 0;
  for (int k = 0; k < 32; k += 8) {
    const unsigned x = a >> k & 255, y = b >> k & 255;
    row[11] |= (((x + y) & 255) ^ (x > y ? x : y) ^ (x > y ? x - y : y - x)) << k;
  }
}

int main() {
  constexpr int kCount = 400;
  static unsigned in[kCount], got[kColumns * kCount], want[kColumns * kCount];
  for (int i = 0; i < kCount; ++i) in[i] = i % 50 == 0 ? 0 : Mix(i) >> (i % 7);
  for (int i = 0; i < kCount; ++i) Row(want + kColumns * i, in[i], in[(i + 1) % kCount], i);
  DeviceArray<unsigned> d_in(in, kCount), d_out(kColumns * kCount);
  Bits<<<4, 100>>>(d_in, d_out, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("bits (twelve a row)", got, want, kColumns * kCount);
  Out(got, sizeof got);
  return Verdict();
}
