// Wavefronts of 64 lanes, as AMD's GPUs have. A program that includes hip/hip_runtime.h has them.
//
// Warps 2k and 2k + 1 of a block are the halves of wavefront k. They execute each instruction together: first the lanes
// of one half, then those of the other, and only then the next instruction. So no lane is ever ahead of another lane of
// its wavefront on the same path, which is what lock step means.
//
//                          half 0            half 1
//   fragment k    pc, join   lanes 0-31        lanes 32-63     the same pc, join and state; one mask may be 0
//   join j        parent, pc expected, arrived expected, arrived   full when both halves are full
//
// The fragments, joins and frames of both halves have the same numbers. A branch on which the 64 lanes disagree splits
// the fragment in both halves, also if all lanes of one half agree. The parts meet again at the branch's reconvergence
// point.
//
// Other than on GPUs since Volta, diverged lanes do not run by turns: a fragment runs until it waits or ends. So a lane
// that spins until another lane of its wavefront has done something spins forever.
//
// The handlers here replace those of control flow, barriers and exchanges (wave_table.cc). All others execute the lanes
// of one half at a time. Tested by tests/emulator/exec/wave_test.cc and tests/hip.
#pragma once

#include <array>
#include <cstddef>

#include "grader/emulator/program/handler_table.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// The lanes of both halves.
struct WaveMask {
  std::array<LaneMask, 2> half{};

  bool None() const { return (half[0] | half[1]) == 0; }
  bool Has(int lane) const { return (half[static_cast<size_t>(lane / kLanes)] >> (lane % kLanes) & 1) != 0; }
  int First() const { return half[0] != 0 ? __builtin_ctz(half[0]) : kLanes + __builtin_ctz(half[1]); }
  uint64_t Bits() const { return half[0] | static_cast<uint64_t>(half[1]) << kLanes; }
  friend WaveMask operator-(WaveMask a, const WaveMask& b) {
    for (size_t h = 0; h < 2; ++h) a.half[h] &= ~b.half[h];
    return a;
  }
  friend bool operator==(const WaveMask& a, const WaveMask& b) { return a.half == b.half; }
};

// One wavefront of a block. Its second half is missing if the block has an odd number of warps and this is the last
// one.
class Wave {
 public:
  Wave(Block& block, size_t number);
  explicit Wave(Exec& x) : Wave(*x.block, static_cast<size_t>(x.warp->index) / 2) {}

  size_t halves() const { return warps_[1] == nullptr ? 1 : 2; }
  Warp& half(size_t h) const { return *warps_[h]; }
  bool Done() const { return warps_[0]->done && (warps_[1] == nullptr || warps_[1]->done); }

  // The fragment that runs.
  Fragment& Current(size_t h) const { return warps_[h]->fragments[static_cast<size_t>(warps_[h]->current)]; }
  WaveMask Active() const;
  // The active lanes for which the guard of `i` is true.
  WaveMask Guarded(const Inst& i) const;
  void SetActive(const WaveMask& mask) const;
  void SetState(FragmentState state) const;

  // Points x at fragment `fragment` of both halves, and at the lanes of the first half.
  void Enter(Exec& x, int32_t fragment) const;
  // Points x at the lanes of one half of the current fragment. `mask`: which of them execute.
  void EnterHalf(Exec& x, size_t h, LaneMask mask) const;
  // Writes x.pc back to the current fragment.
  void Leave(const Exec& x) const;

  // Adds a fragment to both halves. `like`: all but the lanes.
  void NewFragment(const Fragment& like, const WaveMask& mask) const;

 private:
  std::array<Warp*, 2> warps_{};
};

// The instructions of a HIP program, for Decode. An instruction that no wavefront of 64 lanes can execute gets a
// handler that says so when it is executed.
const HandlerTable& WaveHandlers();
// True if the handler executes an instruction for both halves at once.
bool IsOfWholeWave(Handler handler);

// In wave_control.cc: handlers for both halves.
void WaveBranch(Exec& x, const Inst& i);
void WaveBranchIndexed(Exec& x, const Inst& i);
void WaveReconverge(Exec& x, const Inst& i);
void WaveCall(Exec& x, const Inst& i);
void WaveReturn(Exec& x, const Inst& i);
void WaveExit(Exec& x, const Inst& i);
void WaveBarrier(Exec& x, const Inst& i);
void WaveBarrierReduce(Exec& x, const Inst& i);
void WaveFence(Exec& x, const Inst& i);

// In wave_exchange.cc. Member masks have 32 bits, so hip/hip_runtime.h writes one of these numbers in their place. They
// say that the lanes that are here take part. An instruction with any other mask is refused.
inline constexpr uint32_t kWaveMembers = 0x40640000;     // shfl.sync.idx, vote.sync.any and .all
inline constexpr uint32_t kWaveBallotLow = 0x40640001;   // vote.sync.ballot: the lanes 0 to 31 of the result
inline constexpr uint32_t kWaveBallotHigh = 0x40640002;  // and the lanes 32 to 63
void WaveShuffle(Exec& x, const Inst& i);                // b: the lane to take the value from, modulo 64
void WaveVoteAll(Exec& x, const Inst& i);
void WaveVoteAny(Exec& x, const Inst& i);
void WaveBallot(Exec& x, const Inst& i);
void WaveLaneId(Exec& x, const Inst& i);  // of one half
// Reports that wavefronts of 64 lanes do not have this instruction, and stops the launch.
void RefuseInWave(Exec& x, const Inst& i);

}  // namespace warpgrade::emulator
