// The interpreter loop for wavefronts of 64 lanes: it executes an instruction with one half of the wavefront, then with
// the other, and counts it once. Tested by tests/emulator/exec/wave_test.cc.
#include "grader/emulator/machine/interpreter.h"
#include "grader/emulator/machine/wave.h"

namespace warpgrade::emulator {
namespace {

// A request of both halves is one request of the wavefront.
void CountOneRequest(uint64_t before, uint64_t* requests) {
  if (*requests > before) *requests = before + 1;
}

uint64_t Count(const WaveMask& mask) { return static_cast<uint64_t>(__builtin_popcountll(mask.Bits())); }

}  // namespace

uint64_t Interpreter::RunWave(Wave& wave, uint64_t slice) {
  if (of_whole_wave_.empty()) {
    of_whole_wave_.resize(stats_.size());
    for (const FunctionCode& function : x_.launch->program->functions) {
      for (const Inst& i : function.code) of_whole_wave_[i.index] = IsOfWholeWave(i.handler) ? 1 : 0;
    }
  }
  uint64_t ran = 0;
  do {
    StepWave(wave);
    ++ran;
  } while (!x_.leave && ran < slice);
  return ran;
}

void Interpreter::StepWave(Wave& wave) {
  const Inst& i = x_.code[x_.pc];
  x_.pc += 1;
  const WaveMask on = wave.Guarded(i);
  InstStats& s = stats_[i.index];
  s.executions += 1;
  s.active_lanes += Count(wave.Active());
  s.lanes += Count(on);
  if (of_whole_wave_[i.index] != 0) {
    i.handler(x_, i);
    return;
  }
  const uint64_t global = s.global.requests, shared = s.shared.requests, local = s.local.requests;
  for (size_t h = 0; h < wave.halves(); ++h) {
    if (on.half[h] == 0) continue;
    wave.EnterHalf(x_, h, on.half[h]);
    i.handler(x_, i);
  }
  CountOneRequest(global, &s.global.requests);
  CountOneRequest(shared, &s.shared.requests);
  CountOneRequest(local, &s.local.requests);
}

}  // namespace warpgrade::emulator
