// Pools for stream-ordered allocation. All work runs in the order of the calls, so a pool only counts bytes: it keeps
// no freed memory, and trimming it changes nothing.
#pragma once

#include <driver_types.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace warpgrade::cudart {

// Its address is the cudaMemPool_t that the program sees.
struct MemoryPool {
  uint64_t used_bytes = 0, most_used_bytes = 0;
  uint64_t release_threshold = 0;
  std::map<int, bool> flags;  // by cudaMemPoolAttr; true where not set

  void Take(uint64_t bytes) {
    used_bytes += bytes;
    most_used_bytes = std::max(most_used_bytes, used_bytes);
  }
  void GiveBack(uint64_t bytes) { used_bytes -= bytes; }
};

// Thread-compatible: Runtime::mutex guards it. Pools survive cudaDeviceReset. A pool that is destroyed lives on,
// without a name, until its last allocation is freed.
class MemoryPools {
 public:
  cudaMemPool_t Create() {
    auto pool = std::make_shared<MemoryPool>();
    const cudaMemPool_t handle = HandleOf(*pool);
    pools_.emplace(handle, std::move(pool));
    return handle;
  }
  // Returns false if the handle is not one of the program's own pools. If the pool was the current one, the default
  // pool becomes the current one.
  bool Destroy(cudaMemPool_t handle) {
    if (handle == current_) current_ = nullptr;
    return pools_.erase(handle) == 1;
  }
  // nullptr: the handle is neither the default pool's nor a live pool's.
  std::shared_ptr<MemoryPool> Find(cudaMemPool_t handle) const {
    if (handle == HandleOf(*default_)) return default_;
    const auto found = pools_.find(handle);
    return found == pools_.end() ? nullptr : found->second;
  }

  cudaMemPool_t default_handle() const { return HandleOf(*default_); }
  // The pool of cudaMallocAsync: the default one, or the one that SetCurrent named. REQUIRES of SetCurrent: live.
  cudaMemPool_t current_handle() const { return current_ == nullptr ? default_handle() : current_; }
  void SetCurrent(cudaMemPool_t handle) { current_ = handle; }

 private:
  static cudaMemPool_t HandleOf(const MemoryPool& pool) {
    return reinterpret_cast<cudaMemPool_t>(const_cast<MemoryPool*>(&pool));
  }

  const std::shared_ptr<MemoryPool> default_ = std::make_shared<MemoryPool>();
  std::unordered_map<cudaMemPool_t, std::shared_ptr<MemoryPool>> pools_;
  cudaMemPool_t current_ = nullptr;  // nullptr: the default one
};

}  // namespace warpgrade::cudart
