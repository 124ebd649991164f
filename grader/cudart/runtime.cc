#include "grader/cudart/runtime.h"

#include <fmt/format.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "grader/cudart/device_limits.h"
#include "grader/cudart/host_findings.h"
#include "grader/cudart/interrupt.h"
#include "grader/cudart/local_backend.h"
#include "grader/cudart/memory_table.h"
#include "grader/cudart/observation_report.h"
#include "grader/cudart/program_options.h"
#include "grader/cudart/remote_backend.h"
#include "grader/emulator/fatbin/fatbin.h"

namespace warpgrade::cudart {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

// A device that is gone from the start: each call gives an error, and the user knows why.
std::unique_ptr<Backend> NoDevice(const std::string& why) {
  std::fprintf(stderr, "warpgrade: %s\n", why.c_str());
  return std::make_unique<RemoteBackend>(-1);
}

// The emulated device of a program that runs on its own, with its reports.
class InProcessBackend : public LocalBackend {
 public:
  static std::unique_ptr<Backend> Make() {
    const Result<ProgramOptions> chosen = ProgramOptions::FromEnvironment();
    if (!chosen) return NoDevice(chosen.error().message);
    emulator::DeviceOptions options = chosen->device;
    // Through C's stdout, which the program's own printf shares, so that lines come in the order they were printed.
    options.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
    options.cancel = StopLaunchesOnInterrupt();
    WatchHost(*chosen);
    return std::make_unique<InProcessBackend>(std::make_unique<emulator::Device>(options), *chosen->model);
  }
  InProcessBackend(std::unique_ptr<emulator::Device> device, const DeviceModel& model)
      : LocalBackend(
            *device, Unlimited(), [](emulator::Device& d) { ObservationReport::Get().Take(d); }, model),
        device_(std::move(device)) {}

  cudaError_t Run(const Launch& launch, uint64_t* device_ns) override {
    const InterruptibleLaunch interruptible;
    return LocalBackend::Run(launch, device_ns);
  }

 private:
  static PeerLimits Unlimited() { return {SIZE_MAX, UINT64_MAX, SIZE_MAX, SIZE_MAX}; }

  std::unique_ptr<emulator::Device> device_;
};

std::unique_ptr<Backend> MakeBackend() {
  const char* text = std::getenv("WARPGRADE_DEVICE_FD");
  if (text == nullptr) return InProcessBackend::Make();
  char* end = nullptr;
  errno = 0;
  const long fd = std::strtol(text, &end, 10);
  const bool is_number = errno == 0 && end != text && *end == '\0' && fd >= 0 && fd <= INT_MAX;
  if (is_number) return std::make_unique<RemoteBackend>(static_cast<int>(fd));
  return NoDevice(fmt::format("WARPGRADE_DEVICE_FD={} is not a file descriptor; unset it to emulate here", text));
}

}  // namespace

uint32_t MaxDynamicShared(const Function& function) {
  if (function.max_dynamic_shared_bytes) return *function.max_dynamic_shared_bytes;
  const uint32_t fixed = function.kernel->info.static_shared_bytes;
  return fixed < limits::kSharedPerBlock ? limits::kSharedPerBlock - fixed : 0;
}

Runtime& Runtime::Get() {
  static Runtime* runtime = new Runtime;
  return *runtime;
}

void Runtime::UseStream(cudaStream_t stream, bool host_waits) {
  const auto found = streams.find(stream);
  stream_use = {reinterpret_cast<uint64_t>(stream), true, host_waits};  // a built-in stream is numbered by its handle
  if (stream == cudaStreamLegacy) stream_use.stream = StreamUse::kLegacy;
  if (found != streams.end()) {
    stream_use.stream = found->second->id;
    stream_use.blocking = (found->second->flags & cudaStreamNonBlocking) == 0;
  }
  backend().UseStream(stream_use);
}

Backend& Runtime::backend() {
  if (!backend_) {
    backend_ = MakeBackend();
    static_cast<void>(backend_->Facts(&facts_));  // a lost connection says so at every later call
  }
  return *backend_;
}

const DeviceFacts& Runtime::facts() {
  backend();
  return facts_;
}

Function* Runtime::FindFunction(const void* host) {
  const auto found = function_at.find(host);
  if (found != function_at.end()) return found->second;
  const auto handle = functions.find(host);
  return handle == functions.end() ? nullptr : handle->second.get();
}

Variable* Runtime::FindVariable(const void* host) {
  const auto found = variable_at.find(host);
  if (found != variable_at.end()) return found->second;
  // The host's name of a managed variable is the variable itself.
  for (const auto& variable : variables) {
    const bool here = variable->managed != nullptr && variable->place;
    if (here && variable->place->base == reinterpret_cast<DevicePtr>(host)) return variable.get();
  }
  return nullptr;
}

