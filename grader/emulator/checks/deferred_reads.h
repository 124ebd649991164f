// Plain reads of shared memory that the race check has not looked at yet. Reads race only with writes. So between two
// barriers, scattered reads are only noted here until the first write, and then looked at in their order. If no write
// comes before the next barrier, nobody ever looks at them: a tile that is read by columns costs little.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grader/emulator/checks/access_check.h"
#include "grader/emulator/memory/access_id.h"

namespace warpgrade::emulator {

struct DeferredReads {
  // The most reads of one interval, for each line of the block's shared memory. If there are more, the rest is looked
  // at as it comes. So they need less memory than the line's granules may.
  static constexpr size_t kMostPerLine = 32;

  struct Read {
    const Inst* inst;
    AccessId id;
    uint32_t full_sync;  // of its warp at that time
    LaneMask mask;
    uint32_t low, end;
    uint32_t row;  // in `addresses`, unless the read is contiguous or of one place
    int size;
    bool contiguous, same;
  };
  uint32_t interval = 0;  // Block::barrier_epoch
  std::vector<Read> reads;
  std::vector<std::array<uint32_t, kLanes>> addresses;

  void Start(uint32_t now) {
    interval = now;
    reads.clear();
    addresses.clear();
  }
  void Add(const Inst& inst, AccessId id, uint32_t full_sync, const AccessLanes& a) {
    reads.push_back({&inst, id, full_sync, a.mask, static_cast<uint32_t>(a.low), static_cast<uint32_t>(a.end),
                     static_cast<uint32_t>(addresses.size()), a.size, a.contiguous, a.same});
    if (a.contiguous || a.same) return;
    std::array<uint32_t, kLanes>& row = addresses.emplace_back();
    for (size_t l = 0; l < kLanes; ++l) row[l] = static_cast<uint32_t>(a.addresses[l] + a.offset);
  }
};

}  // namespace warpgrade::emulator
