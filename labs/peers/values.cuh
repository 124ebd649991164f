// Inputs and comparisons on the device.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "labs/support/device_array.h"

namespace peers {

// 64 bits that look random, for each number another 64.
__device__ inline uint64_t Mix(uint64_t x) {
  x *= 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// Whole numbers from -8 to 8: sums of some millions of them, and of their products, are exact in any order.
template <typename T>
__global__ void FillWithSmall(T* to, size_t n, uint64_t seed) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<T>(static_cast<int>(Mix(i + (seed << 40)) % 17) - 8);
}

template <typename T>
__global__ void CountDifferences(const T* x, const T* y, size_t n, unsigned* count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(x[i] == y[i])) atomicAdd(count, 1u);
}

constexpr unsigned kFillThreads = 256;
inline unsigned FillBlocks(size_t n) { return static_cast<unsigned>((n + kFillThreads - 1) / kFillThreads); }

// n elements of device memory.
template <typename T>
class Array {
 public:
  explicit Array(size_t n) : n_(n), memory_(n * sizeof(T)) { Forget(); }

  T* data() const { return static_cast<T*>(memory_.data()); }
  size_t size() const { return n_; }

  void FillWithSmallNumbers(uint64_t seed) {
    FillWithSmall<<<FillBlocks(n_), kFillThreads>>>(data(), n_, seed);
    lab::Require(cudaDeviceSynchronize(), "filling an array");
  }

  // What no right answer is made of: a call that writes nothing must not be right.
  void Forget() {
    lab::Require(cudaMemset(memory_.data(), 0xCB, n_ * sizeof(T)), "cudaMemset");
    lab::Require(cudaDeviceSynchronize(), "cudaMemset");
  }

  // Waits for all that runs. A NaN is equal to nothing.
  bool Equals(const Array& other) const {
    Array<unsigned> count(1);
    lab::Require(cudaMemset(count.data(), 0, sizeof(unsigned)), "cudaMemset");
    lab::Require(cudaDeviceSynchronize(), "the call that is compared");
    CountDifferences<<<FillBlocks(n_), kFillThreads>>>(data(), other.data(), n_, count.data());
    unsigned differences = 0;
    lab::Require(cudaMemcpy(&differences, count.data(), sizeof differences, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return differences == 0;
  }

 private:
  size_t n_;
  lab::DeviceArray memory_;
};

// The peer of what memory bounds: a copy from one array to another on the device.
template <typename T>
auto DeviceCopy(const Array<T>& from, Array<T>& to, cudaStream_t stream) {
  return [&from, &to, stream] {
    cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyDeviceToDevice, stream);
  };
}

}  // namespace peers
