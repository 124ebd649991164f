// Every number that arrives may come from a hostile peer. Handles are looked up here, the Device checks ranges, and
// PeerLimits bounds what the device holds. Tested by tests/cudart/device/local_backend_test.cc and server_test.cc.
#include "grader/cudart/device/local_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/cudart/device/launch_rules.h"
#include "grader/cudart/device/time_model.h"
#include "grader/emulator/fatbin/fatbin.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::cudart {
namespace {

cudaError_t ModuleError(const Error& error) {
  return error.kind == ErrorKind::kUnsupported ? cudaErrorUnsupportedPtxVersion : cudaErrorInvalidPtx;
}

cudaError_t RangeError(const Status& status) { return status.ok() ? cudaSuccess : cudaErrorInvalidValue; }

}  // namespace

cudaError_t ToCudaError(emulator::LaunchStatus status) {
  using emulator::LaunchStatus;
  switch (status) {
    case LaunchStatus::kOk:
      return cudaSuccess;
    case LaunchStatus::kInvalidConfiguration:
      return cudaErrorInvalidConfiguration;
    case LaunchStatus::kTooManyResources:
      return cudaErrorLaunchOutOfResources;
    case LaunchStatus::kIllegalAddress:
      return cudaErrorIllegalAddress;
    case LaunchStatus::kMisalignedAddress:
      return cudaErrorMisalignedAddress;
    case LaunchStatus::kIllegalInstruction:
      return cudaErrorIllegalInstruction;
    case LaunchStatus::kAssert:
      return cudaErrorAssert;
    case LaunchStatus::kLaunchTimeout:
    case LaunchStatus::kCancelled:
      return cudaErrorLaunchTimeout;
    case LaunchStatus::kHardwareStackError:
      return cudaErrorHardwareStackError;
    case LaunchStatus::kCooperativeTooLarge:
      return cudaErrorCooperativeLaunchTooLarge;
    case LaunchStatus::kUnspecifiedFailure:
      return cudaErrorLaunchFailure;
    case LaunchStatus::kWaits:
      return cudaErrorNotReady;
  }
  return cudaErrorUnknown;
}

LocalBackend::LocalBackend(emulator::Device& device, PeerLimits limits,
                           std::function<void(emulator::Device&)> after_launch, const DeviceModel& model)
    : device_(device),
      model_(model),
      limits_(limits),
      after_launch_(std::move(after_launch)),
      order_([this](DevicePtr pointer) { return device_.FindAllocation(pointer); },
             [this](const emulator::Finding& finding) {
               device_.AddFinding(finding);
               if (after_launch_) after_launch_(device_);
             }) {}

LocalBackend::~LocalBackend() {
  for (const auto& [launch, waiting] : waiting_launches_) device_.Abandon(launch, nullptr);
  for (const auto& [pointer, allocation] : allocations_) static_cast<void>(device_.Free(pointer).ok());
  for (const LoadedModule& module : modules_) device_.UnloadModule(module.id);
}

void LocalBackend::Order(const OrderStep& step) {
  has_delayed_ = has_delayed_ || step.op == OrderOp::kReserve;
  if (step.op != OrderOp::kAbandon) return order_.Apply(step);
  const auto found = waiting_launches_.find(step.object);
  if (found == waiting_launches_.end()) return;
  const Waiting waiting = found->second;
  waiting_launches_.erase(found);
  Abandon(step.object, waiting.kernel);
  if (!waiting.has_place) order_.Apply({OrderOp::kDone, step.stream, kFirstLaunchTicket + step.object});
}

// What a launch has done until now, the program has had done: it counts as if the launch had ended. Only its order in a
// stream is not checked, since no call of the program says where it ended.
void LocalBackend::Abandon(emulator::LaunchId launch, emulator::KernelId kernel) {
  const size_t launches_before = device_.Launches().size();
  emulator::TouchedBytes touched;
  if (!device_.Abandon(launch, answer_work_ ? &touched : nullptr)) return;
  uint64_t device_ns = 0;
  FinishRun(emulator::LaunchStatus::kOk, launches_before, kernel, false, std::move(touched), &device_ns);
}

