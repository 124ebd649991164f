// A device without a GPU and without an emulator: memory shared with the worker. It has a throughput side whose copy
// bandwidth is a constant, and findings and metrics that a test puts in.
#pragma once

#include <chrono>
#include <climits>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/device.h"

namespace warpgrade::judge::fake {

class FakeDevice : public JudgeDevice, public ThroughputDevice {
 public:
  FakeDevice();
  ~FakeDevice() override;

  // What the next observation gives; cleared by ResetObservations unless `sticky`.
  std::vector<score::Finding> findings;
  bool sticky_findings = false;
  bool watches_answer = false;
  std::map<std::string, double> metrics, metrics_of_answer;
  std::map<uint64_t, std::map<std::string, double>> metrics_of_size;  // by elements, in place of `metrics`
  // Of the first, second .. case that runs in another order than that of the numbers, in place of the others. The last
  // one also stands for all later cases.
  std::vector<std::map<std::string, double>> metrics_of_reordered;
  std::vector<uint64_t> orders;  // of these cases
  bool may_depend_on_order = false;
  score::Pictures pictures;
  // The next Allocate fails for lack of memory, or the one after so many others.
  bool out_of_memory = false;
  std::optional<int> allocations_left;
  uint64_t free_bytes = uint64_t{1} << 40;  // as it says
  // Whether a confined worker has process numbers of its own. On a GPU it has not.
  bool own_processes = true;
  int64_t filled_at_ns = 0;  // RawNanoseconds() of the last of `fills`
  int flushes = 0, copies = 0, deliveries = 0, fills = 0, turns = 0, live_buffers = 0;
  std::function<void()> at_flush = [] {};
  std::function<void()> at_synchronize = [] {};
  // Of each delivery whether someone else's work on the device holds it up. Beyond its end: none.
  std::vector<bool> busy;
  // That a student's "kernel" has before others have theirs; more where a test needs its end on a busy machine.
  std::chrono::milliseconds longest_turn{200};
  // How a kernel of the grader's own runs; empty: the device runs none.
  std::function<void(const std::string& kernel, const GpuArguments& arguments)> run_own;
  int sleeps = 0;            // until such kernels are done
  int sleeps_too_early = 0;  // as readings_too_early
  bool views_host = true;    // ViewHost works
  int live_views = 0;
  // What the judge copies to the host by itself, and to the device beside that, since the bus was last empty.
  uint64_t to_host_bytes = 0, to_device_bytes = 0;
  uint64_t most_to_host_bytes = 0, least_to_device_bytes = UINT64_MAX;  // of all times when the bus became empty
  int copies_on_idle_bus = 0;  // to the host, while nothing was copied to the device
  // The worker copies to the device, too, from this delivery on until it is gone. The deliveries are counted from 0.
  int shares_bus_from = INT_MAX;
  int emptied = 0;  // so often
  // What its driver tells; empty: nothing.
  std::optional<GpuReading> telemetry;
  int readings = 0;
  int readings_too_early = 0;  // of these, between a delivery and the end of the collecting, where the clock runs

  score::DeviceDescription Describe() const override { return {"fake", "fake device", "", ""}; }
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
  void WorkerGone() override;
  std::map<std::string, double> Metrics(uint64_t elements) const override;
  void BeginCase(uint64_t, uint64_t order) override {
    is_reordered_ = order != 0;
    if (is_reordered_) orders.push_back(order);
  }
  bool HigherIsBetter(const std::string& metric) const override { return metric.starts_with("efficiency"); }
  score::Pictures Pictures(const std::string&) const override { return pictures; }
  bool MayDependOnOrder() const override { return may_depend_on_order; }
  void WatchAnswer(bool watches) override { watches_answer = watches; }
  std::map<std::string, double> MetricsOfAnswer(uint64_t) const override {
    return watches_answer ? metrics_of_answer : std::map<std::string, double>();
  }
  std::string IdleKernels() const override { return "decoy()"; }
  std::map<std::string, std::string> MetricLines(const std::string&) const override { return {}; }
  std::vector<score::Finding> Findings(const LineOfCall&) const override { return findings; }
  void ResetObservations() override {
    if (!sticky_findings) findings.clear();
  }
  ThroughputDevice* throughput() override { return this; }

  Status FlushCaches() override {
    at_flush();
    ++flushes;
    EmptyBus();
    return Status();
  }
  Result<double> MeasureCopyBandwidth() override {
    ++copies;
    return 100.0;
  }
  Status CopyInside(const BufferHandle& to, const BufferHandle& from) override;
  Status CopyToHost(std::span<std::byte> to, const BufferHandle& from) override;
  Status KeepBusBusy(uint64_t bytes) override;
  Status TakeTurn() override;
  Status Synchronize() override {
    clock_runs_ = false;
    at_synchronize();
    EmptyBus();
    return Status();
  }
  Status SleepUntilDone() override {
    ++sleeps;
    if (clock_runs_) ++sleeps_too_early;
    return Synchronize();
  }
  bool CanRun(std::string_view) override { return run_own != nullptr; }
  Status Run(std::string_view, const char* kernel, bool, const GpuArguments& arguments) override;
  std::optional<HostView> ViewHost(std::span<std::byte> memory) override {
    if (!views_host) return std::nullopt;
    ++live_views;
    return HostView(reinterpret_cast<uint64_t>(memory.data()), [this] { --live_views; });
  }
  uint64_t FreeBytes() override { return free_bytes; }
  std::optional<GpuReading> ReadTelemetry() override {
    ++readings;
    if (clock_runs_) ++readings_too_early;
    return telemetry;
  }

 private:
  void EmptyBus();
  // As the judge's work on a GPU waits for a short kernel of another process.
  void AwaitKernels() const;
  std::byte* At(const BufferHandle& buffer) const { return reinterpret_cast<std::byte*>(buffer.address); }
  int fd_ = -1;
  uint64_t used_ = 0;
  std::set<uint64_t> uploaded_;  // addresses of what the judge put there
  bool clock_runs_ = false;
  bool is_reordered_ = false;
};

}  // namespace warpgrade::judge::fake
