// Arithmetic with a rounding of its own: each operation to nearest, to zero, up and down, in float and in double.
#include <cfenv>

#include "feature.h"

constexpr int kOperations = 6;

__global__ void Floats(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = y[i];
  float* row = out + 4 * kOperations * i;
  row[0] = __fadd_rn(a, b), row[1] = __fadd_rz(a, b), row[2] = __fadd_ru(a, b), row[3] = __fadd_rd(a, b);
  row[4] = __fmul_rn(a, b), row[5] = __fmul_rz(a, b), row[6] = __fmul_ru(a, b), row[7] = __fmul_rd(a, b);
  row[8] = __fdiv_rn(a, b), row[9] = __fdiv_rz(a, b), row[10] = __fdiv_ru(a, b), row[11] = __fdiv_rd(a, b);
  row[12] = __fsqrt_rn(b), row[13] = __fsqrt_rz(b), row[14] = __fsqrt_ru(b), row[15] = __fsqrt_rd(b);
  row[16] = __fmaf_rn(a, b, a), row[17] = __fmaf_rz(a, b, a), row[18] = __fmaf_ru(a, b, a),
  row[19] = __fmaf_rd(a, b, a);
  row[20] = __frcp_rn(b), row[21] = __frcp_rz(b), row[22] = __frcp_ru(b), row[23] = __frcp_rd(b);
}

__global__ void Doubles(const float* x, const float* y, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = x[i] / 3.0, b = y[i] * 1.1;
  double* row = out + 4 * kOperations * i;
  row[0] = __dadd_rn(a, b), row[1] = __dadd_rz(a, b), row[2] = __dadd_ru(a, b), row[3] = __dadd_rd(a, b);
  row[4] = __dmul_rn(a, b), row[5] = __dmul_rz(a, b), row[6] = __dmul_ru(a, b), row[7] = __dmul_rd(a, b);
  row[8] = __ddiv_rn(a, b), row[9] = __ddiv_rz(a, b), row[10] = __ddiv_ru(a, b), row[11] = __ddiv_rd(a, b);
  row[12] = __dsqrt_rn(b), row[13] = __dsqrt_rz(b), row[14] = __dsqrt_ru(b), row[15] = __dsqrt_rd(b);
  row[16] = __fma_rn(a, b, a), row[17] = __fma_rz(a, b, a), row[18] = __fma_ru(a, b, a), row[19] = __fma_rd(a, b, a);
  row[20] = __drcp_rn(b), row[21] = __drcp_rz(b), row[22] = __drcp_ru(b), row[23] = __drcp_rd(b);
}

// The host's own unit, its rounding switched: volatile, so that nothing is computed beforehand.
template <typename T>
void Row(T* row, T a_value, T b_value) {
  volatile T a = a_value, b = b_value, one = 1;
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (int m = 0; m < 4; ++m) {
    std::fesetround(modes[m]);
    volatile T sum = a + b, product = a * b, quotient = a / b, root = std::sqrt(b), fused = std::fma(a, b, a),
               reciprocal = one / b;
    std::fesetround(FE_TONEAREST);
    row[m] = sum, row[4 + m] = product, row[8 + m] = quotient, row[12 + m] = root, row[16 + m] = fused;
    row[20 + m] = reciprocal;
  }
}

int main() {
  constexpr int kCount = 300, kResults = 4 * kOperations * kCount;
  static float x[kCount], y[kCount], got[kResults], want[kResults];
  static double wide_got[kResults], wide_want[kResults];
  for (int i = 0; i < kCount; ++i) {
    x[i] = (MixUnit(i) - 0.5f) * 100;
    y[i] = MixUnit(i + kCount) + 0.001f;
    Row<float>(want + 4 * kOperations * i, x[i], y[i]);
    Row<double>(wide_want + 4 * kOperations * i, x[i] / 3.0, y[i] * 1.1);
  }
  DeviceArray<float> d_x(x, kCount), d_y(y, kCount), d_out(kResults);
  DeviceArray<double> d_wide(kResults);
  Floats<<<3, 100>>>(d_x, d_y, d_out, kCount);
  Doubles<<<3, 100>>>(d_x, d_y, d_wide, kCount);
  FINISH();
  d_out.CopyTo(got);
  d_wide.CopyTo(wide_got);
  ExpectSame("float results", got, want, kResults);
  ExpectSame("double results", wide_got, wide_want, kResults);
  Out(got, sizeof got);
  Out(wide_got, sizeof wide_got);
  return Verdict();
}
