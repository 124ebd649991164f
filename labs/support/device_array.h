// Device memory and errors for the tests and the bench, which g++ compiles against the CUDA runtime's C API.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lab {

// Throws std::runtime_error with CUDA's words for `error`, unless it is cudaSuccess.
inline void Require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// `bytes` bytes on the device, 256-byte aligned. A null pointer when bytes is 0.
class DeviceArray {
 public:
  explicit DeviceArray(size_t bytes) {
    if (bytes > 0) Require(cudaMalloc(&data_, bytes), "cudaMalloc");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void* data() const { return data_; }
  std::byte* bytes() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_ = nullptr;
};

// The name of the device that this program runs on; "" when there is none.
inline std::string DeviceName() {
  cudaDeviceProp properties;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return "";
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "";
  return properties.name;
}

inline bool IsEmulator(std::string_view device_name) { return device_name.find("emulator") != std::string_view::npos; }

inline bool IsOnEmulator() {
  static const bool kIsEmulator = IsEmulator(DeviceName());
  return kIsEmulator;
}

}  // namespace lab
