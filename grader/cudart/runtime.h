// The state behind libcudart.so.13: what the program registered, what it opened, and the Backend that does the work.
// API functions are thin: `return Call("cudaMalloc", [&](Runtime& runtime) { ... })`.
//
// Execution model: everything runs to its end before the call that asked for it returns, in the order of the calls.
// That is one of the orders that CUDA allows for any use of streams, so streams and events are only checked and timed.
// Kernel faults therefore surface at the launch itself, as with CUDA_LAUNCH_BLOCKING=1.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "grader/cudart/backend.h"
#include "grader/cudart/graph.h"

namespace warpgrade::cudart {

// One fat binary of the program; loaded when something of it is first used.
struct Module {
  const void* fatbin = nullptr;  // at its header; nullptr when the wrapper was not one
  bool tried = false;
  cudaError_t error = cudaSuccess;  // of loading, once tried
  ModuleHandle handle = 0;
};

// A __global__ function. Its address is the cudaKernel_t and cudaFunction_t that the program sees.
struct Function {
  Module* module = nullptr;
  std::string name;  // mangled
  std::optional<Kernel> kernel;
  // Set by cudaFuncSetAttribute; by default what is left of the 48 KB that need no asking.
  std::optional<uint32_t> max_dynamic_shared_bytes;
  int shared_carveout = -1;
};

// How much dynamic shared memory a launch of the prepared `function` may ask for.
uint32_t MaxDynamicShared(const Function& function);

// A __device__, __constant__ or __managed__ variable.
struct Variable {
  Module* module = nullptr;
  std::string name;
  std::optional<AllocationInfo> place;
  void** managed = nullptr;  // __managed__: where the host code keeps the variable's address
};

// What cudaMemAdvise and cudaMemPrefetchAsync last said of a managed allocation; devices by their numbers.
struct Advice {
  bool read_mostly = false;
  int preferred_location = cudaInvalidDeviceId;
  int accessed_by = cudaInvalidDeviceId;
  int last_prefetch = cudaInvalidDeviceId;
};

// Its address is the cudaMemPool_t that the program sees.
struct MemoryPool {
  uint64_t used_bytes = 0, most_used_bytes = 0;
  uint64_t release_threshold = 0;
  std::map<int, bool> flags;  // by cudaMemPoolAttr; true where not set
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  std::map<int, cudaStreamAttrValue> attributes;  // by cudaStreamAttrID
};

struct Event {
  unsigned flags = 0;
  std::optional<uint64_t> recorded_ns;  // on the device's clock
  // When it was last recorded in a stream that was being captured: what a stream that waits for it depends on.
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode*> heads;
};

// A <<<>>> launch that failed, whose error nobody has asked for yet.
struct UncheckedLaunch {
  std::thread::id thread;
  cudaError_t error = cudaSuccess;
  std::string kernel;  // demangled; "" when it could not even be loaded
  dim3 grid, block;
  size_t shared_bytes = 0;
};

// What the program allocated and has not freed, by its address, which host and device share (but for kDevice).
struct OwnedMemory {
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kDevice;
  const char* api = "";   // the function that made it
  unsigned flags = 0;     // of cudaHostAlloc or cudaMallocManaged
  uint64_t sequence = 0;  // 1, 2, ... in the order of allocation
};

// Host memory that the program registered. Kernels see a copy of it, made before a launch and written back after it,
// from when cudaHostGetDevicePointer is first asked for its address.
struct RegisteredMemory {
  uint64_t bytes = 0;
  unsigned flags = 0;
  DevicePtr device = 0;  // of the copy; 0: not asked for
};

class Runtime {
 public:
  // The process's one runtime. Never destroyed: programs call the API from their own static destructors.
  static Runtime& Get();

  // The device, made at first use: the judge's when WARPGRADE_DEVICE_FD names its socket, else one in this process.
  Backend& backend();
  const DeviceFacts& facts();

  // What was registered at `host`, or the Function that is itself given as a handle; nullptr when there is none.
  Function* FindFunction(const void* host);
  Variable* FindVariable(const void* host);
  // Loads the module and finds the kernel; its error, explained on stderr once.
  cudaError_t Prepare(Function& function);
  cudaError_t Prepare(Variable& variable);

