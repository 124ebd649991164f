// Tested by tests/emulator/exec/grid_test.cc.
#include "grader/emulator/machine/grid.h"

#include <algorithm>
#include <cfenv>
#include <memory>
#include <utility>

#include "grader/emulator/machine/block_scheduler.h"

namespace warpgrade::emulator {
namespace {

// Resets the host's floating-point environment to the GPU's behaviour while it lives, because the host program may have
// changed it.
class ScopedDefaultArithmetic {
 public:
  ScopedDefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ScopedDefaultArithmetic() { std::fesetenv(&before_); }
  ScopedDefaultArithmetic(const ScopedDefaultArithmetic&) = delete;
  ScopedDefaultArithmetic& operator=(const ScopedDefaultArithmetic&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace

GridResult RunGrid(LaunchShared& launch, int most_threads, HostThreads& host_threads,
                   std::vector<KeptRegisters>& kept) {
  // Blocks on different host threads wait for each other, so each scheduler needs its own thread.
  const uint64_t blocks = std::max<uint64_t>(1, launch.grid.Count());
  const size_t threads = host_threads.Reserve(
      static_cast<size_t>(std::min<uint64_t>(static_cast<uint64_t>(std::max(1, most_threads)), blocks)));
  Activity activity(threads);
  std::vector<std::unique_ptr<BlockScheduler>> schedulers;
  kept.resize(std::max(kept.size(), threads));
  for (size_t t = 0; t < threads; ++t) {
    schedulers.push_back(std::make_unique<BlockScheduler>(launch, activity, t, std::exchange(kept[t], {})));
  }
  {
    const ScopedDefaultArithmetic arithmetic;
    host_threads.Run(threads, [&schedulers](size_t t) { schedulers[t]->Run(); });
  }
  GridMerge merge(launch);
  for (size_t t = 0; t < threads; ++t) {
    kept[t] = schedulers[t]->TakeKept();
    schedulers[t]->AddTo(merge);
  }
  return merge.Finish();
}

}  // namespace warpgrade::emulator
