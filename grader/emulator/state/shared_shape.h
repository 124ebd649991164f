// The shape of an access to shared memory: the distances between the addresses of its lanes. An instruction mostly
// makes the same shape again at another place, such as the next row of a tile. Bank conflicts depend only on the shape,
// so each host thread remembers its counts for recent shapes. machine/handlers/shared_shape.h compares and remembers
// them.
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

// The last shape of each address register. Registers that share a place in the table replace each other's shapes.
class SharedShapes {
 public:
  // `row` is the register's offset in the frame.
  SharedShape& Of(uint32_t row) { return shapes_[row / kRowBytes % kPlaces]; }

 private:
  static constexpr uint32_t kRowBytes = 4 * kLanes, kPlaces = 16;
  std::array<SharedShape, kPlaces> shapes_;
};

}  // namespace warpgrade::emulator
