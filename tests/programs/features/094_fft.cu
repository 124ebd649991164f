// A fast Fourier transform of 256 complex numbers in one block: bit-reversed order, then eight rounds of butterflies.
#include "feature.h"

constexpr int kSize = 256, kBits = 8;

__global__ void Transform(const float2* in, float2* out) {
  __shared__ float2 data[kSize];
  const int t = threadIdx.x;  // one of 128, with two elements
  const float2* signal = in + blockIdx.x * kSize;
  for (int i = t; i < kSize; i += kSize / 2) data[__brev(i) >> (32 - kBits)] = signal[i];
  for (int half = 1; half < kSize; half *= 2) {
    __syncthreads();
    const int k = t % half, i = 2 * t - k;
    float sine, cosine;
    sincospif(-static_cast<float>(k) / half, &sine, &cosine);
    const float2 a = data[i], b = data[i + half];
    const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    data[i] = make_float2(a.x + turned.x, a.y + turned.y);
    data[i + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  for (int i = t; i < kSize; i += kSize / 2) out[blockIdx.x * kSize + i] = data[i];
}

int main() {
  constexpr int kSignals = 3, kCount = kSignals * kSize;
  static float in[2 * kCount], got[2 * kCount];
  static double want[2 * kCount];
  for (int i = 0; i < 2 * kCount; ++i) in[i] = MixUnit(i) - 0.5f;
  for (int s = 0; s < kSignals; ++s) {
    const float* signal = in + 2 * s * kSize;
    for (int f = 0; f < kSize; ++f) {
      double re = 0, im = 0;
      for (int i = 0; i < kSize; ++i) {
        const double angle = -2 * 3.14159265358979323846 * (f * i % kSize) / kSize;
        re += signal[2 * i] * std::cos(angle) - signal[2 * i + 1] * std::sin(angle);
        im += signal[2 * i] * std::sin(angle) + signal[2 * i + 1] * std::cos(angle);
      }
      want[2 * (s * kSize + f)] = re;
      want[2 * (s * kSize + f) + 1] = im;
    }
  }
  DeviceArray<float> d_in(in, 2 * kCount), d_out(2 * kCount);
  Transform<<<kSignals, kSize / 2>>>(reinterpret_cast<float2*>(d_in.get()), reinterpret_cast<float2*>(d_out.get()));
  FINISH();
  d_out.CopyTo(got);
  ExpectNear("spectrum", got, want, 2 * kCount, 1e-5);
  for (int k = 0; k < 8; ++k) Approx(std::hypot(got[2 * k], got[2 * k + 1]));
  return Verdict();
}
