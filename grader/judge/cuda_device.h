// A real GPU, used through the driver API. The judge owns the device buffers and shares each with the worker by CUDA
// IPC, so inputs, outputs and their comparison stay with the judge.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/device.h"
#include "grader/judge/driver_api.h"
#include "grader/judge/gpu_peaks.h"

namespace warpgrade::judge {

class CudaDevice : public JudgeDevice, public ThroughputDevice {
 public:
  // As GpusLikeTheFirst.
  static std::vector<std::string> LikeTheFirst();
  // Looks at device 0 (CUDA_VISIBLE_DEVICES chooses), without using it: only Describe may be called before Begin.
  // `runtime_folder` holds NVIDIA's libcudart.so.13. Errors (kMachine): "no GPU here: ...", or a GPU that does not let
  // two processes share it.
  static Result<std::unique_ptr<CudaDevice>> Open(std::string runtime_folder);
  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  // Makes a context on the device, if there is none yet. That disturbs what others time there. Errors: kMachine.
  Status Begin();
  // Gives back all that it holds on the device. Begin may follow.
  void End();

  score::DeviceDescription Describe() const override { return description_; }
  Result<BufferHandle> Allocate(uint64_t bytes, std::string_view label) override;
  void Free(const BufferHandle& buffer) override;
  HostMemory AllocateHost(uint64_t bytes) override;
  Status Upload(const BufferHandle& buffer, std::span<const std::byte> from) override;
  Status Download(const BufferHandle& buffer, std::span<std::byte> to) override;
  Status Fill(const BufferHandle& buffer, std::byte value) override;
  Status FillGuard(const BufferHandle& buffer, std::byte value) override;
  Result<bool> GuardIsIntact(const BufferHandle& buffer, std::byte value) override;
  Result<WorkerPlug> Plug() override;
  void WorkerStarted() override {}
  int service_fd() const override { return -1; }
  int64_t Serve() override { return 0; }
  void Interrupt() override {}
  void WorkerGone() override {}
  std::map<std::string, double> Metrics(uint64_t) const override { return {}; }
  std::map<std::string, std::string> MetricLines(const std::string&) const override { return {}; }
  std::vector<score::Finding> Findings(const LineOfCall&) const override { return {}; }
  void ResetObservations() override {}
  ThroughputDevice* throughput() override { return this; }

  Status FlushCaches() override;
  Result<double> MeasureCopyBandwidth() override;
  Status CopyInside(const BufferHandle& to, const BufferHandle& from) override;
  Status CopyToHost(std::span<std::byte> to, const BufferHandle& from) override;
  Status KeepBusBusy(uint64_t bytes) override;
  Status TakeTurn() override;
  Status Synchronize() override;
  Status SleepUntilDone() override;
  bool CanRun(std::string_view ptx) override;
  Status Run(std::string_view ptx, const char* kernel, bool one_block, const GpuArguments& arguments) override;
  std::optional<HostView> ViewHost(std::span<std::byte> memory) override;
  uint64_t FreeBytes() override;
  std::optional<GpuReading> ReadTelemetry() override;

 private:
  // Chosen: two, so that one copies while the driver starts the next copy of the other.
  static constexpr int kBusStreams = 2;

  CudaDevice(const DriverApi* api, std::string runtime_folder)
      : api_(api), runtime_folder_(std::move(runtime_folder)) {}
  Status Look(int number);
  // Figures that the driver does not report are 0.
  GpuFigures Figures() const;
  Status PrepareThroughput();
  Status PrepareBus();
  HostMemory AllocateLocked(uint64_t bytes);  // empty if the system does not allow it
  Status Checked(CUresult result, const char* doing) const;
  // Also waits for the device. Needed after a write: another process reads the memory next, and the driver may return
  // before the device is done.
  Status Completed(CUresult result, const char* doing) const;

  const DriverApi* api_;
  const std::string runtime_folder_;
  score::DeviceDescription description_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  // Made when the first throughput is measured: two buffers of scratch_bytes_, far larger than the L2 cache.
  uint64_t scratch_bytes_ = 0;
  uint64_t flush_bytes_ = 0;
  CUdeviceptr scratch_[2] = {};
  CUevent begin_ = nullptr, end_ = nullptr;
  CUstream bus_streams_[kBusStreams] = {};        // made by the first KeepBusBusy
  HostMemory bus_copy_;                           // what these streams copy
  CUevent done_ = nullptr;                        // made by the first SleepUntilDone
  HostMemory guard_copy_;                         // made by the first GuardIsIntact
  std::map<std::string_view, CUmodule> modules_;  // by their PTX; nullptr: the driver cannot load it
  std::unique_ptr<TelemetryReader> telemetry_;    // nullptr where there is none
};

}  // namespace warpgrade::judge
