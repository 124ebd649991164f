// Which handlers the instructions of a HIP program get. Most are those of any program. A row here replaces the others,
// or refuses what only NVIDIA's GPUs have. Tested by tests/emulator/exec/wave_test.cc.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/machine/wave.h"

namespace warpgrade::emulator {
namespace {

constexpr HandlerEntry kReplaced[] = {
    {"bra", WaveBranch},
    {"bra.wait", WaveBranch},
    {"brx.idx", WaveBranchIndexed},
    {"reconverge", WaveReconverge},
    {"call", WaveCall},
    {"ret", WaveReturn},
    {"exit", WaveExit},
    {"bar.sync", WaveBarrier},
    {"bar.red", WaveBarrierReduce},
    {"fence", WaveFence},
    {"shfl.sync.idx.b32", WaveShuffle},
    {"vote.sync.all.pred", WaveVoteAll},
    {"vote.sync.any.pred", WaveVoteAny},
    {"vote.sync.ballot.b32", WaveBallot},
    {"mov.%laneid", WaveLaneId},
};

// Warps of 32 lanes, member masks of 32 bits, and calls by pointer.
constexpr std::string_view kRefused[] = {"call.indirect", "bar.arrive",     "bar.warp.sync", "vote.sync.uni.pred",
                                         "elect.sync",    "activemask.b32", "mov.%warpid",   "mov.%nwarpid",
                                         "movmatrix.b16", "matrix.rows"};
constexpr std::string_view kRefusedFamilies[] = {"shfl.", "match.",    "redux.",         "mma.",       "wmma.",
                                                 "cp.",   "mbarrier.", "mov.%lanemask_", "call.__cuda"};

class WaveTable : public HandlerTable {
 public:
  Handler Find(const char* key) const override {
    const std::string_view name = key;
    for (const HandlerEntry& entry : kReplaced) {
      if (name == entry.key) return entry.handler;
    }
    const Handler usual = MachineHandlers().Find(key);
    const bool refused =
        std::find(std::begin(kRefused), std::end(kRefused), name) != std::end(kRefused) ||
        std::any_of(std::begin(kRefusedFamilies), std::end(kRefusedFamilies),
                    [name](std::string_view family) { return name.substr(0, family.size()) == family; });
    return refused && usual != nullptr ? RefuseInWave : usual;
  }
  // Each instruction runs alone, because both halves execute it before the next one.
  RunRole RoleOf(Handler) const override { return RunRole::kNone; }
};

}  // namespace

const HandlerTable& WaveHandlers() {
  static const WaveTable kTable;
  return kTable;
}

bool IsOfWholeWave(Handler handler) {
  if (handler == WaveLaneId) return false;
  return handler == RefuseInWave || std::any_of(std::begin(kReplaced), std::end(kReplaced),
                                                [handler](const HandlerEntry& e) { return e.handler == handler; });
}

}  // namespace warpgrade::emulator
