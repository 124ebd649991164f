// A Backend over an emulator::Device in this process. The in-process runtime uses it directly, and the judge's Server
// uses it behind the socket, so that both give the same answers.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/cudart/device/answer_work.h"
#include "grader/cudart/device/backend.h"
#include "grader/cudart/order/stream_order.h"

namespace warpgrade::cudart {

// How much one peer may make the device hold, so that a hostile peer cannot exhaust the judge. Modules that could not
// be loaded count, too: reading one takes the judge time.
struct PeerLimits {
  size_t modules = 256;
  uint64_t ptx_bytes = uint64_t{16} << 20;  // uncompressed, of all modules together; a lab's has about 0.1 MB
  size_t allocations = 65536;               // live at once
  size_t shared_allocations = 4096;         // of these; each takes a mapping of the judge's process
  size_t launches = 100'000;                // kept in Device::Launches()
  size_t waiting_launches = 16;             // each keeps the state of its blocks
};

class LocalBackend : public Backend {
 public:
  // `device` outlives this and stands for a GPU of `model`. `after_launch`, when given, is called after each launch
  // that ran, before Run returns, after each copy and set on the device, and after each finding of the order of
  // streams.
  explicit LocalBackend(emulator::Device& device, PeerLimits limits = {},
                        std::function<void(emulator::Device&)> after_launch = nullptr,
                        const DeviceModel& model = DefaultDeviceModel());
  // Frees the allocations and unloads the modules that were made through this Backend.
  ~LocalBackend() override;
  LocalBackend(const LocalBackend&) = delete;
  LocalBackend& operator=(const LocalBackend&) = delete;

  // Adds what the peer requested since the last reset, as metrics of metrics.def.
  void AddMetrics(std::map<std::string, double>* metrics) const;
  void ResetObservations();
  // From now on, or no longer, takes note of which work made which bytes. A reset of the observations begins anew.
  void WatchAnswer(bool watches) { answer_work_ = watches ? std::make_unique<AnswerWork>(device_) : nullptr; }
  const AnswerWork* answer_work() const { return answer_work_.get(); }  // nullptr: it is not watched

  // DeviceFacts::delay_seed, for the next call of Facts.
  void DelayWork(uint64_t seed) { delay_seed_ = seed; }
  // The program's side delayed work.
  bool has_delayed() const { return has_delayed_; }

  // The most that the peer's work between two resets has left allocated.
  uint64_t BytesNotFreed() const { return std::max(most_left_, NewBytes()); }

  // See StreamOrder: the function's arrays are these ranges.
  void BeginCall(uint64_t stream, const std::vector<emulator::ByteRange>& arrays);
  // The `number`-th allocation from now on fails, counted from 1, as if there were no memory; 0: none does.
  void FailAllocation(int number) { allocations_until_failure_ = number; }

  // The last one since ResetObservations.
  const FailedCall& failed_call() const { return failed_call_; }

  // Ends the launches that still wait, and returns the names of their kernels. What they did counts as done.
  std::vector<std::string> AbandonAll();

  // REQUIRES: LoadModule gave the handle.
  int WaveLanes(ModuleHandle module) const { return device_.WaveLanes(modules_[module].id); }

  void CallFailed(int32_t error, std::string_view why) override { failed_call_ = {error, call_, std::string(why)}; }
  void AnnounceRead(DevicePtr from, uint64_t bytes) override;
  void Order(const OrderStep& step) override;

