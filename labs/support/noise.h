// Numbers for inputs: a counter-based generator, so that any element can be drawn by any thread. The judge draws up to
// 9 GB for each sample of a short call. Tests: tests/course/support/noise_test.cc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/lab/parallel.h"

namespace lab {

// splitmix64's finaliser (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): every output bit
// depends on every input bit, and no two inputs have the same output.
inline uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// 64 random bits for element `index`, which nobody can tell who does not know `seed`.
inline uint64_t Noise(uint64_t seed, uint64_t index) { return Mix(Mix(index + seed) ^ (seed * 0x9e3779b97f4a7c15)); }

// From 0 to 2^kBits - 1. Signed 32 bits, since SSE2 makes four floats of those at once and of 64 bits none.
template <int kBits>
constexpr int32_t Low(uint64_t noise) {
  static_assert(kBits > 0 && kBits < 32);
  return static_cast<int32_t>(noise & ((uint64_t{1} << kBits) - 1));
}

// `magnitude`, negative if the lowest bit of `noise` says so. Without a branch: every other one would be foreseen
// wrongly.
inline float Signed(float magnitude, uint64_t noise) { return magnitude * (1 - 2 * static_cast<float>(noise & 1)); }

namespace internal {

#if defined(__x86_64__)
// The compiler makes vectors of it: AVX-512 has a multiply for eight numbers of 64 bits.
[[gnu::target("avx512f,avx512dq,avx512vl")]] inline void FillNoiseWide(uint64_t seed, uint64_t first,
                                                                       std::span<uint64_t> to) {
  for (size_t k = 0; k < to.size(); ++k) to[k] = Noise(seed, first + k);
}
#endif

}  // namespace internal

// to[k] = Noise(seed, first + k).
inline void FillNoise(uint64_t seed, uint64_t first, std::span<uint64_t> to) {
#if defined(__x86_64__)
  static const bool kWide = __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  if (kWide) return internal::FillNoiseWide(seed, first, to);
#endif
  for (size_t k = 0; k < to.size(); ++k) to[k] = Noise(seed, first + k);
}

// to[i] = element(i, Noise(seed, i)) for each i below n, on all cores.
template <typename T, typename Element>
void FillFromNoise(size_t n, uint64_t seed, T* to, const Element& element) {
  warpgrade::ParallelFor(n, n, [&](size_t begin, size_t end) {
    uint64_t noise[512];  // a few at a time, so that both loops have no call inside
    for (size_t first = begin; first < end; first += std::size(noise)) {
      const size_t count = std::min(std::size(noise), end - first);
      FillNoise(seed, first, {noise, count});
      T* const __restrict part = to + first;
      for (size_t k = 0; k < count; ++k) part[k] = static_cast<T>(element(first + k, noise[k]));
    }
  });
}

}  // namespace lab