  // The stream is one of the three built-in ones or a live created one.
  bool IsStream(cudaStream_t stream) const;
  // nullptr: the handle is not a live event.
  Event* FindEvent(cudaEvent_t event);

  // The live allocation on the device around `pointer`; nullopt: not device memory.
  std::optional<AllocationInfo> OnDevice(const void* pointer);
  // The registered memory around `pointer`, or end().
  std::map<uintptr_t, RegisteredMemory>::iterator FindRegistered(const void* pointer);

  // Says to the device which stream the work that follows is in (Backend::UseStream).
  void UseStream(cudaStream_t stream, bool host_waits = false);

  // Loads the modules of managed variables and tells the host code where these are; `module` nullptr: of all modules.
  cudaError_t PlaceManaged(const Module* module);

  // One line on stderr, at most once per text: why a call failed and what to do. Returns `error`.
  cudaError_t Explain(cudaError_t error, const std::string& sentence);
  // A fault of the program's host side: to the findings of a program that runs on its own, else one line on stderr.
  void Report(const emulator::Finding& finding);
  // A kernel's fault: from now on every call gives it, as CUDA's sticky errors do.
  cudaError_t Fault(cudaError_t error) { return sticky = error; }
  // Drops what the program made on the device (cudaDeviceReset); modules load again when next used.
  void Reset();

  std::mutex mutex;      // held by Call
  const char* api = "";  // the function that is running, for messages
  StreamUse stream_use;  // of the work that is being done
  cudaError_t sticky = cudaSuccess;
  uint64_t clock_ns = 0;  // the device's time, see time_model.h

  std::vector<std::unique_ptr<Module>> modules;
  // By its own address, the handle. Kept after unregistering, since a program may keep the handle.
  std::unordered_map<const void*, std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<Variable>> variables;
  std::unordered_map<const void*, Function*> function_at;
  std::unordered_map<const void*, Variable*> variable_at;

  std::map<DevicePtr, OwnedMemory> memory;
  std::map<DevicePtr, OwnedMemory> freed;  // lately, and not allocated again
  uint64_t allocations_made = 0;
  std::unordered_map<DevicePtr, Advice> advice;  // by the start of a managed allocation
  MemoryPool default_pool;
  std::unordered_map<cudaMemPool_t, std::unique_ptr<MemoryPool>> pools;
  std::unordered_map<DevicePtr, MemoryPool*> pool_of;  // of what was allocated from one
  cudaMemPool_t current_pool = nullptr;                // nullptr: the default one
  std::map<uintptr_t, RegisteredMemory> registered;
  std::unordered_map<cudaStream_t, std::unique_ptr<Stream>> streams;
  std::unordered_map<cudaEvent_t, std::unique_ptr<Event>> events;
  uint64_t next_stream_id = 3;                     // 0, 1 and 2 are the built-in streams
  std::vector<std::shared_ptr<Capture>> captures;  // that run
  unsigned long long captures_begun = 0;
  std::unordered_map<cudaGraph_t, std::unique_ptr<Graph>> graphs;
  std::unordered_map<cudaGraphExec_t, std::unique_ptr<GraphExec>> graph_execs;
  std::vector<UncheckedLaunch> unchecked;
  std::map<int, size_t> limits;  // set by cudaDeviceSetLimit
  unsigned device_flags = 0;

 private:
  Runtime() = default;
  cudaError_t Load(Module& module);

  std::unique_ptr<Backend> backend_;
  DeviceFacts facts_;
  std::set<std::string> explained_;
};

// The calling thread's last error; cleared when asked, except a sticky one. Counts as checking its failed launches.
cudaError_t TakeLastError(bool clear);
// Remembers a failure as the thread's last error; returns `error`.
cudaError_t RecordError(cudaError_t error);

// Runs `body` as the API function `api`: alone, behind a sticky error, and with every exception stopped here.
template <typename Body>
cudaError_t Call(const char* api, Body&& body) noexcept {
  try {
    Runtime& runtime = Runtime::Get();
    std::lock_guard lock(runtime.mutex);
    if (runtime.sticky != cudaSuccess) return RecordError(runtime.sticky);
    runtime.api = api;
    return RecordError(body(runtime));
  } catch (const std::bad_alloc&) {
    return RecordError(cudaErrorMemoryAllocation);
  } catch (...) {
    return RecordError(cudaErrorUnknown);
  }
}

}  // namespace warpgrade::cudart
