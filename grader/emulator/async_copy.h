// Asynchronous copies (cp.async, cp.async.bulk) and mbarrier objects: PTX ISA "Asynchronous copy", "mbarrier".
//
// A copy reads its source when it is issued and lands as late as the program allows: when the thread waits for its
// group, or when somebody waits for the phase of the mbarrier that tracks it. A missing wait therefore shows: what is
// read instead is what was there before.
//
// An mbarrier is 64 bits of shared memory, which PTX leaves opaque. Here:
//
//    63  62   61..41           40..21     20..1      0
//     0   1   tx-count (signed)  expected   pending    phase
//
// The phase completes when pending and tx-count are both 0. Bit 62 tells an object that was initialised.
// Tested by tests/emulator/exec/async_test.cc.
#pragma once

#include "grader/emulator/handlers/table.h"

namespace warpgrade::emulator {

// Keys: "cp.async", "cp.async.wait_group", "mbarrier.arrive", ...
HandlerSpan AsyncHandlers();

// How an operand names shared memory: Inst::small of these handlers.
enum SharedAddressing : uint8_t { kSharedWide = 0, kSharedNarrow = 1, kSharedGeneric = 2, kAddressingMask = 3 };
// More of Inst::small.
inline constexpr uint8_t kAsyncNoIncrement = 4;   // cp.async.mbarrier.arrive.noinc
inline constexpr uint8_t kAsyncIgnoreSource = 8;  // cp.async: operand c is a predicate (negated when imm2 is 1)
inline constexpr uint8_t kArriveDrop = 16;        // mbarrier.arrive_drop
inline constexpr uint8_t kArriveExpectTx = 32;    // mbarrier.arrive.expect_tx: c is the tx-count
inline constexpr uint8_t kWaitParity = 64;        // mbarrier.test_wait.parity

}  // namespace warpgrade::emulator
