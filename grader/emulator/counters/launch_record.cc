#include "grader/emulator/counters/launch_record.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpgrade::emulator {
namespace {

// Adds what one instruction did to the counters of its class.
void Fold(const InstStats& s, CountClass c, uint8_t packed, Counters* to) {
  if (c == CountClass::kNone) return;
  to->warp_instructions += s.executions;
  to->thread_instructions += s.lanes;
  to->active_lane_sum += s.active_lanes;
  const uint64_t* d = s.detail;
  uint64_t lanes = s.lanes * packed;
  switch (c) {
    case CountClass::kBranch:
      to->branches += s.executions;
      to->divergent_branches += d[0];
      break;
    case CountClass::kGlobalLoad:
      to->global_load_requests += d[0];
      to->global_load_sectors += d[1];
      to->global_load_bytes += d[2];
      break;
    case CountClass::kGlobalStore:
      to->global_store_requests += d[0];
      to->global_store_sectors += d[1];
      to->global_store_bytes += d[2];
      break;
    case CountClass::kGlobalAtomic:
      to->global_atomic_requests += d[0];
      to->global_atomic_sectors += d[1];
      to->global_atomic_bytes += d[2];
      to->global_atomic_lanes += s.lanes;
      break;
    case CountClass::kAsyncCopy:
      to->global_load_requests += d[0];
      to->global_load_sectors += d[1];
      to->global_load_bytes += d[2];
      to->shared_store_requests += d[3];
      to->shared_store_wavefronts += d[4];
      to->shared_store_ideal_wavefronts += d[5];
      break;
    case CountClass::kSharedLoad:
      to->shared_load_requests += d[3];
      to->shared_load_wavefronts += d[4];
      to->shared_load_ideal_wavefronts += d[5];
      break;
    case CountClass::kSharedStore:
      to->shared_store_requests += d[3];
      to->shared_store_wavefronts += d[4];
      to->shared_store_ideal_wavefronts += d[5];
      break;
    case CountClass::kSharedAtomic:
      to->shared_atomic_requests += d[3];
      to->shared_atomic_wavefronts += d[4];
      break;
    case CountClass::kLocal:
      to->local_requests += d[6];
      to->local_bytes += d[7];
      break;
    case CountClass::kShuffle:
      to->shuffles += s.executions;
      break;
    case CountClass::kVote:
      to->votes += s.executions;
      break;
    case CountClass::kBarrier:
      to->barriers += d[0];
      break;
    case CountClass::kFAdd:
      to->fadd += lanes;
      break;
    case CountClass::kFMul:
      to->fmul += lanes;
      break;
    case CountClass::kFFma:
      to->ffma += lanes;
      break;
    case CountClass::kDAdd:
      to->dadd += lanes;
      break;
    case CountClass::kDMul:
      to->dmul += lanes;
      break;
    case CountClass::kDFma:
      to->dfma += lanes;
      break;
    case CountClass::kHAdd:
      to->hadd += lanes;
      break;
    case CountClass::kHMul:
      to->hmul += lanes;
      break;
    case CountClass::kHFma:
      to->hfma += lanes;
      break;
    default:
      break;
  }
}

// A generic access counts where it went: as loads (0), stores (1) or atomics (2).
void FoldGeneric(const InstStats& s, uint8_t direction, Counters* to) {
  CountClass global[] = {CountClass::kGlobalLoad, CountClass::kGlobalStore, CountClass::kGlobalAtomic};
  CountClass shared[] = {CountClass::kSharedLoad, CountClass::kSharedStore, CountClass::kSharedAtomic};
  Fold(s, global[direction], 1, to);
  InstStats rest;  // without counting the instruction again
  std::copy(s.detail, s.detail + 8, rest.detail);
  Fold(rest, shared[direction], 1, to);
  Fold(rest, CountClass::kLocal, 1, to);
}

}  // namespace

LaunchRecord CountLaunch(const Program& program, const std::vector<InstStats>& stats,
                         const std::vector<uint64_t>& wave64, bool line_counters) {
  LaunchRecord record;
  std::map<std::pair<int32_t, int>, Counters> lines;
  for (const FunctionCode& f : program.functions) {
    for (const Inst& i : f.code) {
      const InstStats& s = stats[i.index];
      if (s.executions == 0 || i.count_class == CountClass::kNone) continue;
      Counters c;
      if (i.count_class == CountClass::kGeneric) {
        FoldGeneric(s, i.small, &c);
      } else {
        Fold(s, i.count_class, i.vector == 2 && i.count_class >= CountClass::kHAdd ? 2 : 1, &c);
      }
      if (!wave64.empty()) c.wave64_instructions = wave64[i.index];
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
