// Where the state spaces lie in the generic address space of an emulated GPU.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// Generic address windows. Device memory starts above them (GlobalMemory::kBase).
inline constexpr uint64_t kLocalWindow = 0x0000'0100'0000'0000;
inline constexpr uint64_t kSharedWindow = 0x0000'0200'0000'0000;
inline constexpr uint64_t kParamWindow = 0x0000'0280'0000'0000;
inline constexpr uint64_t kWindowBytes = uint64_t{1} << 32;
inline constexpr uint32_t kReservedSharedBytes = 1024;

// True for addresses in a thread's local memory, and for those that an index below 0 of a local array makes.
inline constexpr bool IsLocalAddress(uint64_t address) {
  return address - (kLocalWindow - kWindowBytes) < 2 * kWindowBytes;
}

// Function addresses are kFunctionBase + 16 * index: not a memory address of any kind.
inline constexpr uint64_t kFunctionBase = 0x0000'0080'0000'0000;

}  // namespace warpgrade::emulator
