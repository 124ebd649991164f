// Random kernels in PTX, the same for the same seed. They are free of races, of reads of what nobody wrote and of
// results that depend on the order of threads, so an emulator must give one answer and no finding.
//
// A kernel loads its registers from `input`, computes, and writes them to `output`: slot k of a thread, 8 bytes, holds
// register k of Registers(). It also has `scratch`, whose bytes are its own thread's, and accumulators for atomics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade::oracle {

struct Slot {
  std::string name;  // "%r3"
  char register_class = 'r';
};
// The registers that a kernel reads and writes, in slot order.
const std::vector<Slot>& Registers();

inline constexpr uint32_t kScratchBytes = 64;  // of each thread
inline constexpr uint32_t kAccumulators = 8;   // of 8 bytes each

struct Generated {
  std::string ptx;  // kernel `k`: .u64 input, output, scratch, accumulators; .s16 s; .u8 u; .f32 x
  uint32_t grid = 1, block = 32;
  uint32_t dynamic_shared_bytes = 0;
};

// At most `statements` statements: fewer give the beginning of the same kernel, which is how a failure is made small.
Generated Generate(uint64_t seed, int statements = 1000);

// The bits of a register before the kernel: edge values and random ones of its kind.
uint64_t RandomBits(char register_class, uint64_t random);

}  // namespace warpgrade::oracle
