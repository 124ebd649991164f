// The limits that all GPUs of compute capability 7.5 to 9.0 share; the others are the device model's (device_model.h).
// Source: CUDA C++ Programming Guide, "Compute Capabilities".
#pragma once

#include <cstdint>

namespace warpgrade::cudart::limits {

inline constexpr int kWarpSize = 32;
inline constexpr int kThreadsPerBlock = 1024;
inline constexpr int kBlockX = 1024, kBlockY = 1024, kBlockZ = 64;
inline constexpr int kGridX = 2147483647, kGridY = 65535, kGridZ = 65535;
inline constexpr int kRegistersPerBlock = 65536;
inline constexpr int kRegistersPerMultiprocessor = 65536;
inline constexpr int kSharedPerBlock = 48 * 1024;  // without asking
inline constexpr int kSharedAllocationUnit = 128;
inline constexpr int kConstantBytes = 64 * 1024;
inline constexpr uint32_t kParameterBytes = 32764;

inline constexpr int64_t kMaxPitch = 2147483647;
inline constexpr int kPitchAlignment = 512;  // cudaMallocPitch: rows start at texture alignment

}  // namespace warpgrade::cudart::limits
