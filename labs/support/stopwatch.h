// The benches' clock: CUDA events around work on a stream, each time with a cold L2 cache.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "labs/support/device_array.h"

namespace lab {

class Stopwatch {
 public:
  Stopwatch() : flush_bytes_(2 * L2Bytes()), flush_(flush_bytes_) {
    Require(cudaStreamCreate(&stream_), "cudaStreamCreate");
    Require(cudaEventCreate(&start_), "cudaEventCreate");
    Require(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~Stopwatch() {
    cudaEventDestroy(stop_);
    cudaEventDestroy(start_);
    cudaStreamDestroy(stream_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  cudaStream_t stream() const { return stream_; }

  // Seconds that `work`, which launches on stream(), takes on the device. Throws std::runtime_error with CUDA's words
  // when it fails.
  template <typename Work>
  double Seconds(Work work) {
    Require(cudaMemsetAsync(flush_.data(), 0, flush_bytes_, stream_), "cudaMemsetAsync");
    Require(cudaEventRecord(start_, stream_), "cudaEventRecord");
    work();
    Require(cudaGetLastError(), "launch");
    Require(cudaEventRecord(stop_, stream_), "cudaEventRecord");
    Require(cudaEventSynchronize(stop_), "cudaEventSynchronize");
    float milliseconds = 0;
    Require(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  static size_t L2Bytes() {
    int bytes = 0;
    Require(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    return static_cast<size_t>(std::max(bytes, 1 << 20));
  }

  size_t flush_bytes_;
  DeviceArray flush_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

// The upper median. REQUIRES: values is not empty.
inline double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace lab