std::vector<std::string> LocalBackend::AbandonAll() {
  std::vector<std::string> kernels;
  for (const auto& [launch, waiting] : std::exchange(waiting_launches_, {})) {
    Abandon(launch, waiting.kernel);
    kernels.push_back(device_.Kernel(waiting.kernel).demangled);
  }
  return kernels;
}

cudaError_t LocalBackend::Facts(DeviceFacts* facts) {
  *facts = OwnFacts();
  return cudaSuccess;
}

DeviceFacts LocalBackend::OwnFacts() const {
  return {&model_, device_.options().multiprocessors, device_.TotalBytes(), delay_seed_};
}

cudaError_t LocalBackend::LoadModule(std::span<const std::byte> fatbin, ModuleHandle* module, std::string* message) {
  if (modules_seen_ >= limits_.modules) {
    *message = fmt::format("too much code: the limit is {} modules", limits_.modules);
    return cudaErrorMemoryAllocation;
  }
  ++modules_seen_;
  Result<std::vector<fatbin::Entry>> entries = fatbin::Read(fatbin);
  if (!entries.ok()) {
    *message = entries.error().message;
    return cudaErrorInvalidKernelImage;
  }
  Result<fatbin::Entry> image = fatbin::SelectPtx(*entries, model_.capability.number());
  if (!image.ok()) {
    *message = image.error().message;
    return cudaErrorNoKernelImageForDevice;
  }
  const std::string& ptx = image->payload;
  if (ptx.size() > limits_.ptx_bytes - ptx_bytes_) {
    *message = fmt::format("too much code: the limit is {} bytes of PTX in all", limits_.ptx_bytes);
    return cudaErrorMemoryAllocation;
  }
  ptx_bytes_ += ptx.size();
  Result<emulator::ModuleId> id = device_.LoadModule(ptx, fmt::format("module{}", modules_.size()));
  if (!id.ok()) {
    *message = id.error().message;
    return ModuleError(id.error());
  }
  *module = static_cast<ModuleHandle>(modules_.size());
  modules_.push_back({*id, image->arch});
  return cudaSuccess;
}

cudaError_t LocalBackend::LoadProgram(const std::vector<std::span<const std::byte>>& units, ModuleHandle* module,
                                      std::string* message) {
  Result<std::vector<fatbin::Unit>> images = fatbin::SelectUnits(units, model_.capability.number());
  if (!images.ok()) {
    *message = images.error().message;
    return cudaErrorNoKernelImageForDevice;
  }
  std::vector<emulator::PtxUnit> ptx;
  int arch = 0;
  for (fatbin::Unit& image : *images) {
    arch = std::max(arch, image.ptx.arch);
    ptx.push_back({std::move(image.source), std::move(image.ptx.payload)});
  }
  Result<emulator::ModuleId> id = device_.LoadProgram(ptx, fmt::format("module{}", modules_.size()));
  if (!id.ok()) {
    *message = id.error().message;
    return ModuleError(id.error());
  }
  *module = static_cast<ModuleHandle>(modules_.size());
  modules_.push_back({*id, arch});
  return cudaSuccess;
}

cudaError_t LocalBackend::FindKernel(ModuleHandle module, std::string_view mangled_name, Kernel* kernel) {
  if (module >= modules_.size()) return cudaErrorInvalidResourceHandle;
  Result<emulator::KernelId> id = device_.FindKernel(modules_[module].id, mangled_name);
  if (!id.ok()) return cudaErrorInvalidDeviceFunction;
  auto [entry, added] = handle_of_kernel_.try_emplace(*id, static_cast<KernelHandle>(kernels_.size()));
  if (added) kernels_.push_back(*id);
  kernel->handle = entry->second;
  kernel->ptx_arch = modules_[module].ptx_arch;
  kernel->info = device_.Kernel(*id);
  return cudaSuccess;
}

