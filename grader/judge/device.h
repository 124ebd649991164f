// The device that student code runs on, as the judge sees it: an emulated one in this process, or a GPU. The judge owns
// every buffer; a worker learns of a buffer through its BufferHandle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/gpu_telemetry.h"
#include "grader/judge/measured_parts.h"
#include "grader/judge/student_lines.h"
#include "grader/lab/gpu_work.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

// A buffer of the judge's, and what the worker needs to find it.
struct BufferHandle {
  protocol::MemoryKind kind = protocol::MemoryKind::kAddress;
  uint64_t address = 0;  // in the judge's own address space of the device
  std::array<uint8_t, 64> ipc{};
  uint64_t offset = 0;
  uint64_t bytes = 0;
  int descriptor = -1;  // the file of a host buffer's memory
};

// Host memory with fast copies from and to the device (page-locked on a GPU). Not initialised.
class HostMemory {
 public:
  HostMemory() = default;
  HostMemory(std::byte* data, uint64_t bytes, std::function<void(std::byte*)> release)
      : data_(data, std::move(release)), bytes_(bytes) {}
  std::span<std::byte> bytes() { return {data_.get(), bytes_}; }
  std::span<const std::byte> bytes() const { return {data_.get(), bytes_}; }

 private:
  std::unique_ptr<std::byte, std::function<void(std::byte*)>> data_{nullptr, [](std::byte*) {}};
  uint64_t bytes_ = 0;
};

// Memory of the host, as the device sees it while this object lives.
class HostView {
 public:
  HostView(uint64_t address, std::function<void()> release) : address_(address), release_(std::move(release)) {}
  HostView(HostView&& other) noexcept : address_(other.address_), release_(std::exchange(other.release_, nullptr)) {}
  HostView& operator=(HostView&&) = delete;
  ~HostView() {
    if (release_) release_();
  }
  uint64_t address() const { return address_; }  // for the grader's own kernels

 private:
  const uint64_t address_;
  std::function<void()> release_;
};

// What a worker process needs to reach the device.
struct WorkerPlug {
  std::vector<std::string> environment;            // "NAME=value"
  std::vector<std::pair<int, int>> inherited_fds;  // {ours, its number in the worker}
  bool limit_address_space = true;
  // What a confined worker must see in addition to the system's libraries.
  std::vector<std::string> libraries;  // files and folders
  std::vector<std::string> devices;    // device files
  bool own_processes = true;           // the worker may have process numbers of its own (sandbox/confinement.h)
};

// What timing needs of a real GPU.
class ThroughputDevice {
 public:
  virtual ~ThroughputDevice() = default;
  // Empties the caches: resets persisting L2 lines, then writes twice the L2 size. Returns when that is done.
  virtual Status FlushCaches() = 0;
  // Measures one copy inside device memory, far larger than the L2 cache, with the judge's own events. Returns GB/s,
  // bytes read plus bytes written.
  virtual Result<double> MeasureCopyBandwidth() = 0;
  // Starts copying all of `from` into `to` on the device. It is done when FlushCaches or Synchronize returns. REQUIRES:
  // to.bytes == from.bytes.
  virtual Status CopyInside(const BufferHandle& to, const BufferHandle& from) = 0;
  // The same for memory that ViewHost let the device write. REQUIRES: to.size() == from.bytes.
  virtual Status CopyToHost(std::span<std::byte> /*to*/, const BufferHandle& /*from*/) {
    return Error{ErrorKind::kMachine, "this device does not write host memory by itself"};
  }
  // Starts copying `bytes` from the host's memory to the device, beside all other work. So whoever copies in this
  // direction at the same time makes it take longer. It is done when FlushCaches or Synchronize returns.
  virtual Status KeepBusBusy(uint64_t /*bytes*/) {
    return Error{ErrorKind::kMachine, "this device does not read host memory by itself"};
  }
  // Starts a tiny operation on the multiprocessors, before the work that follows. There it alternates with the work of
  // other processes. Copies alone would run at the same time as that work, and would not be delayed.
  virtual Status TakeTurn() = 0;
  // Returns when all work that the judge has started is done.
  virtual Status Synchronize() = 0;
  // The same, but the processor is free meanwhile, and it takes some microseconds longer. So not while the clock runs.
  virtual Status SleepUntilDone() { return Synchronize(); }
  // True if the device can run the kernels of this PTX. Loads them, so that Run starts at once. `ptx` must live as long
  // as the device.
  virtual bool CanRun(std::string_view /*ptx*/) { return false; }
  // Starts a kernel of the grader's own, without waiting for it: on one block of kGpuWorkThreads threads, or on as many
  // as fill the GPU. REQUIRES: CanRun(ptx), and the kernel is in it.
  virtual Status Run(std::string_view /*ptx*/, const char* /*kernel*/, bool /*one_block*/,
                     const GpuArguments& /*arguments*/) {
    return Error{ErrorKind::kMachine, "this device runs no kernels of the grader's"};
  }
  // Lets the device read and write this memory by itself: copies are then fast, and the grader's own kernels can use
  // it. nullopt: it cannot. The memory outlives the result, which outlives no device.
  virtual std::optional<HostView> ViewHost(std::span<std::byte> /*memory*/) { return std::nullopt; }
  // Free bytes of the device's memory. 0: not known.
  virtual uint64_t FreeBytes() = 0;
  // The GPU's clocks, temperature and power now; nullopt where its driver does not report them. Do not call it while
  // the clock runs.
  virtual std::optional<GpuReading> ReadTelemetry() { return std::nullopt; }
};

