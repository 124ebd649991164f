// An emulated GPU: memory, modules, launches, and what was observed. It knows nothing of labs, processes or the CUDA
// runtime API; grader/cudart builds that on top. One Device is used by one thread at a time; Launch itself spreads
// blocks over host threads. Device addresses are not host addresses: host code that dereferences one faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/checks/finding.h"
#include "grader/emulator/counters/copy_traffic.h"
#include "grader/emulator/counters/counters.h"
#include "grader/emulator/memory/allocation.h"
#include "grader/emulator/memory/byte_ranges.h"
#include "grader/emulator/recorders/launch_pictures.h"
#include "grader/emulator/state/device_options.h"
#include "grader/emulator/state/dim3.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {

using ModuleId = uint32_t;
using KernelId = uint32_t;
using LaunchId = uint64_t;

// The name of the threads that a Device starts, as /proc/self/task/*/comm gives it.
extern const char* const kOurThreads;

struct KernelInfo {
  std::string name;  // mangled
  std::string demangled;
  std::vector<uint32_t> parameter_sizes;    // bytes, in order
  std::vector<uint32_t> parameter_offsets;  // bytes in the parameter block
  uint32_t parameter_bytes = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t local_bytes = 0;
  uint32_t max_threads_per_block = 1024;
  uint32_t registers = 32;  // an estimate: PTX registers are virtual
};

// One translation unit of a program that was compiled with nvcc -rdc=true.
struct PtxUnit {
  std::string name;  // for messages: "b.cu"
  std::string ptx;
};

struct LaunchRequest {
  KernelId kernel = 0;
  Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  // The parameter block: KernelInfo::parameter_bytes bytes laid out by parameter_offsets.
  std::vector<std::byte> parameters;
  // If set, receives the bytes of global memory that the kernel touched, provided that any of DeviceOptions::checks is
  // on. The device heap is left out.
  TouchedBytes* touched = nullptr;
  // True if others (the host, or later work) may write the memory that the kernel waits for. Then Launch returns kWaits
  // instead of reporting a deadlock.
  bool may_wait = false;
  // True if the counters must not depend on the number of host threads. A kernel whose blocks wait for each other, in
  // loops that count something while they wait, then runs on one host thread.
  bool counts_alike = false;
  // How many launches by kernels may be pending at a time (cudaLimitDevRuntimePendingLaunchCount).
  uint64_t pending_children = 2048;
};

// A launch that only waits, and is suspended (LaunchStatus::kWaits).
struct WaitingLaunch {
  LaunchId id = 0;
  bool wrote = false;  // it wrote device memory since it last continued; another launch may wait for that
};

