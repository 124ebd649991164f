// How long the schedulers let a warp or block run before another one has its turn, and how long they wait before they
// call a hang. These numbers were chosen by hand when the schedulers were written; each comment says between which two
// faults a number must lie. They change only the order of work: results, findings and counters of a right program do
// not depend on them (tests/emulator/exec/schedule_test.cc). Counts are warp instructions unless a comment says
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpgrade::emulator {

// A turn of one fragment. Long enough that changing the fragment costs little beside it,
// short enough that a fragment which waits for another one of its warp does not wait long.
inline constexpr uint64_t kFragmentSlice = 4096;

// Under a seed a turn lasts kShortestSeededSlice * 2^k, with k drawn below kSeededSlices: 32 to 4096. Short turns show
// races between neighbouring instructions, long ones show races between whole phases.
inline constexpr uint64_t kShortestSeededSlice = 32;
inline constexpr uint32_t kSeededSlices = 8;

// Under a seed, a strong access may end the turn of its block (NoteStrong). One in so many does, drawn for each block:
// 1, 4 or 16. Rare turns leave a block time to get far ahead of the others; frequent ones cost time where a kernel
// does little else than atomics.
inline constexpr uint32_t kMostYields = 1;
inline constexpr uint32_t kYieldShares = 3;

// How many blocks of a host thread take turns in this way. Then it starts another one only every so many rounds,
// because the blocks in flight may wait for that one.
inline constexpr size_t kInterleavedBlocks = 8;
inline constexpr uint64_t kRoundsBetweenStarts = 64;

// A turn of a block. After it the block is looked at: if it mostly polls, other blocks in flight come first. Blocks
// that work are not interrupted for good, so this only has to be long against kFragmentSlice.
inline constexpr uint64_t kBlockSlice = 20'000;

// Blocks that a host thread keeps waiting before it stops starting new ones, while another host thread still works.
// More would fill memory with blocks that only poll; fewer would leave the thread idle.
inline constexpr size_t kEnoughInFlight = 8;

// A warp or block spins when at least one in so many of its instructions polls. The shortest loops that poll have 4 to
// 24 instructions (program/wait_loop.cc), so that a spinning warp polls more often than this.
inline constexpr uint64_t kSpinShare = 64;

// How many instructions a warp may run while lanes of it wait at a join, before those lanes go on without the others.
// Lanes that meet again run together, which is what hardware mostly does. Lanes that never come, since they wait for
// the lanes at the join, must not hang the warp.
inline constexpr uint64_t kPatience = 1'000'000;       // a warp that works: far beyond an honest divergent loop
inline constexpr uint64_t kSpinningPatience = 20'000;  // a warp that spins: most likely it waits for its own lanes
inline constexpr uint64_t kLaterPatience = 1'000;      // a warp that has waited for its own lanes once already

// How many blocks a host thread takes at a time: the rest of them divided by kLeastShares, and at most kMostReserved.
// With more, other host threads have no work at the end. With fewer, host threads write the same cache lines: if 16
// blocks write 128 bytes each, the bits that say so fill four lines.
inline constexpr uint64_t kLeastShares = 64;
inline constexpr uint64_t kMostReserved = 16;

// How many instructions one nanosleep counts as towards kPatience: a warp that sleeps has nothing to do.
inline constexpr uint64_t kSleepCounts = 1'000;

// How long all blocks may poll in vain before that is a deadlock, in ms. The host may still write what they wait for,
// through mapped or managed memory.
inline constexpr int kHostPatienceMs = 200;

}  // namespace warpgrade::emulator