cudaError_t LocalBackend::FindVariable(ModuleHandle module, std::string_view name, AllocationInfo* variable) {
  if (module >= modules_.size()) return cudaErrorInvalidResourceHandle;
  Result<AllocationInfo> found = device_.FindVariable(modules_[module].id, name);
  if (!found.ok()) return cudaErrorInvalidSymbol;
  *variable = *found;
  return cudaSuccess;
}

cudaError_t LocalBackend::Allocate(uint64_t bytes, DevicePtr* pointer) {
  if (bytes == 0) {
    *pointer = 0;
    return cudaSuccess;
  }
  if (MustFail() || allocations_.size() >= limits_.allocations) return cudaErrorMemoryAllocation;
  if (!SpendOn(bytes)) return cudaErrorLaunchTimeout;
  Result<DevicePtr> allocated = device_.Allocate(bytes);
  if (!allocated.ok()) return cudaErrorMemoryAllocation;
  Remember(*allocated, MemoryKind::kDevice, bytes);
  *pointer = *allocated;
  return cudaSuccess;
}

cudaError_t LocalBackend::AllocateShared(uint64_t bytes, MemoryKind kind, DevicePtr* pointer) {
  if (bytes == 0) {
    *pointer = 0;
    return cudaSuccess;
  }
  if (MustFail() || allocations_.size() >= limits_.allocations || shared_allocations_ >= limits_.shared_allocations) {
    return cudaErrorMemoryAllocation;
  }
  if (!SpendOn(bytes)) return cudaErrorLaunchTimeout;
  const char* label = kind == MemoryKind::kPinned ? "cudaHostAlloc" : "cudaMallocManaged";
  Result<DevicePtr> allocated = device_.AllocateShared(bytes, kind, label);
  if (!allocated.ok()) return cudaErrorMemoryAllocation;
  Remember(*allocated, kind, bytes);
  ++shared_allocations_;
  *pointer = *allocated;
  return cudaSuccess;
}

