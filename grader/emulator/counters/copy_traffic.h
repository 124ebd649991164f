// What copies and sets on the device move, counted as global accesses: they do work that kernels would do otherwise.
//
// A copy of one row loads the sectors of 32 bytes that its source touches, and stores those that its destination
// touches; a set only stores. So a copy with a pitch and narrow rows moves as much as such accesses of a kernel do.
// There is one request for every 128 bytes that all copies move together, the size of a request whose 32 lanes access 4
// bytes each: many narrow rows are few requests with many sectors.
#pragma once

#include <cstdint>

#include "grader/emulator/counters/counters.h"

namespace warpgrade::emulator {

class CopyTraffic {
 public:
  // One row. REQUIRES: bytes > 0.
  void Load(uint64_t address, uint64_t bytes) { loads_.Add(address, bytes); }
  void Store(uint64_t address, uint64_t bytes) { stores_.Add(address, bytes); }
  void Add(const CopyTraffic& other);

  Counters AsCounters() const;
  bool operator==(const CopyTraffic&) const = default;

 private:
  struct Side {
    uint64_t bytes = 0, sectors = 0;
    bool operator==(const Side&) const = default;
    void Add(uint64_t address, uint64_t row_bytes);
  };
  Side loads_, stores_;
};

}  // namespace warpgrade::emulator