cudaError_t Runtime::Load(Module& module) {
  if (module.tried) return module.error;
  module.tried = true;
  std::string message = "what nvcc embedded in the program is not a fat binary";
  const uint64_t bytes = module.fatbin == nullptr ? 0 : fatbin::ClaimedSize(module.fatbin);
  if (bytes == 0) {
    module.error = cudaErrorInvalidKernelImage;
  } else {
    const std::span image(static_cast<const std::byte*>(module.fatbin), bytes);
    module.error = backend().LoadModule(image, &module.handle, &message);
  }
  if (module.error != cudaSuccess) {
    Explain(module.error, fmt::format("cannot load the program's kernels: {}", message));
  }
  return module.error;
}

cudaError_t Runtime::Prepare(Function& function) {
  if (function.kernel) return cudaSuccess;
  cudaError_t error = Load(*function.module);
  if (error != cudaSuccess) return error;
  Kernel kernel;
  error = backend().FindKernel(function.module->handle, function.name, &kernel);
  if (error == cudaSuccess) function.kernel = std::move(kernel);
  return error;
}

cudaError_t Runtime::Prepare(Variable& variable) {
  if (variable.place) return cudaSuccess;
  cudaError_t error = Load(*variable.module);
  if (error != cudaSuccess) return error;
  AllocationInfo place;
  error = backend().FindVariable(variable.module->handle, variable.name, &place);
  if (error == cudaSuccess) variable.place = place;
  return error;
}

bool Runtime::IsStream(cudaStream_t stream) const {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || streams.contains(stream);
}

Event* Runtime::FindEvent(cudaEvent_t event) {
  const auto found = events.find(event);
  return found == events.end() ? nullptr : found->second.get();
}

std::optional<AllocationInfo> Runtime::OnDevice(const void* pointer) {
  std::optional<AllocationInfo> allocation;
  if (backend().FindAllocation(reinterpret_cast<DevicePtr>(pointer), &allocation) != cudaSuccess) return std::nullopt;
  return allocation;
}

std::map<uintptr_t, RegisteredMemory>::iterator Runtime::FindRegistered(const void* pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  auto after = registered.upper_bound(address);
  if (after == registered.begin()) return registered.end();
  --after;
  return address - after->first < after->second.bytes ? after : registered.end();
}

cudaError_t Runtime::PlaceManaged(const Module* module) {
  for (const auto& variable : variables) {
    if (variable->managed == nullptr || variable->place || (module != nullptr && variable->module != module)) continue;
    cudaError_t error = Prepare(*variable);
    if (error == cudaSuccess) error = MapShared(*this, variable->place->base, variable->place->bytes);
    if (error != cudaSuccess) return error;
    *variable->managed = reinterpret_cast<void*>(variable->place->base);
  }
  return cudaSuccess;
}

cudaError_t Runtime::Explain(cudaError_t error, const std::string& sentence) {
  constexpr size_t kMostLines = 100;
  const std::string line = fmt::format("warpgrade: {}: {}", api, sentence);
  if (explained_.size() < kMostLines && explained_.insert(line).second) std::fprintf(stderr, "%s\n", line.c_str());
  return error;
}

void Runtime::Report(const emulator::Finding& finding) {
  if (IsWatchingHost()) {
    ObservationReport::Get().Add(finding);
  } else {
    Explain(cudaErrorInvalidValue, finding.message);
  }
}

void Runtime::Reset() {
  backend();
  while (!memory.empty()) static_cast<void>(Release(*this, memory.begin()->first));
  for (auto& [host, range] : registered) {
    if (range.device != 0) static_cast<void>(backend().Free(std::exchange(range.device, 0)));
  }
  streams.clear();
  events.clear();
  captures.clear();
  graphs.clear();
  graph_execs.clear();
  limits.clear();
  for (const auto& module : modules) module->tried = false;
  for (const auto& [handle, function] : functions) {
    function->kernel.reset();
    function->max_dynamic_shared_bytes.reset();
  }
  for (const auto& variable : variables) {
    if (variable->managed != nullptr && variable->place) UnmapShared(variable->place->base, variable->place->bytes);
    variable->place.reset();
  }
  static_cast<void>(PlaceManaged(nullptr));  // the host code asks for the addresses only once
}

cudaError_t TakeLastError(bool clear) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  std::erase_if(runtime.unchecked,
                [](const UncheckedLaunch& launch) { return launch.thread == std::this_thread::get_id(); });
  const cudaError_t error = last_error;
  if (clear) last_error = runtime.sticky;
  return error;
}

cudaError_t RecordError(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace warpgrade::cudart
