// The parts that the state behind libcudart.so.13 is made of, one class by subject. This header names the parts and
// includes none of them: an API file includes the headers of those that it uses.
//
//   errors       error_state.h        last error, sticky error, explanations
//   device       device_link.h        the Backend that does the work, the emulated clock
//   modules      modules.h            fat binaries, kernels and variables of the program
//   allocations  allocations.h        device, pinned and managed memory
//   registered   registered_memory.h  host memory of the program's own
//   pools        memory_pools.h       pools of stream-ordered allocation
//   streams      streams.h            streams
//   events       events.h             events
//   captures     captures.h           streams that are being captured
//   graphs       graphs.h             graphs and executable graphs
//   settings     device_settings.h    limits and flags of the device
//   queue        work_queue.h         work that is not done when it is called
//
// Execution model: all work is done before the call that starts it returns, so it is done in the order of the calls.
// CUDA allows that order for any use of streams, so streams and events are only timed and checked. A program that does
// not order its work gets right results here, and a finding (order/stream_order.h, host_guard.h). The launch itself
// reports a kernel's fault, as with CUDA_LAUNCH_BLOCKING=1. There is one exception: a kernel that waits for later
// actions of the host is suspended, and the work after it is queued.
#pragma once

#include <driver_types.h>

#include <mutex>

#include "grader/cudart/handle_table.h"

namespace warpgrade::cudart {

class Allocations;
class Captures;
class DeviceLink;
class ErrorState;
class Graphs;
class MemoryPools;
class Modules;
class RegisteredMemory;
class Streams;
class WorkQueue;
struct DeviceSettings;
struct Event;

struct Runtime {
  // The process's one runtime. It is never destroyed, because programs call the API from their own static destructors.
  static Runtime& Get();

  // Drops what the program made on the device (cudaDeviceReset). Memory pools and registered host memory stay.
  void Reset();

  std::mutex mutex;  // guards all parts; Call (call.h) holds it while an API function runs

  ErrorState& errors;
  DeviceLink& device;
  Modules& modules;
  Allocations& allocations;
  RegisteredMemory& registered;
  MemoryPools& pools;
  Streams& streams;
  HandleTable<cudaEvent_t, Event>& events;
  Captures& captures;
  Graphs& graphs;
  DeviceSettings& settings;
  WorkQueue& queue;
};

}  // namespace warpgrade::cudart
