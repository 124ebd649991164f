// The Black-Scholes formula: prices of options by exponentials, logarithms and the error function in single precision.
#include "feature.h"

template <typename T>
__host__ __device__ void Price(T spot, T strike, T years, T* call, T* put) {
  const T rate = T(0.02), volatility = T(0.3);
  const T root = sqrt(years);
  const T d1 = (log(spot / strike) + (rate + T(0.5) * volatility * volatility) * years) / (volatility * root);
  const T d2 = d1 - volatility * root;
  const auto normal = [](T d) { return T(0.5) * erfc(-d * T(0.70710678118654752)); };
  const T discounted = strike * exp(-rate * years);
  *call = spot * normal(d1) - discounted * normal(d2);
  *put = discounted * normal(-d2) - spot * normal(-d1);
}

__global__ void Prices(const float* spots, const float* strikes, const float* years, float* calls, float* puts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) Price(spots[i], strikes[i], years[i], &calls[i], &puts[i]);
}

int main() {
  constexpr int kCount = 2000;
  static float spots[kCount], strikes[kCount], years[kCount], calls[kCount], puts[kCount];
  static double wanted_calls[kCount], wanted_puts[kCount];
  for (int i = 0; i < kCount; ++i) {
    spots[i] = 5 + 25 * MixUnit(i);
    strikes[i] = 1 + 99 * MixUnit(i + kCount);
    years[i] = 0.25f + 9.75f * MixUnit(i + 2 * kCount);
    Price<double>(spots[i], strikes[i], years[i], &wanted_calls[i], &wanted_puts[i]);
  }
  DeviceArray<float> d_spots(spots, kCount), d_strikes(strikes, kCount), d_years(years, kCount), d_calls(kCount),
      d_puts(kCount);
  Prices<<<(kCount + 127) / 128, 128>>>(d_spots, d_strikes, d_years, d_calls, d_puts, kCount);
  FINISH();
  d_calls.CopyTo(calls);
  d_puts.CopyTo(puts);
  ExpectNear("calls", calls, wanted_calls, kCount, 1e-4);  // differences of numbers up to 100
  ExpectNear("puts", puts, wanted_puts, kCount, 1e-4);
  double sum = 0, sum_puts = 0;
  for (int i = 0; i < kCount; ++i) sum += calls[i], sum_puts += puts[i];
  Approx(sum);
  Approx(sum_puts);
  return Verdict();
}
