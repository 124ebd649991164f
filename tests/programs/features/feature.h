// What the feature programs share: checked calls, device arrays that free themselves, comparison with the host's answer
// and the lines that a program ends with: `out HEX` for bytes that integer and IEEE operations define (the same on every
// device), `approx VALUE...` for the rest, then `ok`. A program returns Finish() from main.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call) CheckCall((call), #call, __FILE__, __LINE__)

inline void CheckCall(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  std::exit(1);
}

// After a launch: its own error, then those of the kernel.
inline void WaitForKernel() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

// `count` elements on the device, copied from the host where a source is given.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) { CHECK(cudaMalloc(&data_, count * sizeof(T))); }
  DeviceArray(const T* host, size_t count) : DeviceArray(count) { Set(host); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  operator T*() const { return data_; }
  T* get() const { return data_; }
  void Set(const T* host) { CHECK(cudaMemcpy(data_, host, count_ * sizeof(T), cudaMemcpyHostToDevice)); }
  void Get(T* host) const { CHECK(cudaMemcpy(host, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost)); }
  void Clear() { CHECK(cudaMemset(data_, 0, count_ * sizeof(T))); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

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
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
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
  for (size_t i = 0; i < count; ++i) {
    outcome.hash = (outcome.hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
  }
}

// Takes a number into the line `approx`: at most sixteen of them.
inline void Approx(double value) {
  if (outcome.approximations < 16) outcome.approx[outcome.approximations++] = value;
}

// Prints what came out and returns the program's exit status.
inline int Finish() {
  if (outcome.hashed) std::printf("out %016llx\n", static_cast<unsigned long long>(outcome.hash));
  if (outcome.approximations > 0) {
    std::printf("approx");
    for (int i = 0; i < outcome.approximations; ++i) std::printf(" %.9g", outcome.approx[i]);
    std::printf("\n");
  }
  if (outcome.right) std::printf("ok\n");
  return outcome.right ? 0 : 1;
}
