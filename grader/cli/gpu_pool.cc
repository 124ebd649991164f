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
  // Made first, because it needs memory.
  const std::shared_ptr<Gpu*> taken(new Gpu*(nullptr), [this](Gpu** gpu) {
    if (*gpu != nullptr) {
      const std::lock_guard lock(mutex_);
      --(*gpu)->rungs;
    }
    delete gpu;
  });
  const std::lock_guard lock(mutex_);
  *taken = &*std::ranges::min_element(gpus_, {}, [](const Gpu& gpu) { return std::pair(gpu.failed, gpu.rungs); });
  ++(*taken)->rungs;
  return {taken, &(*taken)->uuid};
}

void GpuPool::Report(const std::string& uuid, bool failed) {
  const std::lock_guard lock(mutex_);
  for (Gpu& gpu : gpus_) {
    if (gpu.uuid == uuid) gpu.failed = failed;
  }
}

}  // namespace warpgrade::cli
