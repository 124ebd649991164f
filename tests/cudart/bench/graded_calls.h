// What the programs of forwarding_bench share: one rung, called as the worker calls it, on a clock of its own.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kWarmUps = 2, kCalls = 15;

inline void Require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

// On the device, filled with ones.
inline float* Ones(size_t count) {
  float* d_ones = nullptr;
  const std::vector<float> ones(count, 1.0f);
  Require(cudaMalloc(&d_ones, count * sizeof(float)));
  Require(cudaMemcpy(d_ones, ones.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  return d_ones;
}

// Prints the microseconds of each call, from before it to when the device is done, one per line. The buffers are there
// already: when grading, they are the judge's.
template <typename Call>
void TimeCalls(Call call) {
  for (int i = -kWarmUps; i < kCalls; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    Require(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    if (i >= 0) std::printf("%.1f\n", took.count());
  }
}

// Ends the program when the last call's answer is not what it must be.
inline void RequireFirst(const float* d_out, float want) {
  float got = 0;
  Require(cudaMemcpy(&got, d_out, sizeof got, cudaMemcpyDeviceToHost));
  if (got == want) return;
  std::fprintf(stderr, "got %g, want %g\n", static_cast<double>(got), static_cast<double>(want));
  std::exit(1);
}
