// Gives each host thread a scheduler of blocks, runs them all until the launch is over or suspended, and adds up what
// they counted. Tested by tests/emulator/exec/grid_test.cc.
#include "grader/emulator/machine/grid.h"

#include <algorithm>
#include <cfenv>
#include <mutex>
#include <utility>

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

void FillWarpThreads(LaunchShared* launch) {
  const Dim3& b = launch->block;
  const uint64_t threads = b.Count();
  launch->warp_threads.resize((threads + kLanes - 1) / kLanes);
  for (uint32_t t = 0; t < threads; ++t) {
    WarpThreads& w = launch->warp_threads[t / kLanes];
    const uint32_t lane = t % kLanes;
    w.tid[0][lane] = t % b.x;
    w.tid[1][lane] = t / b.x % b.y;
    w.tid[2][lane] = t / b.x / b.y;
    w.existing |= 1u << lane;
  }
}

Grid::Grid(LaunchShared& launch, int most_threads, HostThreads& host_threads, std::vector<KeptRegisters>& kept)
    : launch_(launch),
      host_threads_(host_threads),
      kept_(kept),
      // Blocks on different host threads wait for each other, so each scheduler needs its own thread.
      threads_(host_threads.Reserve(static_cast<size_t>(std::min<uint64_t>(
          static_cast<uint64_t>(std::max(1, most_threads)), std::max<uint64_t>(1, launch.grid.Count()))))),
      activity_(threads_) {
  kept_.resize(std::max(kept_.size(), threads_));
  for (size_t t = 0; t < threads_; ++t) {
    schedulers_.push_back(std::make_unique<BlockScheduler>(launch, activity_, t, std::exchange(kept_[t], {})));
  }
}

bool Grid::Run() {
  launch_.suspended.store(false);
  for (const auto& scheduler : schedulers_) scheduler->Prepare();
  {
    // What came back before may have waited for what others have written since.
    const std::lock_guard lock(launch_.repeats.mutex);
    launch_.repeats.Renew();
  }
  {
    const ScopedDefaultArithmetic arithmetic;
    host_threads_.Run(threads_, [this](size_t t) { schedulers_[t]->Run(); });
  }
  const bool cancelled = launch_.options->cancel != nullptr && launch_.options->cancel->load();
  return !launch_.suspended.load() || launch_.fatal.load() != 0 || cancelled;
}

uint64_t Grid::Writes() const {
  uint64_t sum = 0;
  for (const auto& scheduler : schedulers_) sum += scheduler->Writes();
  return sum;
}

GridResult Grid::Finish() {
  GridMerge merge(launch_);
  for (size_t t = 0; t < threads_; ++t) {
    kept_[t] = schedulers_[t]->TakeKept();
    schedulers_[t]->AddTo(merge);
  }
  return merge.Finish();
}

}  // namespace warpgrade::emulator
