// Says for findings where an illegal address lies: "4 bytes past the end of d_in (4000 bytes)".
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace warpgrade::emulator {

struct Allocation;

struct WildAddress {
  std::string where;
  bool freed = false;  // most probably it is a pointer to memory that was freed
};

// What is known of device memory.
struct MemoryMap {
  const std::map<uint64_t, Allocation>& live;   // by base
  const std::map<uint64_t, Allocation>& freed;  // by base; their addresses have not been given out again
  uint64_t begin = 0, end = 0;                  // device addresses
};

// The most probable cause of an illegal access of `access_bytes` at `address`. `pointers` may be pointers that the
// kernel got: an array to which one of them points is more probable than its neighbour. The causes are tried in this
// order:
//
//   near address 0                                    an index on a null pointer
//   in the guard behind a live allocation             past its end, or before the start of the next one
//   where an allocation was                           use after free
//   in reach before a live allocation                 before its start
//   anywhere, and the kernel has a pointer            past the end of the array, or before its start, however far
//   beyond all device memory                          a host pointer
//   between allocations                               past the end or before the start of the nearest
WildAddress ExplainWildAddress(const MemoryMap& memory, uint64_t address, uint64_t access_bytes,
                               std::span<const uint64_t> pointers);
// WildAddress::freed, without the cost of the words.
bool IsFreedAddress(const MemoryMap& memory, uint64_t address, std::span<const uint64_t> pointers);

}  // namespace warpgrade::emulator
