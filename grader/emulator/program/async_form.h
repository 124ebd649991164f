// How asynchronous copies and mbarrier operations are described to their handlers (machine/async_copy.h).
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// How an operand names shared memory: Inst::small of these handlers.
enum SharedAddressing : uint8_t { kSharedWide = 0, kSharedNarrow = 1, kSharedGeneric = 2, kAddressingMask = 3 };
// More of Inst::small.
inline constexpr uint8_t kAsyncNoIncrement = 4;   // cp.async.mbarrier.arrive.noinc
inline constexpr uint8_t kAsyncIgnoreSource = 8;  // cp.async: operand c is a predicate (negated when imm2 is 1)
inline constexpr uint8_t kArriveDrop = 16;        // mbarrier.arrive_drop
inline constexpr uint8_t kArriveExpectTx = 32;    // mbarrier.arrive.expect_tx: c is the tx-count
inline constexpr uint8_t kWaitParity = 64;        // mbarrier.test_wait.parity

}  // namespace warpgrade::emulator
