// The limits of the device that the emulator stands for: an NVIDIA H200, compute capability 9.0. Source: CUDA C++
// Programming Guide, "Compute Capabilities", and an H200's own attributes.
#pragma once

#include <cstdint>

namespace warpgrade::cudart::limits {

inline constexpr char kDeviceName[] = "warpgrade emulator (as NVIDIA H200)";
inline constexpr int kComputeMajor = 9;
inline constexpr int kComputeMinor = 0;

inline constexpr int kWarpSize = 32;
inline constexpr int kThreadsPerBlock = 1024;
inline constexpr int kBlockX = 1024, kBlockY = 1024, kBlockZ = 64;
inline constexpr int kGridX = 2147483647, kGridY = 65535, kGridZ = 65535;
inline constexpr int kThreadsPerMultiprocessor = 2048;
inline constexpr int kBlocksPerMultiprocessor = 32;
inline constexpr int kRegistersPerBlock = 65536;
inline constexpr int kRegistersPerMultiprocessor = 65536;

inline constexpr int kSharedPerBlock = 48 * 1024;        // without asking
inline constexpr int kSharedPerBlockOptIn = 227 * 1024;  // with cudaFuncAttributeMaxDynamicSharedMemorySize
inline constexpr int kSharedPerMultiprocessor = 228 * 1024;
inline constexpr int kSharedReservedPerBlock = 1024;  // taken by the driver from every block
inline constexpr int kSharedAllocationUnit = 128;

inline constexpr int kConstantBytes = 64 * 1024;
inline constexpr uint32_t kParameterBytes = 32764;
inline constexpr int64_t kMaxPitch = 2147483647;
inline constexpr int kPitchAlignment = 512;  // cudaMallocPitch: rows start at texture alignment
inline constexpr int kClockKilohertz = 1980000;
inline constexpr int kMemoryClockKilohertz = 3201000;
inline constexpr int kMemoryBusBits = 6144;
inline constexpr int kL2Bytes = 60 * 1024 * 1024;

}  // namespace warpgrade::cudart::limits