class Device {
 public:
  explicit Device(DeviceOptions options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Parses and decodes PTX. Errors: syntax (ptx:line:column). An unsupported instruction is reported only when a kernel
  // that contains it is launched. `name` appears in messages.
  Result<ModuleId> LoadModule(std::string_view ptx, std::string_view name);
  // Links the units of a program into one module (link_units.h). Kernels of such a module may launch kernels.
  Result<ModuleId> LoadProgram(const std::vector<PtxUnit>& units, std::string_view name);
  // The lanes of a warp in this module: 32, or 64 if it is of a HIP program. REQUIRES: the module is loaded.
  int WaveLanes(ModuleId module) const;
  void UnloadModule(ModuleId module);
  // Errors: no such .entry in the module.
  Result<KernelId> FindKernel(ModuleId module, std::string_view mangled_name);
  const KernelInfo& Kernel(KernelId kernel) const;
  // Address and size of a module-scope .global or .const variable. Errors: no such variable.
  Result<AllocationInfo> FindVariable(ModuleId module, std::string_view name);

  // 256-byte aligned. Errors: kLimit when the emulated memory is exhausted. bytes == 0 gives address 0.
  Result<DevicePtr> Allocate(uint64_t bytes, std::string_view label = "cudaMalloc");
  // Allocates page-aligned memory, zero at first, for kernels and the host. It does not count as memory of the emulated
  // GPU, but cannot be more than the GPU's capacity. The host reaches it by mapping TakeDescriptor's file at the device
  // address. Errors: kLimit. REQUIRES: kind is not kDevice.
  Result<DevicePtr> AllocateShared(uint64_t bytes, MemoryKind kind, std::string_view label);
  // Returns a file descriptor of the memory behind a shared allocation or managed variable that starts at `base`, once;
  // the caller closes it. Returns -1 if there is none.
  int TakeDescriptor(DevicePtr base);
  // Errors: not the start of a live allocation; kept in Findings() too, as kDoubleFree or kInvalidFree.
  Status Free(DevicePtr pointer);
  // The live allocation that contains `pointer`, or nullopt.
  std::optional<AllocationInfo> FindAllocation(DevicePtr pointer) const;
  // Allocations that nobody has freed, in the order of allocation, without the variables of modules.
  std::vector<AllocationInfo> LiveAllocations() const;
  uint64_t FreeBytes() const;
  uint64_t TotalBytes() const;
  // Memory that the host can access too starts at this address. Other memory lies below it.
  DevicePtr HostWindow() const;

  // Copies between host and device memory. Errors: the range is not inside one live allocation.
  Status CopyToDevice(DevicePtr to, const void* from, uint64_t bytes);
  Status CopyFromDevice(void* to, DevicePtr from, uint64_t bytes) const;
  Status CopyOnDevice(DevicePtr to, DevicePtr from, uint64_t bytes);
  Status Fill(DevicePtr to, uint8_t value, uint64_t bytes);
  // False if certainly no byte of the range was ever written. What kernels write is known only if DeviceOptions::checks
  // has `uninitialised`. True for a range that is not inside one live allocation.
  bool AnyWritten(DevicePtr at, uint64_t bytes) const;

  // Tells the device that the host writes this memory itself (mapped, managed), so it counts as initialised from now
  // on. The check for uninitialised reads already knows the copies and fills above and the writes of kernels. REQUIRES:
  // the range is inside one allocation.
  void MarkWritten(DevicePtr at, uint64_t bytes);

  // Sets DeviceOptions::seed for the launches that follow.
  void SetSeed(uint64_t seed);

  // Until it is called with false, a launch has a twentieth of DeviceOptions::instruction_budget, or 256 instructions
  // for each of its warps if that is more, but not more than the whole budget. Few launches that end need more.
  void ShortenLaunches(bool shortens);

  // Sets DeviceOptions::pictures for the launches that follow.
  void RecordPictures(bool records);
  // The same for DeviceOptions::steps.
  void RecordSteps(const std::optional<BlockToRecord>& of);

  // Runs a kernel to its end, and then the kernels that it launched, and what those launched. A fatal finding gives a
  // status other than kOk; findings are kept in Findings(). kWaits: the kernel is suspended, and Waiting() has the id
  // for Continue. It is in Launches() only when it has ended, or was abandoned.
  LaunchStatus Launch(const LaunchRequest& request);
  // Continues a suspended launch; the result is that of Launch. `alone`: nobody else will write what it waits for. Then
  // it never returns kWaits, but reports a deadlock or an endless loop. `touched` as in LaunchRequest.
  // kInvalidConfiguration: there is no such launch.
  LaunchStatus Continue(LaunchId launch, bool alone, TouchedBytes* touched);
  // Ends a suspended launch where it stands. What it did until then is in Launches() and Findings(), as for any other
  // launch. `touched` as in LaunchRequest. False: there is no such launch.
  bool Abandon(LaunchId launch, TouchedBytes* touched);
  // The launch that last returned kWaits.
  const WaitingLaunch& Waiting() const;

  // Takes from DeviceOptions::total_instruction_budget for work that is not an instruction of a kernel. Returns false
  // if nothing is left. Findings() then has a kEndlessLoop, and every later launch ends at once with kLaunchTimeout.
  [[nodiscard]] bool Spend(uint64_t instructions);
  uint64_t InstructionsLeft() const;  // of that budget

  // Counts one row of a copy, or of a set (from == 0), as traffic of global memory. The owner of the device says which
  // of its copies are a program's.
  void CountCopy(DevicePtr to, DevicePtr from, uint64_t bytes);

  // What was observed since construction or the last ResetObservations(). Launches are in order. Findings are sorted by
  // their first occurrence in (launch, block) order, so they are the same for any number of host threads.
  const std::vector<LaunchRecord>& Launches() const;
  const CopyTraffic& Copies() const;
  const std::vector<Finding>& Findings() const;
  // What requests to memory and branches looked like, of the launches that recorded them.
  const LaunchPictures& Pictures() const;
  // Adds a finding from the host's side (a leak, an unchecked error). It is merged and limited like those of launches.
  void AddFinding(const Finding& finding);
  void ResetObservations();

  const DeviceOptions& options() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpgrade::emulator
