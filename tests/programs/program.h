// What the programs here share: CUDA calls that end the program when they fail, and results that are compared with what
// must come out. Kept small, because each program is compiled alone.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Ends the program unless the call succeeds.
#define CHECK(call)                                                                                 \
  do {                                                                                              \
    const cudaError_t error_ = (call);                                                              \
    if (error_ != cudaSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error_)); \
      std::exit(1);                                                                                 \
    }                                                                                               \
  } while (0)

// After a launch: it was legal, and the kernel ran to its end.
#define FINISH()                    \
  do {                              \
    CHECK(cudaGetLastError());      \
    CHECK(cudaDeviceSynchronize()); \
  } while (0)

// Ends the program unless the condition holds.
#define EXPECT(condition)                                                                 \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

// n elements of device memory, freed at the end of the block. Not set to anything, unless from an array of the host's.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(int n) : n_(n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
  DeviceArray(const T* host, int n) : DeviceArray(n) { CopyFrom(host); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  operator T*() const { return data_; }
  T* get() const { return data_; }
  void Fill(int byte) { CHECK(cudaMemset(data_, byte, n_ * sizeof(T))); }
  void CopyFrom(const T* host) { CHECK(cudaMemcpy(data_, host, n_ * sizeof(T), cudaMemcpyHostToDevice)); }
  void CopyTo(T* host) const { CHECK(cudaMemcpy(host, data_, n_ * sizeof(T), cudaMemcpyDeviceToHost)); }

 private:
  T* data_ = nullptr;
  const int n_;
};

// FNV-1a of some bytes, after those that gave `hash`.
inline uint64_t HashBytes(const void* data, size_t bytes, uint64_t hash = 0xcbf29ce484222325u) {
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3u;
  return hash;
}

// Prints "out HEX": a number that stands for the bytes, the same on every device that computes them right.
inline void PrintOut(const void* data, size_t bytes) {
  std::printf("out %016llx\n", static_cast<unsigned long long>(HashBytes(data, bytes)));
}
