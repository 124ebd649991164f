// What the studies time with: the host's clock for a whole call, CUDA events for its kernels, and words for a device
// that has no times worth printing.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "labs/support/device_array.h"

namespace study {

struct Times {
  double total_us = 0;      // until the host has the answer
  double execution_us = 0;  // between Begin() and End()
  double answer = 0;
};

// Marks on one stream between which kernels run.
class Marks {
 public:
  explicit Marks(cudaStream_t stream) : stream_(stream) {
    lab::Require(cudaEventCreate(&begin_), "cudaEventCreate");
    lab::Require(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Marks() {
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
  }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  void Begin() { lab::Require(cudaEventRecord(begin_, stream_), "cudaEventRecord"); }
  void End() { lab::Require(cudaEventRecord(end_, stream_), "cudaEventRecord"); }
  // REQUIRES: what was marked is over.
  double Microseconds() const {
    float ms = 0;
    lab::Require(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
    return double(ms) * 1e3;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

class HostClock {
 public:
  double Microseconds() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// A study never shows the time of a wrong answer.
inline void RequireAnswer(double got, double want, const std::string& who) {
  if (got == want) return;
  throw std::runtime_error(who + ": the sum is " + std::to_string(got) + ", should be " + std::to_string(want));
}

// True on the emulator, after saying what it means for the table.
inline bool HasNoTimes(const std::string& device_name) {
  if (!lab::IsEmulator(device_name)) return false;
  std::printf(
      "This is the emulator, which measures no time: every way runs once and its answer is checked. What each kernel\n"
      "does is counted exactly; with `warpgrade run --profile` the counters follow below the table.\n\n");
  return true;
}

}  // namespace study