  cudaError_t Facts(DeviceFacts* facts) override;
  cudaError_t LoadModule(std::span<const std::byte> fatbin, ModuleHandle* module, std::string* message) override;
  cudaError_t LoadProgram(const std::vector<std::span<const std::byte>>& units, ModuleHandle* module,
                          std::string* message) override;
  cudaError_t FindKernel(ModuleHandle module, std::string_view mangled_name, Kernel* kernel) override;
  cudaError_t FindVariable(ModuleHandle module, std::string_view name, AllocationInfo* variable) override;
  cudaError_t Allocate(uint64_t bytes, DevicePtr* pointer) override;
  cudaError_t AllocateShared(uint64_t bytes, MemoryKind kind, DevicePtr* pointer) override;
  cudaError_t Share(DevicePtr base, int* descriptor) override;
  cudaError_t Free(DevicePtr pointer) override;
  cudaError_t FindAllocation(DevicePtr pointer, std::optional<AllocationInfo>* allocation) override;
  cudaError_t MemoryInfo(uint64_t* free_bytes, uint64_t* total_bytes) override;
  cudaError_t Write(DevicePtr to, const void* from, uint64_t bytes) override;
  cudaError_t Read(void* to, DevicePtr from, uint64_t bytes) override;
  cudaError_t Copy(DevicePtr to, DevicePtr from, uint64_t bytes) override;
  cudaError_t Fill(DevicePtr to, uint8_t value, uint64_t bytes) override;
  cudaError_t Run(const Launch& launch, uint64_t* device_ns) override;
  cudaError_t Continue(emulator::LaunchId launch, bool alone, uint64_t* device_ns) override;
  cudaError_t Synchronize() override;

 private:
  DeviceFacts OwnFacts() const;
  bool HostReaches(DevicePtr pointer) const;
  void CountCopy(DevicePtr to, DevicePtr from, uint64_t bytes);
  Engine EngineOf(DevicePtr to, DevicePtr from) const;
  // Whether the order of the work in use_ is to be checked; then CheckOrder is called with it.
  bool WatchesOrder();
  void CheckOrder(WorkKind kind, bool host_waits, emulator::TouchedBytes touched, std::string kernel = "");
  cudaError_t FinishRun(emulator::LaunchStatus status, size_t launches_before, emulator::KernelId kernel,
                        bool watches_order, emulator::TouchedBytes touched, uint64_t* device_ns);
  void Abandon(emulator::LaunchId launch, emulator::KernelId kernel);
  void NoteHostVisible(const emulator::TouchedBytes& touched);
  static emulator::TouchedBytes Bytes(DevicePtr reads, DevicePtr writes, uint64_t bytes);

  emulator::Device& device_;
  const DeviceModel& model_;
  const PeerLimits limits_;
  const std::function<void(emulator::Device&)> after_launch_;
  // Handles are indices here, so that a peer's number is checked by one comparison.
  struct LoadedModule {
    emulator::ModuleId id = 0;
    int ptx_arch = 0;
  };
  std::vector<LoadedModule> modules_;
  std::vector<emulator::KernelId> kernels_;
  std::unordered_map<emulator::KernelId, KernelHandle> handle_of_kernel_;
  struct Allocation {
    MemoryKind kind = MemoryKind::kDevice;
    uint64_t bytes = 0;
    bool is_new = true;  // since the last ResetObservations
  };
  void Remember(DevicePtr pointer, MemoryKind kind, uint64_t bytes);
  std::unordered_map<DevicePtr, Allocation> allocations_;
  uint64_t NewBytes() const;
  // Counts an allocation, and returns whether it must fail.
  bool MustFail() { return allocations_until_failure_ > 0 && --allocations_until_failure_ == 0; }
  int allocations_until_failure_ = 0;
  uint64_t most_left_ = 0;  // the largest NewBytes() at any ResetObservations: a reset does not free anything
  // Takes instructions from the device's budget for work on `bytes` of its memory. Returns false if the budget is used
  // up.
  bool SpendOn(uint64_t bytes);
  struct Waiting {
    emulator::KernelId kernel = 0;
    bool has_place = false;  // in the order, from the program's side
  };
  std::unordered_map<emulator::LaunchId, Waiting> waiting_launches_;
  size_t shared_allocations_ = 0;
  size_t modules_seen_ = 0;
  uint64_t ptx_bytes_ = 0;
  Timeline timeline_;
  StreamOrder order_;
  uint64_t delay_seed_ = 0;
  bool has_delayed_ = false;
  FailedCall failed_call_;
  std::unique_ptr<AnswerWork> answer_work_;
  uint64_t managed_bytes_ = 0, pinned_bytes_ = 0;  // allocated since the last reset
  uint64_t host_visible_bytes_ = 0;                // bytes written since then to memory that the peer can read
};

// The CUDA error of a launch that ended with this status.
cudaError_t ToCudaError(emulator::LaunchStatus status);

}  // namespace warpgrade::cudart
