// What the feature programs share beyond program.h: comparison with the host's answer, and the lines that a program
// ends with: `out HEX` for bytes that integer and IEEE operations define (the same on every device), `approx VALUE...`
// for the rest, then `ok`. A program returns Verdict() from main.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstring>

#include "program.h"

// A number that looks random, the same for `x` on host and device.
__host__ __device__ inline uint32_t Mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// The same in [0, 1), a multiple of 2^-24.
__host__ __device__ inline float MixUnit(uint32_t x) { return (Mix(x) >> 8) * (1.0f / 16777216.0f); }

struct Outcome {
  bool right = true;
  bool hashed = false;
  uint64_t hash = HashBytes(nullptr, 0);
  int approximations = 0;
  double approx[16];
};
inline Outcome outcome;

inline void Expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  outcome.right = false;
}

// The first element that differs in its bytes is named.
template <typename T>
void ExpectSame(const char* what, const T* got, const T* want, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (std::memcmp(got + i, want + i, sizeof(T)) == 0) continue;
    std::printf("wrong: %s[%zu]: %.17g, not %.17g\n", what, i, static_cast<double>(got[i]),
                static_cast<double>(want[i]));
    outcome.right = false;
    return;
  }
}

// Within `tolerance` times the wanted value's size, but at least times one. NaN is never near.
template <typename T, typename U>
void ExpectNear(const char* what, const T* got, const U* want, size_t count, double tolerance) {
  for (size_t i = 0; i < count; ++i) {
    const double g = static_cast<double>(got[i]);
    const double w = static_cast<double>(want[i]);
    if (std::fabs(g - w) <= tolerance * std::fmax(1.0, std::fabs(w))) continue;
    std::printf("wrong: %s[%zu]: %.9g, not %.9g\n", what, i, g, w);
    outcome.right = false;
    return;
  }
}

// Takes bytes that every device must give into the hash of the line `out`.
inline void Out(const void* bytes, size_t count) {
  outcome.hashed = true;
  outcome.hash = HashBytes(bytes, count, outcome.hash);
}

// Takes a number into the line `approx`: at most sixteen of them.
inline void Approx(double value) {
  if (outcome.approximations < 16) outcome.approx[outcome.approximations++] = value;
}

// Prints what came out and returns the program's exit status.
inline int Verdict() {
  if (outcome.hashed) std::printf("out %016llx\n", static_cast<unsigned long long>(outcome.hash));
  if (outcome.approximations > 0) {
    std::printf("approx");
    for (int i = 0; i < outcome.approximations; ++i) std::printf(" %.9g", outcome.approx[i]);
    std::printf("\n");
  }
  if (outcome.right) std::printf("ok\n");
  return outcome.right ? 0 : 1;
}