// Used by one thread, except for Interrupt.
class JudgeDevice {
 public:
  virtual ~JudgeDevice() = default;

  virtual score::DeviceDescription Describe() const = 0;

  // Allocates a buffer, which findings call `label`. REQUIRES: bytes > 0. Errors: kLimit when memory is short.
  virtual Result<BufferHandle> Allocate(uint64_t bytes, std::string_view label) = 0;
  // Frees a buffer. A buffer that the worker has freed already is no error.
  virtual void Free(const BufferHandle& buffer) = 0;
  virtual HostMemory AllocateHost(uint64_t bytes) = 0;

  // Copy the whole buffer. REQUIRES: sizes agree. Errors: the buffer is no longer there, or the device is lost.
  virtual Status Upload(const BufferHandle& buffer, std::span<const std::byte> from) = 0;
  virtual Status Download(const BufferHandle& buffer, std::span<std::byte> to) = 0;
  // As Download, but what is copied is no part of the answer (WatchAnswer).
  virtual Status Peek(const BufferHandle& buffer, std::span<std::byte> to) { return Download(buffer, to); }
  // Sets every byte of the buffer, and of the guard behind it where there is one.
  virtual Status Fill(const BufferHandle& buffer, std::byte value) = 0;
  // Sets only the guard, for a buffer whose content is uploaded.
  virtual Status FillGuard(const BufferHandle& buffer, std::byte value) = 0;
  // False when a byte of the guard is no longer `value`. Always true on the emulator, which sees every access outside a
  // buffer itself.
  virtual Result<bool> GuardIsIntact(const BufferHandle& buffer, std::byte value) = 0;

  // Makes what a new worker process inherits. Called once per worker, before it starts; WorkerStarted follows.
  virtual Result<WorkerPlug> Plug() = 0;
  // Closes our copies of the worker's descriptors.
  virtual void WorkerStarted() = 0;
  // A descriptor that is readable when the worker has a request for the device; -1: it never has one, or is gone.
  virtual int service_fd() const = 0;
  // Serves one request, which may take as long as a kernel. Cuts off a worker that breaks the device's protocol.
  // Returns the nanoseconds in which the device worked: not those in which it waited for the worker to send or to read.
  virtual int64_t Serve() = 0;
  // Why Serve had to cut off a worker that did nothing wrong; "": it did not. Then the rung must be judged again.
  virtual std::string MachineFailure() const { return ""; }
  // Makes Serve return soon, until WorkerGone. May be called from any thread.
  virtual void Interrupt() = 0;
  // The worker has ended: forgets its socket and the interruption.
  virtual void WorkerGone() = 0;

  // What the emulator observed since the last ResetObservations; empty on a GPU.

