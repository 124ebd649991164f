#include "grader/cudart/runtime.h"

#include "grader/cudart/allocations.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/device_settings.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/events.h"
#include "grader/cudart/fork.h"
#include "grader/cudart/graphs.h"
#include "grader/cudart/memory_pools.h"
#include "grader/cudart/modules.h"
#include "grader/cudart/open_device.h"
#include "grader/cudart/registered_memory.h"
#include "grader/cudart/streams.h"
#include "grader/cudart/work_queue.h"

namespace warpgrade::cudart {
namespace {

// Each part receives references to the parts that it uses, which are declared before it.
struct Parts {
  ErrorState errors;
  DeviceLink device{OpenDevice};
  Modules modules{device, errors};
  Streams streams{device};
  Captures captures{streams, errors};
  Allocations allocations{device, captures, errors};
  RegisteredMemory registered{device};
  MemoryPools pools;
  Events events;
  Graphs graphs{captures};
  DeviceSettings settings;
  WorkQueue queue;
};

}  // namespace

Runtime& Runtime::Get() {
  static Parts* parts = new Parts;
  static Runtime* runtime =
      new Runtime{{},           parts->errors,  parts->device, parts->modules,  parts->allocations, parts->registered,
                  parts->pools, parts->streams, parts->events, parts->captures, parts->graphs,      parts->settings,
                  parts->queue};
  static const bool kKept = (KeepLockOverForks(runtime->mutex), true);
  static_cast<void>(kKept);
  return *runtime;
}

void Runtime::Reset() {
  device.backend();
  queue.Progress(*this);
  queue.Clear(*this);
  device.Order(OrderOp::kHostWaitsAll);
  allocations.ReleaseAll();
  registered.DropCopies();
  streams.Clear();
  events.Clear();
  captures.Clear();
  graphs.Clear();
  settings.limits.clear();
  modules.Reset();
}

}  // namespace warpgrade::cudart
