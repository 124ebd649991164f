// The seam between the runtime API and the emulated device: the operations that the runtime needs, wherever the device
// is.
//
//   student's program -> libcudart.so.13 (runtime.h) -> Backend -+-> LocalBackend  -> emulator::Device, this process
//                                                                +-> RemoteBackend -> socket -> Server (the judge)
//
// Every function returns the CUDA error that the documented API would give, and sets its outputs only on cudaSuccess.
// One thread at a time may call a Backend.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/cudart/device/timeline.h"
#include "grader/cudart/order/order_step.h"
#include "grader/device_model/device_model.h"
#include "grader/emulator/device.h"

namespace warpgrade::cudart {

using emulator::AllocationInfo;
using emulator::DevicePtr;
using emulator::MemoryKind;

// Handles that one Backend gives out. Another Backend does not know them.
using ModuleHandle = uint32_t;
using KernelHandle = uint32_t;

struct Kernel {
  KernelHandle handle = 0;
  int ptx_arch = 0;  // 75: of the PTX that the device chose
  emulator::KernelInfo info;
};

// What differs between emulated devices. Multiprocessors and memory are the emulated device's own; it may have less of
// them than the GPU that it stands for.
struct DeviceFacts {
  const DeviceModel* model = &DefaultDeviceModel();
  int multiprocessors = DefaultDeviceModel().multiprocessors;
  uint64_t total_bytes = 0;
  // Delays asynchronous work at random, as CUDA allows (work_queue.h); 0: it is done at its call.
  uint64_t delay_seed = 0;
  // After each wait for the whole device the delays begin anew, with the delay_seed that the device has then.
  bool delays_anew = false;
};

struct Launch {
  KernelHandle kernel = 0;
  emulator::Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::span<const std::byte> parameters;  // the parameter block, KernelInfo::parameter_bytes long
  bool may_wait = false;                  // for memory that others write later: see Backend::Run
  uint64_t pending_children = 2048;       // cudaLimitDevRuntimePendingLaunchCount
};

// Bytes that a kernel used and that the host reaches too.
struct HostVisibleBytes {
  DevicePtr begin = 0, end = 0;
  bool written = false;

  bool operator==(const HostVisibleBytes&) const = default;
};

// A call of the host that failed.
struct FailedCall {
  int32_t error = cudaSuccess;  // a peer may give any number
  uint64_t call = 0;            // its place in the program (emulator::HostPlace)
  std::string why;              // a sentence; a peer may give any bytes, at most wire::kMaxWhy. "": not known
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Names the stream of the following calls of Write, Read, Copy, Fill, Run and Synchronize, for the account in
  // timeline.h and the check of their order (order/stream_order.h). It does not change what these calls do.
  void UseStream(const StreamUse& use) { use_ = use; }
  // Names the host's call that the following work and findings are of, by its place in the program
  // (emulator::HostPlace).
  void NoteCall(uint64_t place) { call_ = place; }
  // Tells that the host's call failed. Nothing is done about it, but a message may say which call it was.
  virtual void CallFailed(int32_t error, std::string_view why) = 0;
  // Tells of a call that orders streams or the host, for the same check.
  virtual void Order(const OrderStep& step) = 0;

  // Tells that the host is going to copy this range to memory of its own, in one call or in several of Read. A range of
  // which nothing has ever written a byte is a finding.
  virtual void AnnounceRead(DevicePtr from, uint64_t bytes) = 0;

  virtual cudaError_t Facts(DeviceFacts* facts) = 0;

