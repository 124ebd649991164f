// What a host thread counts while it runs a launch, for each instruction of the program. counters/launch_record.cc
// makes the counters of a launch from it. Memory is counted as profilers for GPUs do: by request (one instruction of
// one warp, with at least one lane whose access is legal), by sector (32 bytes of global memory) and by wavefront (one
// turn of the 32 banks of shared memory).
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

struct InstStats {
  struct Global {
    uint64_t requests = 0, sectors = 0;
    uint64_t bytes = 0;  // that lanes asked for
  };
  struct Shared {
    uint64_t requests = 0, wavefronts = 0;
    uint64_t ideal_wavefronts = 0;  // without any bank conflict
  };
  struct Local {
    uint64_t requests = 0;
    uint64_t bytes = 0;  // that lanes asked for
  };

  uint64_t executions = 0;
  uint64_t lanes = 0;         // guard applied
  uint64_t active_lanes = 0;  // guard ignored
  Global global;              // an access through a generic address may count in all three spaces
  Shared shared;
  Local local;

  // Branches and barriers access no memory, so each counts in a member that it does not need.
  uint64_t& divergent() { return global.requests; }  // of a branch: executions whose lanes went both ways
  uint64_t divergent() const { return global.requests; }
  uint64_t& completed() { return shared.requests; }  // of a barrier: how often a block completed it
  uint64_t completed() const { return shared.requests; }

  void Add(const InstStats& other) {
    executions += other.executions;
    lanes += other.lanes;
    active_lanes += other.active_lanes;
    global.requests += other.global.requests;
    global.sectors += other.global.sectors;
    global.bytes += other.global.bytes;
    shared.requests += other.shared.requests;
    shared.wavefronts += other.shared.wavefronts;
    shared.ideal_wavefronts += other.shared.ideal_wavefronts;
    local.requests += other.local.requests;
    local.bytes += other.local.bytes;
  }
};
// Each access touches one of these: a larger one costs time.
static_assert(sizeof(InstStats) == 11 * sizeof(uint64_t), "name a new member in InstStats::Add too");

// How often a run of instructions (Inst::run) was entered at one of them.
struct RunStats {
  uint64_t executions = 0, active_lanes = 0;
};

}  // namespace warpgrade::emulator
