// Tested by tests/emulator/exec/wave64_test.cc.
#include "grader/emulator/counters/wave64.h"

#include <algorithm>

namespace warpgrade::emulator {

Wave64Counter::Wave64Counter(const Program& program, const std::vector<InstStats>& stats,
                             const std::vector<RunStats>& runs)
    : program_(program), stats_(stats), runs_(runs), seen_(stats.size()), issued_(stats.size()) {}

void Wave64Counter::Ran(Block& block, const Warp& warp) {
  const size_t size = stats_.size();
  block.wave64.resize(block.warps.size() * size);
  uint64_t* const own = block.wave64.data() + static_cast<size_t>(warp.index) * size;
  for (const FunctionCode& function : program_.functions) {
    uint64_t through = 0;  // as in Interpreter::FinishStats
    for (const Inst& i : function.code) {
      uint64_t executions = stats_[i.index].executions;
      if (i.run != 0) {
        through += runs_[i.index].executions;
        executions += through;
        if (i.run == 1) through = 0;
      }
      own[i.index] += executions - seen_[i.index];
      seen_[i.index] = executions;
    }
  }
}

void Wave64Counter::LineUp(Block& block) {
  const size_t size = stats_.size();
  const size_t warps = block.wave64.size() / size;
  for (size_t w = 0; w < warps; w += 2) {
    const uint64_t* const one = block.wave64.data() + w * size;
    const bool has_partner = w + 1 < warps;  // otherwise the last wavefront has only 32 lanes
    for (size_t k = 0; k < size; ++k) issued_[k] += has_partner ? std::max(one[k], one[size + k]) : one[k];
  }
  std::fill(block.wave64.begin(), block.wave64.end(), 0);
}

}  // namespace warpgrade::emulator
