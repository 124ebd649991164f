// The emulated device, in the judge's own process. A worker's libcudart forwards its calls and launches to it, so the
// worker cannot forge results, counters or findings.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "grader/cudart/device/server.h"
#include "grader/emulator/device.h"
#include "grader/judge/device.h"

namespace warpgrade::judge {

class EmulatorDevice : public JudgeDevice {
 public:
  struct Options {
    int host_threads = 0;                   // 0: all cores
    uint64_t instruction_budget = 0;        // warp instructions per launch
    uint64_t total_instruction_budget = 0;  // of all launches together, with what copies count as
    uint64_t global_memory_bytes = 0;       // the most that a student's program may allocate; it is our own memory
    std::string runtime_folder;             // holds our libcudart.so.13
    uint64_t delay_seed = 0;                // delays asynchronous work as CUDA allows; 0: it is done at its call
    uint64_t max_printed_bytes = 64 << 10;  // how much of the kernels' printf is kept for messages
  };
  explicit EmulatorDevice(const Options& options);
  ~EmulatorDevice() override;

  // The output of the kernels' printf, cut at max_printed_bytes.
  const std::string& printed() const { return printed_; }

  // True if a worker used streams, so that its work was delayed.
  bool has_delayed() const { return has_delayed_ || (server_ && server_->has_delayed()); }
  // Stops the delays, from the next worker on.
  void StopDelays() { delay_seed_ = 0; }

  score::DeviceDescription Describe() const override;
  Result<BufferHandle> Allocate(uint64_t bytes, std::string_view label) override;
  void Free(const BufferHandle& buffer) override;
  HostMemory AllocateHost(uint64_t bytes) override;
  Status Upload(const BufferHandle& buffer, std::span<const std::byte> from) override;
  Status Download(const BufferHandle& buffer, std::span<std::byte> to) override;
  Status Peek(const BufferHandle& buffer, std::span<std::byte> to) override;
  Status Fill(const BufferHandle& buffer, std::byte value) override;
  Status FillGuard(const BufferHandle&, std::byte) override { return Status(); }
  Result<bool> GuardIsIntact(const BufferHandle&, std::byte) override { return true; }
  Result<WorkerPlug> Plug() override;
  void WorkerStarted() override;
  int service_fd() const override;
  int64_t Serve() override;
  std::string MachineFailure() const override { return machine_failure_; }
  void Interrupt() override { cancel_ = true; }
  void WorkerGone() override;
  std::map<std::string, double> Metrics(uint64_t elements) const override;
  std::map<std::string, double> KernelMetrics(uint64_t elements) const override;
  bool HigherIsBetter(const std::string& metric) const override;
  void WatchAnswer(bool watches) override;
  std::map<std::string, double> MetricsOfAnswer(uint64_t elements) const override;
  std::string WhyAnswerIsUnclear() const override;
  std::string IdleKernels() const override;
  std::map<std::string, std::string> MetricLines(const std::string& rung) const override;
  std::vector<score::LineCounts> LineCounts(const std::string& rung) const override;
  void RecordPictures(bool records) override { device_.RecordPictures(records); }
  void RecordSteps(const std::optional<BlockToRecord>& of) override;
  score::Pictures Pictures(const std::string& rung) const override;
  void BeginCase(uint64_t number, uint64_t order) override;
  void ShortenLaunches(bool shortens) override;
  bool MayDependOnOrder() const override;
  void BeginCall(uint64_t stream, const std::vector<BufferHandle>& arrays) override;
  bool CanFailAllocations() const override { return true; }
  void FailAllocation(int number) override;
  void KeepLeaks() override;
  void CallEnded() override;
  std::vector<score::Finding> Findings(const LineOfCall& line_of) const override;
  void ResetObservations() override;
  uint64_t CallThatFailed(std::optional<int> cuda_code) const override;
  std::string WhyCallFailed() const override { return server_ ? server_->failed_call().why : ""; }
  std::string NameDeviceMemory(uint64_t address) const override;
  ThroughputDevice* throughput() override { return nullptr; }

 private:
  void Unplug();
  // Of the present case; 0: nothing is delayed.
  uint64_t DelaySeed() const;
  // nullopt: everything that ran made the answer, or this is not known.
  std::optional<cudart::AnswerWork::Made> WorkOfAnswer() const;

  const Options options_;
  std::atomic<bool> cancel_{false};
  uint64_t delay_seed_;
  uint64_t case_ = 0;  // its number
  bool has_delayed_ = false;
  uint64_t kept_leak_ = 0;  // the largest of KeepLeaks
  std::string printed_;
  emulator::Device device_;
  int judge_fd_ = -1;   // our end of the device socket
  int worker_fd_ = -1;  // the worker's end of the device socket, until it has inherited it
  std::unique_ptr<cudart::Server> server_;
  std::string machine_failure_;
  std::vector<emulator::ByteRange> answer_;  // what was downloaded while the answer was watched
};

// The emulator as results name it.
score::DeviceDescription DescribeEmulator();

}  // namespace warpgrade::judge