  // The metrics of metrics.def over all launches, and over the program's copies and sets on the device, for an input of
  // `elements`.
  virtual std::map<std::string, double> Metrics(uint64_t elements) const = 0;
  // The same without copies and sets: what kernels did.
  virtual std::map<std::string, double> KernelMetrics(uint64_t elements) const { return Metrics(elements); }
  // Of a metric that Metrics gives.
  virtual bool HigherIsBetter(const std::string& /*metric*/) const { return false; }
  // Starts or stops watching which work makes the answer. The answer is the buffers that the judge downloads. Watching
  // costs time.
  virtual void WatchAnswer(bool /*watches*/) {}
  // The metrics of only this work. Empty if no other work ran, or if the answer is not watched.
  virtual std::map<std::string, double> MetricsOfAnswer(uint64_t /*elements*/) const { return {}; }
  // Why it is not known which work made the answer, as a sentence about the program; "": it is known. The program may
  // have made it so on purpose.
  virtual std::string WhyAnswerIsUnclear() const { return ""; }
  // Up to three names of kernels whose launches made no part of the answer: "decoy, spin", or "a, b, c and 4 more".
  virtual std::string IdleKernels() const { return ""; }
  // For some metrics, the line that contributes most: "FILE:LINE: what it does".
  virtual std::map<std::string, std::string> MetricLines(const std::string& rung) const = 0;
  // What was counted at each line of the rung's file, and at no line of it.
  virtual std::vector<score::LineCounts> LineCounts(const std::string& /*rung*/) const { return {}; }
  // Starts or stops recording single requests to memory and the steps of warps, which costs time.
  virtual void RecordPictures(bool /*records*/) {}
  // The same for the values of one block, while pictures are recorded.
  virtual void RecordSteps(const std::optional<BlockToRecord>& /*of*/) {}
  // What was recorded of the rung's file.
  virtual score::Pictures Pictures(const std::string& /*rung*/) const { return {}; }
  // How the next case runs on the emulator. `number`: of the case. If asynchronous work is delayed at all, then by a
  // seed that also depends on it, so that each case is delayed in its own way. `order`: of blocks and warps,
  // DeviceOptions::seed; 0: that of their numbers.
  virtual void BeginCase(uint64_t /*number*/, uint64_t /*order*/) {}
  // Until it is called with false, each launch on the emulator has only a small share of its budget of instructions.
  virtual void ShortenLaunches(bool /*shortens*/) {}
  // True if a kernel accessed memory in a way in which threads can see each other's work without a race: atomics,
  // volatile accesses, and those with a memory order. Without them, only a program with a race can depend on the order.
  virtual bool MayDependOnOrder() const { return false; }
  // The program's function is called now. All its work must go onto the stream with this number (protocol::Ready), and
  // `arrays` are its arrays on the device.
  virtual void BeginCall(uint64_t /*stream*/, const std::vector<BufferHandle>& /*arrays*/) {}
  // True if FailAllocation works here.
  virtual bool CanFailAllocations() const { return false; }
  // The `number`-th allocation of the program from now on fails, counted from 1, as if there were no memory; 0: none
  // does.
  virtual void FailAllocation(int /*number*/) {}
  // What the last call left allocated counts in Metrics from now on, also after another worker has taken over.
  virtual void KeepLeaks() {}
  // The call is over, and the program has waited for its work. A kernel that runs on is a finding.
  virtual void CallEnded() {}
  // Findings name files as the compiler did. `line_of` gives the lines of host calls.
  virtual std::vector<score::Finding> Findings(const LineOfCall& line_of) const = 0;
  virtual void ResetObservations() = 0;
  // The address in the executable of the last host call that failed since ResetObservations, as the worker tells it, if
  // it failed with this error. nullopt: with any error. 0: not known.
  virtual uint64_t CallThatFailed(std::optional<int> /*cuda_code*/) const { return 0; }
  // Why that call failed, as the worker tells it: any bytes. "": not known.
  virtual std::string WhyCallFailed() const { return ""; }
  // The name ("d_in") of the allocation in which this address of the worker's lies. "" when the address is not in
  // memory that only kernels can reach, or the name is not known.
  virtual std::string NameDeviceMemory(uint64_t /*address*/) const { return ""; }

  // The part for timing; nullptr where time means nothing (the emulator).
  virtual ThroughputDevice* throughput() = 0;
};

}  // namespace warpgrade::judge
