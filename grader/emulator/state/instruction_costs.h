// What counts toward the instruction budgets of DeviceOptions in addition to the instructions themselves. The budgets
// are the only limit on how long a kernel keeps the emulator busy, so work that takes much longer than an instruction
// must count as several. Each number says, roughly and rounded up, how many instructions the emulator runs in the same
// time. The numbers are the same on every machine, so a program ends in the same way everywhere. Counters do not
// include them.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

inline constexpr uint64_t kLaunchCosts = 2000;  // waking the host threads and adding up what they counted
inline constexpr uint64_t kBlockCosts = 16;
inline constexpr uint64_t kWarpCosts = 8;     // to start a warp
inline constexpr uint64_t kPrintfCosts = 64;  // per lane, and for every few characters one more
inline constexpr uint64_t kCharactersPerInstruction = 4;
inline constexpr uint64_t kHeapCosts = 32;             // malloc and free in a kernel, per lane
inline constexpr uint64_t kMatrixCosts = 64;           // mma: up to 4096 multiplications
inline constexpr uint64_t kBytesPerInstruction = 128;  // that are copied or cleared
// One millisecond in which all threads wait for something that only the host can write.
inline constexpr uint64_t kIdleMillisecondCosts = 100'000;

}  // namespace warpgrade::emulator
