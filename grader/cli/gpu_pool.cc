#include "grader/cli/gpu_pool.h"

#include <algorithm>

namespace warpgrade::cli {

GpuPool::GpuPool(const std::vector<std::string>& uuids) {
  if (uuids.size() < 2) gpus_.emplace_back();
  for (const std::string& uuid : uuids) {
    if (uuids.size() > 1) gpus_.push_back({uuid, 0});
  }
}

std::shared_ptr<const std::string> GpuPool::Take() {
  const std::lock_guard lock(mutex_);
  Gpu& gpu = *std::ranges::min_element(gpus_, {}, &Gpu::rungs);
  ++gpu.rungs;
  return {&gpu.uuid, [this, &gpu](const std::string*) {
            const std::lock_guard give_back(mutex_);
            --gpu.rungs;
          }};
}

}  // namespace warpgrade::cli
