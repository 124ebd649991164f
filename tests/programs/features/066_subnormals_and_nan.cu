// The far ends of IEEE arithmetic: subnormals, signed zeros, infinities and NaN, in comparison, minimum and arithmetic.
#include "feature.h"

constexpr int kColumns = 8;

__host__ __device__ int Classify(float x) {
  return (x < 0) + 2 * (x == 0) + 4 * (x > 0) + 8 * (x != x) + 16 * !(x <= 1) + 32 * (fabsf(x) > 3e38f) +
         64 * (x == x && x - x == 0);
}

__global__ void Extremes(const float* x, unsigned* out, int* classes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n) return;
  const float a = x[i / n], b = x[i % n];
  unsigned* row = out + kColumns * i;
  row[0] = __float_as_uint(__fadd_rn(a, b));
  row[1] = __float_as_uint(__fmul_rn(a, b));
  row[2] = __float_as_uint(__fdiv_rn(a, b));
  row[3] = __float_as_uint(fminf(a, b));
  row[4] = __float_as_uint(fmaxf(a, b));
  row[5] = __float_as_uint(__fmaf_rn(a, b, b));
  row[6] = __float_as_uint(__fsqrt_rn(a));
  row[7] = __float_as_uint(copysignf(a, b));
  classes[i] = Classify(a) + 1000 * (a < b) + 2000 * (a == b) + 4000 * (a != a || b != b);
}

// All NaN are one: which of them arithmetic gives is the device's own choice.
unsigned Bits(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return x == x ? bits : 0x7fffffffu;
}

int main() {
  constexpr int kCount = 14, kPairs = kCount * kCount;
  const float infinity = INFINITY;
  const float x[kCount] = {0.0f,    -0.0f,    1.0f,     -1.5f,     1e-45f,         -3e-40f, 1.17549435e-38f,
                           3.4e38f, -3.4e38f, infinity, -infinity, 1.1754942e-38f, 2.0f,    NAN};
  static unsigned got[kColumns * kPairs], want[kColumns * kPairs];
  static int classes[kPairs], wanted_classes[kPairs];
  for (int i = 0; i < kPairs; ++i) {
    volatile float a = x[i / kCount], b = x[i % kCount];
    unsigned* row = want + kColumns * i;
    // Of zeros with different signs the device takes -0 as the lesser.
    const bool zeros = a == 0 && b == 0;
    row[0] = Bits(a + b);
    row[1] = Bits(a * b);
    row[2] = Bits(a / b);
    row[3] = Bits(zeros ? (std::signbit(a) ? a : b) : std::fmin(a, b));
    row[4] = Bits(zeros ? (std::signbit(a) ? b : a) : std::fmax(a, b));
    row[5] = Bits(std::fma(a, b, b));
    row[6] = Bits(std::sqrt(a));
    unsigned magnitude, sign;  // this one is no arithmetic and keeps a NaN's bits
    float first = a, second = b;
    std::memcpy(&magnitude, &first, 4);
    std::memcpy(&sign, &second, 4);
    row[7] = (magnitude & 0x7fffffffu) | (sign & 0x80000000u);
    wanted_classes[i] = Classify(a) + 1000 * (a < b) + 2000 * (a == b) + 4000 * (a != a || b != b);
  }
  DeviceArray<float> d_x(x, kCount);
  DeviceArray<unsigned> d_out(kColumns * kPairs);
  DeviceArray<int> d_classes(kPairs);
  Extremes<<<2, 128>>>(d_x, d_out, d_classes, kCount);
  FINISH();
  d_out.CopyTo(got);
  for (int i = 0; i < kColumns * kPairs; ++i) {
    if (i % kColumns != 7 && (got[i] & 0x7fffffffu) > 0x7f800000u) got[i] = 0x7fffffffu;
  }
  d_classes.CopyTo(classes);
  ExpectSame("bits (eight for each pair)", got, want, kColumns * kPairs);
  ExpectSame("classes", classes, wanted_classes, kPairs);
  Out(got, sizeof got);
  Out(classes, sizeof classes);
  return Verdict();
}