  // `fatbin` starts at the fat binary's header. On failure `*message` says what is wrong and what to do, in one line:
  // cudaErrorNoKernelImageForDevice (no PTX that the GPU can run), cudaErrorInvalidPtx, cudaErrorUnsupportedPtxVersion,
  // cudaErrorInvalidKernelImage (not a fat binary).
  virtual cudaError_t LoadModule(std::span<const std::byte> fatbin, ModuleHandle* module, std::string* message) = 0;
  // The same for a program of several translation units (nvcc -rdc=true): `units` are the fat binaries of its objects.
  // cudaErrorInvalidPtx, too: what one unit uses is not in another one.
  virtual cudaError_t LoadProgram(const std::vector<std::span<const std::byte>>& units, ModuleHandle* module,
                                  std::string* message) = 0;
  // cudaErrorInvalidDeviceFunction: there is no such kernel in the module.
  virtual cudaError_t FindKernel(ModuleHandle module, std::string_view mangled_name, Kernel* kernel) = 0;
  // cudaErrorInvalidSymbol: there is no such variable in the module.
  virtual cudaError_t FindVariable(ModuleHandle module, std::string_view name, AllocationInfo* variable) = 0;

  // bytes == 0 gives address 0. cudaErrorMemoryAllocation: exhausted.
  virtual cudaError_t Allocate(uint64_t bytes, DevicePtr* pointer) = 0;
  // Allocates memory that the host can also reach: the host maps Share's descriptor at the device address. The kind is
  // kPinned or kManaged, and the memory is zero at first. Errors as Allocate.
  virtual cudaError_t AllocateShared(uint64_t bytes, MemoryKind kind, DevicePtr* pointer) = 0;
  // Gives a descriptor of the memory behind the shared allocation or managed variable at `base`, once. The caller
  // closes it. cudaErrorInvalidValue: there is none.
  virtual cudaError_t Share(DevicePtr base, int* descriptor) = 0;
  // cudaErrorInvalidValue: not an address that Allocate or AllocateShared of this Backend gave and that is still live.
  virtual cudaError_t Free(DevicePtr pointer) = 0;
  // The live allocation (or module variable) that holds `pointer`; nullopt when there is none.
  virtual cudaError_t FindAllocation(DevicePtr pointer, std::optional<AllocationInfo>* allocation) = 0;
  virtual cudaError_t MemoryInfo(uint64_t* free_bytes, uint64_t* total_bytes) = 0;

  // cudaErrorInvalidValue: the range on the device is not inside one live allocation.
  virtual cudaError_t Write(DevicePtr to, const void* from, uint64_t bytes) = 0;
  virtual cudaError_t Read(void* to, DevicePtr from, uint64_t bytes) = 0;
  virtual cudaError_t Copy(DevicePtr to, DevicePtr from, uint64_t bytes) = 0;
  virtual cudaError_t Fill(DevicePtr to, uint8_t value, uint64_t bytes) = 0;

  // Runs a kernel to its end. `*device_ns` is the time it would have taken (time_model.h). Errors: launch_rules.h for a
  // launch that the device refuses; the kernel's own fault (cudaErrorIllegalAddress, ...) otherwise. cudaErrorNotReady:
  // it only waits for memory that others may write (Launch::may_wait), and waiting() goes on with it.
  virtual cudaError_t Run(const Launch& launch, uint64_t* device_ns) = 0;
  // Goes on with a launch that waits, as Run does. `alone`: nobody will write what it waits for, so if it still waits
  // that is its fault. cudaErrorInvalidResourceHandle: no such launch.
  virtual cudaError_t Continue(emulator::LaunchId launch, bool alone, uint64_t* device_ns) = 0;
  // The launch that last gave cudaErrorNotReady.
  const emulator::WaitingLaunch& waiting() const { return waiting_; }
  // What the last kernel used of memory that the host reaches too: the first kMostHostVisible ranges. Empty when the
  // kernel may signal the host through such memory, for then the two order themselves.
  static constexpr size_t kMostHostVisible = 64;
  const std::vector<HostVisibleBytes>& host_visible() const { return host_visible_; }

  // Returns when all earlier work is done, which is at once. Fails only when the device is lost.
  virtual cudaError_t Synchronize() = 0;

 protected:
  StreamUse use_;
  uint64_t call_ = 0;
  std::vector<HostVisibleBytes> host_visible_;
  emulator::WaitingLaunch waiting_;
};

}  // namespace warpgrade::cudart
