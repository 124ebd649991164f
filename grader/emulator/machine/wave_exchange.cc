// Shuffles, votes and ballots of wavefronts of 64 lanes. HIP gives them no member mask: the lanes that are here take
// part, and nobody waits for others. Tested by tests/emulator/exec/wave_test.cc.
#include <fmt/format.h>

#include <array>
#include <string>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/wave.h"

namespace warpgrade::emulator {
namespace {

size_t Index(int i) { return static_cast<size_t>(i); }

template <typename T>
T* RowOf(const Wave& wave, size_t h, uint32_t offset) {
  const Fragment& f = wave.Current(h);
  return reinterpret_cast<T*>(wave.half(h).frames[Index(f.frame)].registers + offset);
}

// Returns false, and stops the launch, if some lane has another member mask.
bool HasMembers(Exec& x, const Inst& i, const Wave& wave, const WaveMask& on, uint32_t row, uint32_t members) {
  for (size_t h = 0; h < wave.halves(); ++h) {
    const uint32_t* const masks = RowOf<uint32_t>(wave, h, row);
    for (LaneMask m = on.half[h]; m != 0; m &= m - 1) {
      if (masks[__builtin_ctz(m)] == members) continue;
      RefuseInWave(x, i);
      return false;
    }
  }
  return true;
}

void SetPredicate(const Wave& wave, const WaveMask& on, uint32_t row, const WaveMask& value) {
  for (size_t h = 0; h < wave.halves(); ++h) {
    LaneMask* const p = RowOf<LaneMask>(wave, h, row);
    *p = (*p & ~on.half[h]) | (value.half[h] & on.half[h]);
  }
}

// The lanes of `on` whose predicate is true.
WaveMask VotesOf(const Wave& wave, const Inst& i, const WaveMask& on) {
  WaveMask votes;
  for (size_t h = 0; h < wave.halves(); ++h) {
    const LaneMask p = *RowOf<LaneMask>(wave, h, i.a);
    votes.half[h] = (i.imm == 1 ? ~p : p) & on.half[h];
  }
  return votes;
}

// Why a lane does not take part.
const char* WhyAbsent(const Wave& wave, int lane) {
  const size_t h = Index(lane / kLanes);
  const LaneMask bit = 1u << lane % kLanes;
  if (h >= wave.halves() || (wave.half(h).existing & bit) == 0)
    return "it does not exist, because the block is too small";
  return (wave.half(h).alive & bit) == 0 ? "it has returned from the kernel" : "it is in another branch";
}

void ReportAbsent(Exec& x, const Inst& i, const Wave& wave, int lane, int source) {
  wave.EnterHalf(x, Index(lane / kLanes), 1u << lane % kLanes);
  Report(x, i, FindingKind::kBadShuffleMask, lane % kLanes, 0, 0,
         fmt::format("lane {} of the wavefront takes a value from lane {}, which does not take part in this shuffle "
                     "({}); what it gets is undefined",
                     lane, source, WhyAbsent(wave, source)));
}

}  // namespace

void WaveShuffle(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask on = wave.Guarded(i);
  if (on.None() || !HasMembers(x, i, wave, on, i.member_mask, kWaveMembers)) return;
  std::array<uint32_t, kWaveLanes> values{};  // a copy, because dst may be the same row as a
  for (size_t h = 0; h < wave.halves(); ++h) {
    __builtin_memcpy(values.data() + h * kLanes, RowOf<uint32_t>(wave, h, i.a), sizeof(uint32_t) * kLanes);
  }
  for (size_t h = 0; h < wave.halves(); ++h) {
    const uint32_t* const from = RowOf<uint32_t>(wave, h, i.b);
    uint32_t* const to = RowOf<uint32_t>(wave, h, i.dst);
    for (LaneMask m = on.half[h]; m != 0; m &= m - 1) {
      const int lane = __builtin_ctz(m), source = static_cast<int>(from[lane] % kWaveLanes);
      to[lane] = values[Index(source)];
      if (!on.Has(source)) ReportAbsent(x, i, wave, static_cast<int>(h) * kLanes + lane, source);
    }
  }
  if (i.second_dst != 0) SetPredicate(wave, on, i.second_dst, on);
}

void WaveVoteAll(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask on = wave.Guarded(i);
  if (on.None() || !HasMembers(x, i, wave, on, i.b, kWaveMembers)) return;
  SetPredicate(wave, on, i.dst, VotesOf(wave, i, on) == on ? on : WaveMask{});
}

void WaveVoteAny(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask on = wave.Guarded(i);
  if (on.None() || !HasMembers(x, i, wave, on, i.b, kWaveMembers)) return;
  SetPredicate(wave, on, i.dst, VotesOf(wave, i, on).None() ? WaveMask{} : on);
}

void WaveBallot(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask on = wave.Guarded(i);
  if (on.None()) return;
  const int first = on.First();
  const bool low = RowOf<uint32_t>(wave, Index(first / kLanes), i.b)[first % kLanes] == kWaveBallotLow;
  if (!HasMembers(x, i, wave, on, i.b, low ? kWaveBallotLow : kWaveBallotHigh)) return;
  const LaneMask votes = VotesOf(wave, i, on).half[low ? 0 : 1];
  for (size_t h = 0; h < wave.halves(); ++h) {
    uint32_t* const to = RowOf<uint32_t>(wave, h, i.dst);
    for (LaneMask m = on.half[h]; m != 0; m &= m - 1) to[__builtin_ctz(m)] = votes;
  }
}

void WaveLaneId(Exec& x, const Inst& i) {
  uint32_t* const d = Row<uint32_t>(x, i.dst);
  const uint32_t first = static_cast<uint32_t>(x.warp->index % 2 * kLanes);
  for (LaneMask m = x.mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = first + static_cast<uint32_t>(__builtin_ctz(m));
}

void RefuseInWave(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask active = wave.Active();
  const int lane = active.None() ? 0 : active.First();
  wave.EnterHalf(x, Index(lane / kLanes), active.half[Index(lane / kLanes)]);
  const ptx::Instruction* const from = x.launch->program->origins[i.index].instruction;
  std::string name = from == nullptr ? "this instruction" : from->opcode;
  if (from != nullptr) {
    for (const auto& modifier : from->modifiers) name += fmt::format(".{}", modifier);
  }
  Report(x, i, FindingKind::kUnsupported, lane % kLanes, 0, 0,
         fmt::format("{} does not exist in wavefronts of 64 lanes as it is used here; a HIP program can use what "
                     "hip/hip_runtime.h declares, such as __shfl_down() without a mask",
                     name));
}

}  // namespace warpgrade::emulator