cudaError_t LocalBackend::Share(DevicePtr base, int* descriptor) {
  order_.UseHostVisible();
  *descriptor = device_.TakeDescriptor(base);
  return *descriptor >= 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t LocalBackend::Free(DevicePtr pointer) {
  // Only what was allocated here may be freed: the judge's own buffers are on the same device.
  const auto found = allocations_.find(pointer);
  if (found == allocations_.end()) return cudaErrorInvalidValue;
  if (found->second.kind != MemoryKind::kDevice) --shared_allocations_;
  order_.Forget(pointer, found->second.bytes);
  allocations_.erase(found);
  return RangeError(device_.Free(pointer));
}

cudaError_t LocalBackend::FindAllocation(DevicePtr pointer, std::optional<AllocationInfo>* allocation) {
  *allocation = device_.FindAllocation(pointer);
  return cudaSuccess;
}

cudaError_t LocalBackend::MemoryInfo(uint64_t* free_bytes, uint64_t* total_bytes) {
  *free_bytes = device_.FreeBytes();
  *total_bytes = device_.TotalBytes();
  return cudaSuccess;
}

// A copy or memset that fails moves nothing, so nothing counts it: not as bytes, and not as work in its stream.
cudaError_t LocalBackend::Write(DevicePtr to, const void* from, uint64_t bytes) {
  if (!SpendOn(bytes)) return cudaErrorLaunchTimeout;
  const cudaError_t error = RangeError(device_.CopyToDevice(to, from, bytes));
  if (error != cudaSuccess || bytes == 0) return error;
  timeline_.Add(use_, Engine::kHostToDevice, HostCopyNanoseconds(bytes), bytes);
  if (answer_work_) answer_work_->CopiedToDevice(to, bytes);
  if (WatchesOrder()) {
    // From pageable memory the last part may be on its way when an asynchronous copy returns.
    CheckOrder(WorkKind::kCopyToDevice, use_.synchronous, Bytes(0, to, bytes));
  }
  return cudaSuccess;
}

void LocalBackend::AnnounceRead(DevicePtr from, uint64_t bytes) {
  const std::optional<AllocationInfo> allocation = device_.FindAllocation(from);
  if (!device_.options().checks.uninitialised || !allocation || device_.AnyWritten(from, bytes)) return;
  emulator::Finding finding;
  finding.kind = emulator::FindingKind::kUninitialisedRead;
  finding.address = from;
  finding.message = "a copy to the host";
  finding.host_places.push_back({call_, finding.message.size()});
  finding.message += fmt::format(" of {} bytes of {} ({} bytes), which nothing has written yet", bytes,
                                 allocation->label, allocation->bytes);
  device_.AddFinding(finding);
  if (after_launch_) after_launch_(device_);
}

cudaError_t LocalBackend::Read(void* to, DevicePtr from, uint64_t bytes) {
  if (!SpendOn(bytes)) return cudaErrorLaunchTimeout;
  const cudaError_t error = RangeError(device_.CopyFromDevice(to, from, bytes));
  if (error != cudaSuccess || bytes == 0) return error;
  timeline_.Add(use_, Engine::kDeviceToHost, HostCopyNanoseconds(bytes), bytes);
  host_visible_bytes_ += bytes;
  if (answer_work_) answer_work_->CopiedToHost(from, bytes);
  if (WatchesOrder()) {
    CheckOrder(WorkKind::kCopyFromDevice, use_.synchronous || use_.host_waits, Bytes(from, 0, bytes));
  }
  return cudaSuccess;
}

cudaError_t LocalBackend::Copy(DevicePtr to, DevicePtr from, uint64_t bytes) {
  if (!SpendOn(bytes)) return cudaErrorLaunchTimeout;
  const cudaError_t error = RangeError(device_.CopyOnDevice(to, from, bytes));
  if (error != cudaSuccess || bytes == 0) return error;
  const Engine engine = EngineOf(to, from);
  const bool on_device = engine == Engine::kDevice;
  timeline_.Add(use_, engine, on_device ? DeviceCopyNanoseconds(bytes, model_) : HostCopyNanoseconds(bytes), bytes);
  if (HostReaches(to)) host_visible_bytes_ += bytes;
  // What crosses the bus is no traffic of the device's memory: host_to_device_bytes and the like count it.
  if (on_device) CountCopy(to, from, bytes);
  if (answer_work_) answer_work_->Copied(to, from, bytes, on_device);
  if (WatchesOrder()) {
    const WorkKind kinds[] = {WorkKind::kCopyToDevice, WorkKind::kCopyFromDevice, WorkKind::kCopyOnDevice};
    CheckOrder(kinds[static_cast<int>(engine)], use_.synchronous && (HostReaches(to) || HostReaches(from)),
               Bytes(from, to, bytes));
  }
  return cudaSuccess;
}

cudaError_t LocalBackend::Fill(DevicePtr to, uint8_t value, uint64_t bytes) {
  if (!SpendOn(bytes)) return cudaErrorLaunchTimeout;
  const cudaError_t error = RangeError(device_.Fill(to, value, bytes));
  if (error != cudaSuccess || bytes == 0) return error;
  timeline_.Add(use_, Engine::kDevice, DeviceCopyNanoseconds(bytes / 2, model_), bytes);
  CountCopy(to, 0, bytes);
  if (answer_work_) answer_work_->Copied(to, 0, bytes, /*is_traffic=*/true);
  if (WatchesOrder()) {
    CheckOrder(WorkKind::kFill, use_.synchronous && HostReaches(to), Bytes(0, to, bytes));
  }
  return cudaSuccess;
}

cudaError_t LocalBackend::Run(const Launch& launch, uint64_t* device_ns) {
  if (launch.kernel >= kernels_.size()) return cudaErrorInvalidResourceHandle;
  const emulator::KernelId id = kernels_[launch.kernel];
  const LaunchVerdict verdict = CheckLaunch(launch, device_.Kernel(id), OwnFacts());
  if (verdict.error != cudaSuccess) return verdict.error;
  host_visible_.clear();
  const size_t launches_before = device_.Launches().size();
  if (launches_before >= limits_.launches) return cudaErrorLaunchOutOfResources;

  emulator::LaunchRequest request;
  request.kernel = id;
  request.grid = launch.grid;
  request.block = launch.block;
  request.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  request.cooperative = launch.cooperative;
  request.parameters.assign(launch.parameters.begin(), launch.parameters.end());
  request.may_wait = launch.may_wait && waiting_launches_.size() < limits_.waiting_launches;
  request.counts_alike = answer_work_ != nullptr;
  request.pending_children = launch.pending_children;
  emulator::TouchedBytes touched;
  const bool watches = WatchesOrder();
  if (watches || answer_work_) request.touched = &touched;
  const emulator::LaunchStatus status = device_.Launch(request);
  if (status != emulator::LaunchStatus::kWaits) {
    return FinishRun(status, launches_before, id, watches, std::move(touched), device_ns);
  }
  waiting_ = device_.Waiting();
  waiting_launches_[waiting_.id] = {id, order_.doing() != 0};
  if (order_.doing() == 0) order_.Apply({OrderOp::kReserve, use_.stream, kFirstLaunchTicket + waiting_.id});
  if (after_launch_) after_launch_(device_);
  return cudaErrorNotReady;
}

cudaError_t LocalBackend::Continue(emulator::LaunchId launch, bool alone, uint64_t* device_ns) {
  const auto found = waiting_launches_.find(launch);
  if (found == waiting_launches_.end()) return cudaErrorInvalidResourceHandle;
  host_visible_.clear();
  const Waiting waiting = found->second;
  const size_t launches_before = device_.Launches().size();
  emulator::TouchedBytes touched;
  const bool watches = WatchesOrder();
  const emulator::LaunchStatus status = device_.Continue(launch, alone, watches || answer_work_ ? &touched : nullptr);
  if (status == emulator::LaunchStatus::kWaits) {
    waiting_ = device_.Waiting();
    if (after_launch_) after_launch_(device_);
    return cudaErrorNotReady;
  }
  waiting_launches_.erase(found);
  const uint64_t ticket = kFirstLaunchTicket + launch;
  if (!waiting.has_place) order_.Apply({OrderOp::kDo, use_.stream, ticket});
  touched.waited = true;
  const cudaError_t error = FinishRun(status, launches_before, waiting.kernel, watches, std::move(touched), device_ns);
  if (!waiting.has_place) order_.Apply({OrderOp::kDone, use_.stream, ticket});
  return error;
}

// After a launch that is over.
cudaError_t LocalBackend::FinishRun(emulator::LaunchStatus status, size_t launches_before, emulator::KernelId kernel,
                                    bool watches_order, emulator::TouchedBytes touched, uint64_t* device_ns) {
  const std::vector<emulator::LaunchRecord>& launches = device_.Launches();
  *device_ns = 0;
  for (size_t k = launches_before; k < launches.size(); ++k) {  // the launch, and those of its kernels
    *device_ns += LaunchNanoseconds(launches[k].counters, model_, device_.options().multiprocessors);
    host_visible_bytes_ += launches[k].host_visible_bytes;
  }
  if (launches.size() > launches_before && answer_work_) answer_work_->Launched(launches_before, touched);
  timeline_.Add(use_, Engine::kDevice, *device_ns, 0);
  if (watches_order) {
    NoteHostVisible(touched);
    CheckOrder(WorkKind::kKernel, false, std::move(touched), device_.Kernel(kernel).demangled);
  }
  if (after_launch_) after_launch_(device_);
  return ToCudaError(status);
}

cudaError_t LocalBackend::Synchronize() {
  timeline_.Wait(use_);
  return cudaSuccess;
}

bool LocalBackend::WatchesOrder() {
  order_.Use(use_.stream);
  return order_.watches() && device_.options().checks.global_races;
}

void LocalBackend::BeginCall(uint64_t stream, const std::vector<emulator::ByteRange>& arrays) {
  if (!device_.options().checks.global_races) return;
  emulator::TouchedBytes touched;
  for (const emulator::ByteRange& array : arrays) touched.writes.Add(array.begin, array.end);
  order_.BeginCall(stream, std::move(touched));
}

void LocalBackend::NoteHostVisible(const emulator::TouchedBytes& touched) {
  const DevicePtr window = device_.HostWindow();
  const auto& signals = touched.strong_writes.all();
  if (touched.fences || (!signals.empty() && signals.back().end > window)) return;
  for (const bool written : {true, false}) {
    for (const emulator::ByteRange& r : written ? touched.writes.all() : touched.reads.all()) {
      if (r.begin >= window && host_visible_.size() < kMostHostVisible) {
        host_visible_.push_back({r.begin, r.end, written});
      }
    }
  }
}

emulator::TouchedBytes LocalBackend::Bytes(DevicePtr reads, DevicePtr writes, uint64_t bytes) {
  emulator::TouchedBytes touched;
  if (reads != 0) touched.reads.Add(reads, reads + bytes);
  if (writes != 0) touched.writes.Add(writes, writes + bytes);
  return touched;
}

void LocalBackend::CheckOrder(WorkKind kind, bool host_waits, emulator::TouchedBytes touched, std::string kernel) {
  order_.Add({kind, use_.stream, host_waits, std::move(kernel), std::move(touched), call_});
}

bool LocalBackend::SpendOn(uint64_t bytes) {
  // A request for more bytes than there are does no work and is refused later.
  const uint64_t touched = std::min(bytes, device_.TotalBytes());
  return device_.Spend(touched / emulator::kBytesPerInstruction);
}

void LocalBackend::CountCopy(DevicePtr to, DevicePtr from, uint64_t bytes) {
  device_.CountCopy(to, from, bytes);
  if (after_launch_) after_launch_(device_);
}

bool LocalBackend::HostReaches(DevicePtr pointer) const {
  const std::optional<AllocationInfo> found = device_.FindAllocation(pointer);
  return found && found->kind != MemoryKind::kDevice;
}

// Page-locked memory counts as host memory, although the device can reach it.
Engine LocalBackend::EngineOf(DevicePtr to, DevicePtr from) const {
  const auto on_host = [this](DevicePtr pointer) {
    const std::optional<AllocationInfo> found = device_.FindAllocation(pointer);
    return found && found->kind == MemoryKind::kPinned;
  };
  if (on_host(from) == on_host(to)) return Engine::kDevice;
  return on_host(from) ? Engine::kHostToDevice : Engine::kDeviceToHost;
}

void LocalBackend::Remember(DevicePtr pointer, MemoryKind kind, uint64_t bytes) {
  allocations_[pointer] = {kind, bytes};
  if (kind == MemoryKind::kManaged) managed_bytes_ += bytes;
  if (kind == MemoryKind::kPinned) pinned_bytes_ += bytes;
}

void LocalBackend::AddMetrics(std::map<std::string, double>* metrics) const {
  timeline_.AddMetrics(metrics);
  (*metrics)["host_visible_bytes"] = static_cast<double>(host_visible_bytes_);
  (*metrics)["managed_bytes"] = static_cast<double>(managed_bytes_);
  (*metrics)["mapped_bytes"] = static_cast<double>(pinned_bytes_);
  (*metrics)["bytes_not_freed"] = static_cast<double>(BytesNotFreed());
}

uint64_t LocalBackend::NewBytes() const {
  uint64_t bytes = 0;
  for (const auto& [pointer, allocation] : allocations_) bytes += allocation.is_new ? allocation.bytes : 0;
  return bytes;
}

void LocalBackend::ResetObservations() {
  most_left_ = BytesNotFreed();
  timeline_ = Timeline();
  order_.ForgetReports();
  failed_call_ = {};
  if (answer_work_) WatchAnswer(true);
  managed_bytes_ = pinned_bytes_ = host_visible_bytes_ = 0;
  for (auto& [pointer, allocation] : allocations_) allocation.is_new = false;
}

}  // namespace warpgrade::cudart
