// What all GPUs of compute capability 7.5 to 9.0 have in common. What differs between them is in capabilities.def and
// devices.def (device_model.h). Source: CUDA C++ Programming Guide, "Compute Capabilities".
#pragma once

#include <cstdint>

namespace warpgrade::gpu_limits {

inline constexpr int kWarpSize = 32;
inline constexpr int kThreadsPerBlock = 1024;
inline constexpr int kBlockX = 1024, kBlockY = 1024, kBlockZ = 64;
inline constexpr int kGridX = 2147483647, kGridY = 65535, kGridZ = 65535;
inline constexpr int kRegistersPerBlock = 65536;
inline constexpr int kRegistersPerMultiprocessor = 65536;
inline constexpr int kRegistersPerThread = 255;
inline constexpr int kSchedulersPerMultiprocessor = 4;
inline constexpr int kSharedPerBlock = 48 * 1024;  // bytes, without the opt-in of cudaFuncSetAttribute
inline constexpr int kSharedAllocationUnit = 128;  // bytes
inline constexpr int kConstantBytes = 64 * 1024;
inline constexpr uint32_t kParameterBytes = 32764;  // of one kernel

inline constexpr int kSectorBytes = 32;                  // the unit in which device memory is read and written
inline constexpr int kSharedBanks = 32, kBankBytes = 4;  // each bank serves one word in a turn

inline constexpr int64_t kMaxPitch = 2147483647;
inline constexpr int kPitchAlignment = 512;  // cudaMallocPitch: rows start at texture alignment

}  // namespace warpgrade::gpu_limits
