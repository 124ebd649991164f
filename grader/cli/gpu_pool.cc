#include "grader/cli/gpu_pool.h"

#include <algorithm>
#include <utility>

namespace warpgrade::cli {

GpuPool::GpuPool(const std::vector<std::string>& uuids) {
  if (uuids.size() < 2) {
    gpus_.emplace_back();
    return;
  }
  for (const std::string& uuid : uuids) gpus_.push_back({uuid});
}

std::shared_ptr<const std::string> GpuPool::Take() {
  Gpu* gpu = nullptr;
  {
    const std::lock_guard lock(mutex_);
    gpu = &*std::ranges::min_element(gpus_, {}, [](const Gpu& g) { return std::pair(g.failed, g.rungs); });
    ++gpu->rungs;
  }
  // Without the lock, because it gives back at once if there is no memory.
  return {&gpu->uuid, [this, gpu](const std::string*) {
            const std::lock_guard lock(mutex_);
            --gpu->rungs;
          }};
}

void GpuPool::Report(const std::string& uuid, bool failed) {
  const std::lock_guard lock(mutex_);
  for (Gpu& gpu : gpus_) {
    if (gpu.uuid == uuid) gpu.failed = failed;
  }
}

}  // namespace warpgrade::cli
