// Numbers for inputs: a counter-based generator, so that any element can be drawn by any thread, of the host or of a
// GPU. Includable by nvcc. Tests: tests/course/support/noise_test.cc, and tests/course/gpu_work_test.cc for the GPU.
#pragma once

#include <cstddef>
#include <cstdint>

// Before a function that host code and kernels call.
#ifdef __CUDACC__
#define LAB_BOTH __host__ __device__
#else
#define LAB_BOTH
#endif

namespace lab {

// splitmix64's finaliser (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): every output bit
// depends on every input bit, and no two inputs have the same output.
LAB_BOTH inline uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// 64 random bits for element `index`, which nobody can tell who does not know `seed`.
LAB_BOTH inline uint64_t Noise(uint64_t seed, uint64_t index) {
  return Mix(Mix(index + seed) ^ (seed * 0x9e3779b97f4a7c15));
}

// From 0 to 2^kBits - 1. Signed 32 bits, since SSE2 makes four floats of those at once and of 64 bits none.
template <int kBits>
LAB_BOTH constexpr int32_t Low(uint64_t noise) {
  static_assert(kBits > 0 && kBits < 32);
  return static_cast<int32_t>(noise & ((uint64_t{1} << kBits) - 1));
}

// `magnitude`, negative if the lowest bit of `noise` says so. Without a branch: every other one would be foreseen
// wrongly.
LAB_BOTH inline float Signed(float magnitude, uint64_t noise) {
  return magnitude * (1 - 2 * static_cast<float>(noise & 1));
}

}  // namespace lab
