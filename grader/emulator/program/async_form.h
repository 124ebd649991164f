// How asynchronous copies and mbarrier operations are described to their handlers (machine/async_copy.h).
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// How an operand names shared memory.
enum SharedAddressing : uint8_t { kSharedWide, kSharedNarrow, kSharedGeneric };

struct AsyncFlags {
  SharedAddressing addressing : 2;  // of row a
  uint8_t no_increment : 1;         // cp.async.mbarrier.arrive.noinc
  uint8_t ignore_source : 1;        // cp.async: row c is a predicate
  uint8_t drop : 1;                 // mbarrier.arrive_drop
  uint8_t expect_tx : 1;            // mbarrier.arrive.expect_tx: row c is the tx-count
  uint8_t parity : 1;               // mbarrier.test_wait.parity
};

}  // namespace warpgrade::emulator
