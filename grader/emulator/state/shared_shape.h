// How the addresses of one access of shared memory lie to each other. The same register makes the same shape again and
// again, at other places: rows of a tile, a stride. Bank conflicts depend on the shape alone, so the host thread
// remembers what it found out about each. machine/handlers/shared_shape.h compares and remembers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

struct SharedShape {
  alignas(64) uint32_t from_first[kLanes] = {};  // of each active lane: its address, less that of the first active one
  LaneMask mask = 0;                             // 0: nothing is remembered here
  int32_t size = 0;                              // bytes that each lane accesses
  uint32_t in_word = 0;                          // where in its 4-byte word the first lane's address lies
  int32_t low = 0, end = 0;                      // the span of all lanes, from the first one's address
  uint32_t wavefronts = 0, ideal_wavefronts = 0;
};

// The last shape of each address register, of those that share a place here the last one.
class SharedShapes {
 public:
  // `row` is the register's offset in the frame.
  SharedShape& Of(uint32_t row) { return shapes_[row / kRowBytes % kPlaces]; }

 private:
  static constexpr uint32_t kRowBytes = 4 * kLanes, kPlaces = 16;
  std::array<SharedShape, kPlaces> shapes_;
};

}  // namespace warpgrade::emulator
