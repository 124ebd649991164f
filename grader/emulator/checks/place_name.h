// Names of places in memory for messages: "element 5 of tile".
#pragma once

#include <cstdint>
#include <string>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// `element` is the size in bytes of the accessed value: the best guess at the array's element type.
std::string GlobalPlace(const GlobalMemory& memory, uint64_t address, int element);
std::string SharedPlace(const LaunchShared& launch, uint64_t offset, int element);

// "1 byte", "4 bytes".
std::string Bytes(int64_t n);

// What an access misses that is outside of the block's shared memory: "element 256 of tile in shared memory, just past
// its end: tile has 1024 bytes (256 elements of 4 bytes)". An `address` above 2^31 is one below 0 that wrapped around.
// "" if it is not known which array was meant. `inst` gives the array and the elements, `size` is in bytes.
std::string SharedMiss(const LaunchShared& launch, const Inst& inst, uint64_t address, int size);

// The array that a place lies in.
struct NamedArray {
  std::string name;    // "tile", or "shared memory" and "global memory" where there is no name
  uint64_t base = 0;   // where it starts: an offset in shared memory, or a global address
  uint64_t bytes = 0;  // 0: not known
};
NamedArray GlobalArrayAt(const GlobalMemory& memory, uint64_t address);
// `shared_bytes`: of the block, where a dynamic array ends.
NamedArray SharedArrayAt(const Program& program, uint64_t offset, uint64_t shared_bytes);

}  // namespace warpgrade::emulator
