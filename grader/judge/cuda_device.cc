// Calls the CUDA driver (driver_api.h) for memory, IPC handles and events. gpu_memory_layout.h describes the buffers.
// Two scratch buffers, far larger than the L2 cache, are used to flush the caches and to measure the bandwidth of a
// copy. tests/judge/cuda_device_test.cc tests the parts that need no GPU, and tests/judge/gpu/ tests the rest on a GPU.
#include "grader/judge/cuda_device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include "grader/judge/device_files.h"
#include "grader/judge/driver_version.h"
#include "grader/judge/gpu_memory_layout.h"
#include "grader/judge/large_arrays.h"

namespace warpgrade::judge {
namespace {

// So large that launch overhead and cache contents do not matter: moving 2 GiB takes half a millisecond on an H200.
constexpr uint64_t kCopyBytes = uint64_t{1} << 30;
constexpr int kCopiesPerMeasurement = 3;
// Smaller arrays are in ordinary memory: locking memory takes 0.3 ms, which is more than faster copies save.
constexpr uint64_t kLeastLockedBytes = uint64_t{64} << 10;
// Large enough that the driver uses a kernel for it.
constexpr uint64_t kTurnBytes = uint64_t{1} << 20;
// Of each copy that keeps the bus busy. Chosen: long enough that the pauses between copies do not matter.
constexpr uint64_t kBusCopyBytes = uint64_t{8} << 20;
constexpr const char* kVisibleDevices = "CUDA_VISIBLE_DEVICES";
// Of the grader's own kernels. Chosen: eight blocks for each of up to 256 multiprocessors; more would wait.
constexpr unsigned kOwnBlocks = 2048;

std::string FormatVersion(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Our environment variables that say how the driver counts GPUs.
std::vector<std::string> PassedOnVariables() {
  std::vector<std::string> passed;
  for (const char* name : {"CUDA_DEVICE_ORDER", "NVIDIA_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name)) passed.push_back(std::string(name) + "=" + value);
  }
  return passed;
}

// The folders of a library path that exist.
std::vector<std::string> FoldersOf(const char* path) {
  std::vector<std::string> folders;
  std::istringstream in(path == nullptr ? "" : path);
  for (std::string folder; std::getline(in, folder, ':');) {
    std::error_code ignored;
    if (std::filesystem::path(folder).is_absolute() && std::filesystem::exists(folder, ignored)) {
      folders.push_back(folder);
    }
  }
  return folders;
}

}  // namespace

Result<std::unique_ptr<CudaDevice>> CudaDevice::Open(std::string runtime_folder) {
  const Result<const DriverApi*> api = DriverApi::Open();
  if (!api) return api.error();
  std::unique_ptr<CudaDevice> device(new CudaDevice(*api, std::move(runtime_folder)));
  if (Status looked = device->Look(0); !looked.ok()) return looked.error();
  return device;
}

std::vector<std::string> CudaDevice::LikeTheFirst() {
  const Result<const DriverApi*> api = DriverApi::Open();
  int count = 0;
  if (!api || (*api)->cuDeviceGetCount(&count) != CUDA_SUCCESS) return {};
  std::vector<std::string> uuids;
  std::string name;
  for (int number = 0; number < count; ++number) {
    CudaDevice device(*api, "");
    if (!device.Look(number).ok()) {
      if (number == 0) return {};
      continue;
    }
    if (number == 0) name = device.description_.name;
    if (device.description_.name == name) uuids.push_back(device.description_.uuid);
  }
  return uuids;
}

Status CudaDevice::Look(int number) {
  const std::string opening = "open device " + std::to_string(number);
  if (Status s = Checked(api_->cuDeviceGet(&device_, number), opening.c_str()); !s.ok()) return s;
  char name[256] = {};
  CUuuid uuid{};
  int driver = 0, mode = 0;
  if (Status s = Checked(api_->cuDeviceGetName(name, sizeof(name) - 1, device_), "read its name"); !s.ok()) return s;
  if (Status s = Checked(api_->cuDeviceGetUuid(&uuid, device_), "read its UUID"); !s.ok()) return s;
  if (Status s = Checked(api_->cuDriverGetVersion(&driver), "read the driver's version"); !s.ok()) return s;
  const std::string installed = InstalledDriverVersion();
  description_ = {"gpu", name, FormatUuid(std::span(uuid.bytes), name),
                  (installed.empty() ? "" : installed + ", ") + FormatVersion(driver), PeaksOf(Figures())};
  if (Status s = Checked(api_->cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device_), "read its mode");
      !s.ok()) {
    return s;
  }
  if (mode != CU_COMPUTEMODE_DEFAULT) {
    return Error{ErrorKind::kMachine, description_.name +
                                          ": its compute mode lets only one process in, and grading needs two; run "
                                          "`nvidia-smi --compute-mode=DEFAULT` as root"};
  }
  return Status();
}

Status CudaDevice::Begin() {
  if (context_ == nullptr) {
    if (Status s = Checked(api_->cuDevicePrimaryCtxRetain(&context_, device_), "make a context"); !s.ok()) return s;
  }
  return Checked(api_->cuCtxSetCurrent(context_), "make the context current");
}

GpuFigures CudaDevice::Figures() const {
  const auto figure = [this](CUdevice_attribute attribute) {
    int value = 0;
    return api_->cuDeviceGetAttribute(&value, attribute, device_) == CUDA_SUCCESS ? value : 0;
  };
  return {.major = figure(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
          .minor = figure(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
          .multiprocessors = figure(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
          .clock_khz = figure(CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
          .memory_clock_khz = figure(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
          .memory_bus_bits = figure(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)};
}

CudaDevice::~CudaDevice() { End(); }

void CudaDevice::End() {
  if (context_ == nullptr) return;
  for (CUdeviceptr& scratch : scratch_) {
    if (scratch != 0) api_->cuMemFree(scratch);
    scratch = 0;
  }
  scratch_bytes_ = 0;
  for (const auto& [ptx, module] : modules_) {
    if (module != nullptr) api_->cuModuleUnload(module);
  }
  modules_.clear();
  guard_copy_ = HostMemory();
  bus_copy_ = HostMemory();
  for (CUstream& stream : bus_streams_) {
    if (stream != nullptr) api_->cuStreamDestroy(std::exchange(stream, nullptr));
  }
  for (CUevent* event : {&begin_, &end_, &done_}) {
    if (*event != nullptr) api_->cuEventDestroy(std::exchange(*event, nullptr));
  }
  api_->cuDevicePrimaryCtxRelease(device_);
  context_ = nullptr;
}

Status CudaDevice::Checked(CUresult result, const char* doing) const {
  if (result == CUDA_SUCCESS) return Status();
  return Error{result == CUDA_ERROR_OUT_OF_MEMORY ? ErrorKind::kLimit : ErrorKind::kMachine,
               "the GPU could not " + std::string(doing) + ": " + api_->Describe(result)};
}

Status CudaDevice::Completed(CUresult result, const char* doing) const {
  return Checked(result == CUDA_SUCCESS ? api_->cuCtxSynchronize() : result, doing);
}

Result<BufferHandle> CudaDevice::Allocate(uint64_t bytes, std::string_view label) {
  CUdeviceptr address = 0;
  const std::string doing = "allocate " + std::to_string(bytes) + " bytes for " + std::string(label);
  if (Status s = Checked(api_->cuMemAlloc(&address, GpuAllocationBytes(bytes)), doing.c_str()); !s.ok()) {
    return s.error();
  }
  CUipcMemHandle ipc;
  if (Status s = Checked(api_->cuIpcGetMemHandle(&ipc, address), "share memory by CUDA IPC"); !s.ok()) {
    api_->cuMemFree(address);
    return s.error();
  }
  BufferHandle handle;
  handle.kind = protocol::MemoryKind::kIpc;
  handle.address = address;
  handle.bytes = bytes;
  static_assert(sizeof(ipc) == sizeof(handle.ipc));
  std::memcpy(handle.ipc.data(), &ipc, sizeof(ipc));
  return handle;
}

void CudaDevice::Free(const BufferHandle& buffer) { api_->cuMemFree(buffer.address); }

HostMemory CudaDevice::AllocateLocked(uint64_t bytes) {
  void* data = nullptr;
  if (api_->cuMemHostAlloc(&data, bytes, 0) != CUDA_SUCCESS) return HostMemory();
  const DriverApi* api = api_;
  return HostMemory(static_cast<std::byte*>(data), bytes, [api](std::byte* p) { api->cuMemFreeHost(p); });
}

HostMemory CudaDevice::AllocateHost(uint64_t bytes) {
  if (bytes >= kLeastLockedBytes) {
    if (HostMemory locked = AllocateLocked(bytes); !locked.bytes().empty()) return locked;
  }
  // Also where the system does not allow to lock this much memory: copies then only take longer.
  return HostMemory(new std::byte[bytes], bytes, [](std::byte* p) { delete[] p; });
}

Status CudaDevice::Upload(const BufferHandle& buffer, std::span<const std::byte> from) {
  return Completed(api_->cuMemcpyHtoD(buffer.address, from.data(), buffer.bytes), "upload an input");
}

Status CudaDevice::Download(const BufferHandle& buffer, std::span<std::byte> to) {
  return Checked(api_->cuMemcpyDtoH(to.data(), buffer.address, buffer.bytes), "download a buffer");
}

Status CudaDevice::Fill(const BufferHandle& buffer, std::byte value) {
  return Completed(
      api_->cuMemsetD8(buffer.address, std::to_integer<unsigned char>(value), GpuAllocationBytes(buffer.bytes)),
      "fill a buffer");
}

Status CudaDevice::FillGuard(const BufferHandle& buffer, std::byte value) {
  return Completed(api_->cuMemsetD8(buffer.address + buffer.bytes, std::to_integer<unsigned char>(value),
                                    GpuGuardBytes(buffer.bytes)),
                   "fill a guard");
}

Result<bool> CudaDevice::GuardIsIntact(const BufferHandle& buffer, std::byte value) {
  if (guard_copy_.bytes().empty()) guard_copy_ = AllocateHost(kGpuMostGuardBytes);
  const std::span<std::byte> guard = guard_copy_.bytes().first(GpuGuardBytes(buffer.bytes));
  if (Status s = Checked(api_->cuMemcpyDtoH(guard.data(), buffer.address + buffer.bytes, guard.size()), "read a guard");
      !s.ok()) {
    return s.error();
  }
  return AllBytesAre(guard, value);
}

Result<WorkerPlug> CudaDevice::Plug() {
  WorkerPlug plug;
  plug.environment = PassedOnVariables();
  const char* ours = std::getenv("LD_LIBRARY_PATH");  // on some clusters the driver is there
  plug.environment.push_back("LD_LIBRARY_PATH=" + runtime_folder_ + (ours ? std::string(":") + ours : std::string()));
  plug.limit_address_space = false;
  plug.libraries = {runtime_folder_};
  for (const std::string& folder : FoldersOf(ours)) plug.libraries.push_back(folder);
  char bus_id[32] = {};
  if (api_->cuDeviceGetPCIBusId(bus_id, sizeof(bus_id), device_) != CUDA_SUCCESS) bus_id[0] = '\0';
  DeviceFiles files = DeviceFilesFor(bus_id);
  plug.devices = std::move(files.paths);
  const std::string visible = VisibleDevice(std::getenv(kVisibleDevices), description_.uuid, files.of_several_gpus);
  if (!visible.empty()) plug.environment.push_back(kVisibleDevices + ("=" + visible));
  plug.own_processes = false;  // CUDA IPC does not work across process namespaces
  return plug;
}

Status CudaDevice::PrepareThroughput() {
  if (scratch_bytes_ != 0) return Status();
  int l2_bytes = 0;
  if (Status s = Checked(api_->cuDeviceGetAttribute(&l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device_),
                         "read the size of its L2 cache");
      !s.ok()) {
    return s;
  }
  flush_bytes_ = 2 * static_cast<uint64_t>(l2_bytes);
  const uint64_t bytes = std::max(kCopyBytes, flush_bytes_);
  for (CUdeviceptr& scratch : scratch_) {
    if (Status s = Checked(api_->cuMemAlloc(&scratch, bytes), "allocate the copy's buffers"); !s.ok()) return s;
    if (Status s = Checked(api_->cuMemsetD8(scratch, 0, bytes), "fill the copy's buffers"); !s.ok()) return s;
  }
  if (Status s = Checked(api_->cuEventCreate(&begin_, CU_EVENT_DEFAULT), "make an event"); !s.ok()) return s;
  if (Status s = Checked(api_->cuEventCreate(&end_, CU_EVENT_DEFAULT), "make an event"); !s.ok()) return s;
  telemetry_ = TelemetryReader::Open(description_.uuid);
  scratch_bytes_ = bytes;
  return Status();
}

Status CudaDevice::FlushCaches() {
  if (Status s = PrepareThroughput(); !s.ok()) return s;
  // Some devices have no persisting lines. Then the call returns an error, which does no harm.
  api_->cuCtxResetPersistingL2Cache();
  return Completed(api_->cuMemsetD8(scratch_[0], 0, flush_bytes_), "flush its L2 cache");
}

Status CudaDevice::CopyInside(const BufferHandle& to, const BufferHandle& from) {
  return Checked(api_->cuMemcpyDtoDAsync(to.address, from.address, from.bytes, nullptr), "copy an input into place");
}

Status CudaDevice::CopyToHost(std::span<std::byte> to, const BufferHandle& from) {
  return Checked(api_->cuMemcpyDtoHAsync(to.data(), from.address, from.bytes, nullptr), "copy an input into place");
}

Status CudaDevice::PrepareBus() {
  if (Status s = PrepareThroughput(); !s.ok()) return s;
  if (!bus_copy_.bytes().empty()) return Status();
  for (CUstream& stream : bus_streams_) {
    if (stream != nullptr) continue;
    if (Status s = Checked(api_->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "make a stream"); !s.ok()) return s;
  }
  HostMemory copy = AllocateLocked(kBusCopyBytes);
  if (copy.bytes().empty())
    return Error{ErrorKind::kMachine,
                 "the GPU could not lock 8 MB of memory to keep its bus busy; may this user lock memory (ulimit -l)?"};
  std::memset(copy.bytes().data(), 0, kBusCopyBytes);
  bus_copy_ = std::move(copy);
  return Status();
}

Status CudaDevice::KeepBusBusy(uint64_t bytes) {
  if (Status s = PrepareBus(); !s.ok()) return s;
  int turn = 0;
  for (uint64_t begun = 0; begun < bytes; begun += kBusCopyBytes, turn = (turn + 1) % kBusStreams) {
    const CUdeviceptr to = scratch_[1] + static_cast<uint64_t>(turn) * kBusCopyBytes;
    const CUresult result = api_->cuMemcpyHtoDAsync(to, bus_copy_.bytes().data(), kBusCopyBytes, bus_streams_[turn]);
    if (Status s = Checked(result, "keep its bus busy"); !s.ok()) return s;
  }
  return Status();
}

Status CudaDevice::TakeTurn() {
  if (Status s = PrepareThroughput(); !s.ok()) return s;
  return Checked(api_->cuMemsetD8(scratch_[0], 0, kTurnBytes), "take a turn");
}

Status CudaDevice::Synchronize() { return Checked(api_->cuCtxSynchronize(), "end what the grader asked of it"); }

Status CudaDevice::SleepUntilDone() {
  CUresult result = CUDA_SUCCESS;
  if (done_ == nullptr) result = api_->cuEventCreate(&done_, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING);
  if (result == CUDA_SUCCESS) result = api_->cuEventRecord(done_, nullptr);
  if (result == CUDA_SUCCESS) result = api_->cuEventSynchronize(done_);
  return Checked(result, "end what the grader asked of it");
}

bool CudaDevice::CanRun(std::string_view ptx) {
  const auto [module, is_new] = modules_.try_emplace(ptx, nullptr);
  // The driver wants a string that ends with 0. An old driver may not know this version of PTX.
  if (is_new && api_->cuModuleLoadData(&module->second, std::string(ptx).c_str()) != CUDA_SUCCESS) {
    module->second = nullptr;
  }
  return module->second != nullptr;
}

Status CudaDevice::Run(std::string_view ptx, const char* kernel, bool one_block, const GpuArguments& arguments) {
  WARPGRADE_CHECK(CanRun(ptx));
  CUfunction function = nullptr;
  const std::string doing = "run the grader's kernel " + std::string(kernel);
  if (Status s = Checked(api_->cuModuleGetFunction(&function, modules_[ptx], kernel), doing.c_str()); !s.ok()) return s;
  void* parameters[] = {const_cast<GpuArguments*>(&arguments)};  // the driver copies them
  return Checked(api_->cuLaunchKernel(function, one_block ? 1 : kOwnBlocks, 1, 1, kGpuWorkThreads, 1, 1, 0, nullptr,
                                      parameters, nullptr),
                 doing.c_str());
}

std::optional<HostView> CudaDevice::ViewHost(std::span<std::byte> memory) {
  CUdeviceptr address = 0;
  if (api_->cuMemHostRegister(memory.data(), memory.size(), CU_MEMHOSTREGISTER_DEVICEMAP) != CUDA_SUCCESS) {
    return std::nullopt;  // the system does not allow to lock this much memory
  }
  const auto release = [api = api_, data = memory.data()] { api->cuMemHostUnregister(data); };
  if (api_->cuMemHostGetDevicePointer(&address, memory.data(), 0) != CUDA_SUCCESS) {
    release();
    return std::nullopt;
  }
  return HostView(address, release);
}

uint64_t CudaDevice::FreeBytes() {
  size_t free = 0, total = 0;
  return api_->cuMemGetInfo(&free, &total) == CUDA_SUCCESS ? free : 0;
}

std::optional<GpuReading> CudaDevice::ReadTelemetry() { return telemetry_ ? telemetry_->Read() : std::nullopt; }

Result<double> CudaDevice::MeasureCopyBandwidth() {
  if (Status s = PrepareThroughput(); !s.ok()) return s.error();
  CUresult result = api_->cuEventRecord(begin_, nullptr);
  for (int i = 0; i < kCopiesPerMeasurement && result == CUDA_SUCCESS; ++i) {
    result = api_->cuMemcpyDtoDAsync(scratch_[1], scratch_[0], scratch_bytes_, nullptr);
  }
  if (result == CUDA_SUCCESS) result = api_->cuEventRecord(end_, nullptr);
  if (result == CUDA_SUCCESS) result = api_->cuEventSynchronize(end_);
  float milliseconds = 0;
  if (result == CUDA_SUCCESS) result = api_->cuEventElapsedTime(&milliseconds, begin_, end_);
  if (Status s = Checked(result, "copy inside its memory"); !s.ok()) return s.error();
  if (milliseconds <= 0) return Error{ErrorKind::kMachine, "the GPU's events measured no time for a copy"};
  return 2.0 * kCopiesPerMeasurement * static_cast<double>(scratch_bytes_) / (milliseconds * 1e6);
}

}  // namespace warpgrade::judge
