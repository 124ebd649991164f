// Spreads the rungs of a grading over the GPUs of the host. Each GPU has a queue of its own: of the rungs that are
// judged with it, one at a time uses it (judge/gpu_lock.h).
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warpgrade::cli {

// Thread-safe.
class GpuPool {
 public:
  // Their UUIDs. With one or none, there is nothing to choose.
  explicit GpuPool(const std::vector<std::string>& uuids);

  // At least 1.
  int size() const { return static_cast<int>(gpus_.size()); }

  // The UUID of the GPU that has the fewest rungs, and of several the first; "" with one or none. The rung has it until
  // the result and its copies are destroyed. This object must outlive them.
  [[nodiscard]] std::shared_ptr<const std::string> Take();

  // Tells how it went with this GPU. One on which the machine failed is given only if it failed on all: a broken GPU
  // fails quickly, so it would soon have the fewest rungs.
  void Report(const std::string& uuid, bool failed);

 private:
  struct Gpu {
    std::string uuid;
    bool failed = false;  // the last time
    int rungs = 0;
  };
  std::mutex mutex_;
  std::vector<Gpu> gpus_;
};

}  // namespace warpgrade::cli
