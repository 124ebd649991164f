// Fills arrays with numbers from a counter-based generator (mix.h), on all cores. Tests:
// tests/course/support/noise_test.cc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/lab/parallel.h"
#include "labs/support/mix.h"

namespace lab {

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
