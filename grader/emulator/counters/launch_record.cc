// Adds up what each instruction counted during a launch, for the whole launch and for each source line. An
// instruction's CountClass decides what its numbers mean. Tested by tests/emulator/exec/counters_test.cc.
#include "grader/emulator/counters/launch_record.h"

#include <map>
#include <utility>

namespace warpgrade::emulator {
namespace {

void FoldGlobalLoad(const InstStats& s, Counters* to) {
  to->global_load_requests += s.global.requests;
  to->global_load_sectors += s.global.sectors;
  to->global_load_bytes += s.global.bytes;
}
void FoldGlobalStore(const InstStats& s, Counters* to) {
  to->global_store_requests += s.global.requests;
  to->global_store_sectors += s.global.sectors;
  to->global_store_bytes += s.global.bytes;
}
void FoldGlobalAtomic(const InstStats& s, Counters* to) {
  to->global_atomic_requests += s.global.requests;
  to->global_atomic_sectors += s.global.sectors;
  to->global_atomic_bytes += s.global.bytes;
  to->global_atomic_lanes += s.lanes;
}
void FoldSharedLoad(const InstStats& s, Counters* to) {
  to->shared_load_requests += s.shared.requests;
  to->shared_load_wavefronts += s.shared.wavefronts;
  to->shared_load_ideal_wavefronts += s.shared.ideal_wavefronts;
}
void FoldSharedStore(const InstStats& s, Counters* to) {
  to->shared_store_requests += s.shared.requests;
  to->shared_store_wavefronts += s.shared.wavefronts;
  to->shared_store_ideal_wavefronts += s.shared.ideal_wavefronts;
}
void FoldSharedAtomic(const InstStats& s, Counters* to) {
  to->shared_atomic_requests += s.shared.requests;
  to->shared_atomic_wavefronts += s.shared.wavefronts;
}
void FoldLocal(const InstStats& s, Counters* to) {
  to->local_requests += s.local.requests;
  to->local_bytes += s.local.bytes;
}

// Adds the counts of a load, store or atomic through generic addresses, which may have accessed several spaces.
void FoldGeneric(const InstStats& s, AccessDirection direction, Counters* to) {
  constexpr void (*kGlobal[])(const InstStats&, Counters*) = {FoldGlobalLoad, FoldGlobalStore, FoldGlobalAtomic};
  constexpr void (*kShared[])(const InstStats&, Counters*) = {FoldSharedLoad, FoldSharedStore, FoldSharedAtomic};
  kGlobal[static_cast<size_t>(direction)](s, to);
  kShared[static_cast<size_t>(direction)](s, to);
  FoldLocal(s, to);
}

// The counter of floating-point operations for a class; null if the class does none.
uint64_t Counters::*OperationsOf(CountClass c) {
  switch (c) {
    case CountClass::kFAdd:
      return &Counters::fadd;
    case CountClass::kFMul:
      return &Counters::fmul;
    case CountClass::kFFma:
      return &Counters::ffma;
    case CountClass::kDAdd:
      return &Counters::dadd;
    case CountClass::kDMul:
      return &Counters::dmul;
    case CountClass::kDFma:
      return &Counters::dfma;
    case CountClass::kHAdd:
      return &Counters::hadd;
    case CountClass::kHMul:
      return &Counters::hmul;
    case CountClass::kHFma:
      return &Counters::hfma;
    default:
      return nullptr;
  }
}

// Adds what an instruction of class `c` did beyond being executed. `direction` is that of a generic access.
void FoldClass(const InstStats& s, CountClass c, AccessDirection direction, Counters* to) {
  switch (c) {
    case CountClass::kBranch:
      to->branches += s.executions;
      to->divergent_branches += s.divergent();
      break;
    case CountClass::kBarrier:
      to->barriers += s.completed();
      break;
    case CountClass::kShuffle:
      to->shuffles += s.executions;
      break;
    case CountClass::kVote:
      to->votes += s.executions;
      break;
    case CountClass::kGlobalLoad:
    case CountClass::kConstantLoad:
      return FoldGlobalLoad(s, to);
    case CountClass::kGlobalStore:
      return FoldGlobalStore(s, to);
    case CountClass::kGlobalAtomic:
      return FoldGlobalAtomic(s, to);
    case CountClass::kSharedLoad:
      return FoldSharedLoad(s, to);
    case CountClass::kSharedStore:
      return FoldSharedStore(s, to);
    case CountClass::kSharedAtomic:
      return FoldSharedAtomic(s, to);
    case CountClass::kLocal:
      return FoldLocal(s, to);
    case CountClass::kAsyncCopy:
      FoldGlobalLoad(s, to);
      return FoldSharedStore(s, to);
    case CountClass::kGeneric:
      return FoldGeneric(s, direction, to);
    default:
      break;
  }
}

// Adds what one instruction did.
void Fold(const InstStats& s, const Inst& i, Counters* to) {
  to->warp_instructions += s.executions;
  to->thread_instructions += s.lanes;
  to->active_lane_sum += s.active_lanes;
  FoldClass(s, i.count_class, i.access, to);
  if (uint64_t Counters::*operations = OperationsOf(i.count_class); operations != nullptr) {
    const bool packed = i.vector == 2;  // two halves or singles in each lane
    to->*operations += packed ? 2 * s.lanes : s.lanes;
  }
}

}  // namespace

LaunchRecord CountLaunch(const Program& program, const std::vector<InstStats>& stats,
                         const std::vector<uint64_t>& wave64, bool line_counters) {
  LaunchRecord record;
  record.wave_lanes = program.wave_lanes;
  std::map<std::pair<int32_t, int>, Counters> lines;
  for (const FunctionCode& f : program.functions) {
    for (const Inst& i : f.code) {
      const InstStats& s = stats[i.index];
      if (s.executions == 0 || i.count_class == CountClass::kNone) continue;
      Counters c;
      Fold(s, i, &c);
      record.strong_accesses |= (i.order & kStrong) != 0;
      if (!wave64.empty()) c.wave64_instructions = wave64[i.index];
      if (program.wave_lanes == kWaveLanes) c.wave64_instructions = s.executions;
      record.counters.Add(c);
      const InstOrigin& origin = program.origins[i.index];
      if (line_counters && origin.line > 0) lines[{origin.file, origin.line}].Add(c);
    }
  }
  for (auto& [key, counters] : lines) {
    LineCounters line;
    if (key.first >= 0 && static_cast<size_t>(key.first) < program.module->files.size()) {
      line.file = program.module->files[static_cast<size_t>(key.first)];
    }
    line.line = key.second;
    line.counters = counters;
    record.lines.push_back(std::move(line));
  }
  return record;
}

}  // namespace warpgrade::emulator
