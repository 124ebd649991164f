// The kernels that the threads of one grid launch (CUDA's dynamic parallelism, "CDP2"). The machine collects them here
// while the grid runs. The device runs them after the grid's last block, which is a legal order: a grid cannot wait for
// its children. What is known of streams follows CUDA C++ Programming Guide 13.0, "CUDA Dynamic Parallelism".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/emulator/state/dim3.h"

namespace warpgrade::emulator {

// What the device runtime's functions return: values of cudaError_t.
enum class DeviceError : int32_t {
  kNone = 0,
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInvalidConfiguration = 9,
  kPendingCountExceeded = 69,
  kInvalidDeviceFunction = 98,
  kInvalidResourceHandle = 400,
  kLaunchOutOfResources = 701,
};

// "cudaErrorLaunchPendingCountExceeded", as cudaGetErrorName gives it. "unrecognized error code" for another number.
const char* Name(DeviceError error);
// As cudaGetErrorString gives it.
const char* Text(DeviceError error);

// A launch of a kernel by a thread.
struct ChildLaunch {
  uint32_t function = 0;  // in ptx::Module::functions
  Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;
  uint64_t parent_block = 0, parent_thread = 0;  // the thread that launched it
  uint32_t inst = 0;                             // Inst::index of the launch
  uint64_t number = 0;                           // of the grid's launches, from 0
};

// An access to global memory by a thread that had launched a child before, so that nothing orders it before the child.
// Nor after it: a kernel cannot wait for its children.
struct LaterAccess {
  uint64_t address = 0;
  uint32_t bytes = 0;
  bool writes = false, is_strong = false;
  uint32_t inst = 0;      // Inst::index
  uint64_t launched = 0;  // how many launches the grid had made
};
using LaterAccesses = std::map<std::pair<uint64_t, uint64_t>, std::vector<LaterAccess>>;  // by block and thread

// The launches of one grid that are to run: `children` one after another, then `tail` one after another.
struct ChildrenInOrder {
  std::vector<ChildLaunch> children, tail;
  LaterAccesses later;
};

// A launch that failed, and whose error nobody has read.
struct FailedChild {
  DeviceError error = DeviceError::kNone;
  uint32_t inst = 0;  // Inst::index of the launch
  uint64_t block = 0, thread = 0;
};

// Thread-safe but for the functions that say otherwise.
class ChildLaunches {
 public:
  static constexpr uint64_t kDefaultStream = 0, kLegacyStream = 1, kPerThreadStream = 2;
  static constexpr uint64_t kTailLaunch = 3, kFireAndForget = 4;

  // `room`: how many launches may be pending before one fails. `check`: whether the device can run a launch; it is
  // called by one thread at a time.
  ChildLaunches(uint64_t room, std::function<DeviceError(const ChildLaunch&)> check)
      : room_(room), check_(std::move(check)) {}

  // A thread got memory at `buffer` for the parameters of a launch.
  void Prepare(uint64_t buffer, ChildLaunch launch);
  // Takes what was prepared at `buffer`. False: nothing was.
  bool TakePrepared(uint64_t buffer, ChildLaunch* launch);
  DeviceError Launch(ChildLaunch launch, uint64_t stream);
  // Keeps memory for the rest of the grid under `name`, which `make` gets if it is not there yet.
  uint64_t Keep(const std::string& name, const std::function<uint64_t()>& make);
  // That memory, and the buffers of what was prepared and never launched.
  std::vector<uint64_t> Leftovers() const;

  // Remembers the access, or forgets it if there are too many.
  void NoteLater(uint64_t block, uint64_t thread, LaterAccess access);

  // Streams and events that kernels make, until the end of the grid.
  uint64_t MakeHandle();
  bool DropHandle(uint64_t handle);
  bool HasHandle(uint64_t handle) const;
  // A stream waits for an event: then only the order in time is certain to be right.
  void UseEvents() { in_time_ = true; }

  // The last error of a thread, which its next failed launch replaces.
  void Fail(const FailedChild& failed);
  DeviceError LastError(uint64_t block, uint64_t thread, bool clear);
  const std::map<std::pair<uint64_t, uint64_t>, FailedChild>& unread() const { return failed_; }  // not thread-safe

  // What the grid launched, in an order that CUDA allows. Blocks come in their order, which does not depend on the
  // number of host threads; or, with a seed, in another one. If the grid has streams of its own, which several blocks
  // may use, the launches come in the order in which they were made. Not thread-safe; called once.
  ChildrenInOrder Take(uint64_t seed);

 private:
  mutable std::mutex mutex_;
  const uint64_t room_;
  const std::function<DeviceError(const ChildLaunch&)> check_;
  std::map<uint64_t, ChildLaunch> prepared_;  // by buffer
  std::vector<ChildLaunch> children_, tail_;  // as they were made
  std::map<std::string, uint64_t> kept_;
  uint64_t launched_ = 0;
  LaterAccesses later_;
  size_t later_count_ = 0;
  std::set<uint64_t> handles_;
  uint64_t next_handle_ = 0x100;
  std::atomic<bool> in_time_{false};
  std::map<std::pair<uint64_t, uint64_t>, FailedChild> failed_;  // by block and thread
};

}  // namespace warpgrade::emulator
