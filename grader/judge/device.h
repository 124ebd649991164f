// The judge's own view of the device that student code runs on: an emulated one in this process, or a GPU. The judge
// owns every buffer here; the worker is told of them by BufferHandle.
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
#include "grader/result/result.h"
#include "grader/score/measurement.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

// A buffer of the judge's, and how the worker finds it.
struct BufferHandle {
  protocol::MemoryKind kind = protocol::MemoryKind::kAddress;
  uint64_t address = 0;  // in the judge's own address space of the device
  std::array<uint8_t, 64> ipc{};
  uint64_t offset = 0;
  uint64_t bytes = 0;
  int descriptor = -1;  // of a host buffer's memory
};

// Host memory that the device copies from and to quickly (page-locked on a GPU). Not initialised.
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

// What a worker process needs to reach the device.
struct WorkerPlug {
  std::vector<std::string> environment;            // "NAME=value"
  std::vector<std::pair<int, int>> inherited_fds;  // {ours, its number in the worker}
  bool limit_address_space = true;
  // What a confined worker has to see beside the system's libraries.
  std::vector<std::string> libraries;  // files and folders
  std::vector<std::string> devices;
  bool own_processes = true;  // process numbers of its own
};

// The clockwork that only a real GPU has. Times are by the judge's own events.
class ThroughputDevice {
 public:
  virtual ~ThroughputDevice() = default;
  // Drops what the caches hold: resets persisting L2 lines, then writes twice the L2 size. Returns when it is done.
  virtual Status FlushCaches() = 0;
  // Bytes per nanosecond (= GB/s), read + write, of one copy inside device memory far larger than the L2 cache.
  virtual Result<double> MeasureCopyBandwidth() = 0;
  // Copies `from` whole into `to`, without the host: to.bytes == from.bytes. Need not be done when this returns; it is
  // when FlushCaches or Synchronize returns.
  virtual Status CopyInside(const BufferHandle& to, const BufferHandle& from) = 0;
  // Puts a tiny operation on the multiprocessors before what follows, so that it takes turns there with the work of
  // other processes: copies alone would run beside it. Need not be done when this returns.
  virtual Status TakeTurn() = 0;
  // Returns when all that the judge has asked for is done.
  virtual Status Synchronize() = 0;
  // Bytes of the device's memory that nobody holds. 0: not known.
  virtual uint64_t FreeBytes() = 0;
  // What the GPU is doing right now; nullopt where its driver does not tell. Never between two readings of the clock.
  virtual std::optional<GpuReading> ReadTelemetry() { return std::nullopt; }
};

// Used by one thread, but for Interrupt.
class JudgeDevice {
 public:
  virtual ~JudgeDevice() = default;

  virtual score::DeviceDescription Describe() const = 0;

  // REQUIRES: bytes > 0. `label` is what findings call the buffer. Errors: kLimit when memory is short.
  virtual Result<BufferHandle> Allocate(uint64_t bytes, std::string_view label) = 0;
  // Forgiving: a worker may have freed the buffer behind our back.
  virtual void Free(const BufferHandle& buffer) = 0;
  virtual HostMemory AllocateHost(uint64_t bytes) = 0;

  // Copies of the whole buffer; sizes agree. Errors: the buffer is no longer there, or the device is lost.
  virtual Status Upload(const BufferHandle& buffer, std::span<const std::byte> from) = 0;
  virtual Status Download(const BufferHandle& buffer, std::span<std::byte> to) = 0;
  // Sets every byte, and the guard behind the buffer where there is one.
  virtual Status Fill(const BufferHandle& buffer, std::byte value) = 0;
  // Sets only the guard, for buffers that are uploaded.
  virtual Status FillGuard(const BufferHandle& buffer, std::byte value) = 0;
  // False when the bytes right behind the buffer are no longer `value`. Always true on the emulator, which sees every
  // access outside a buffer itself.
  virtual Result<bool> GuardIsIntact(const BufferHandle& buffer, std::byte value) = 0;

  // Makes what a new worker process is to inherit. Called once per worker, before it starts; then WorkerStarted.
  virtual Result<WorkerPlug> Plug() = 0;
  // Closes our copies of the worker's descriptors.
  virtual void WorkerStarted() = 0;
  // Readable when the worker wants something of the device; -1: it never does, or is gone.
  virtual int service_fd() const = 0;
  // Serves one request; may take as long as a kernel does. A worker that breaks the device's protocol is cut off.
  // Returns the nanoseconds in which the device worked: not those in which it waited for the worker to send or to read.
  virtual int64_t Serve() = 0;
  // Makes a Serve that is under way return soon. From any thread; holds until WorkerGone.
  virtual void Interrupt() = 0;
  // The worker has ended: forgets its socket and its interruption.
  virtual void WorkerGone() = 0;

  // Observed on the emulator since the last reset; empty on a GPU. Metrics: metrics.def over all launches, for an input
  // of `elements`. Findings name files as the compiler did.
  virtual std::map<std::string, double> Metrics(uint64_t elements) const = 0;
  // For metrics that one line of the rung's file (or another) is most to blame for: "FILE:LINE: what it does".
  virtual std::map<std::string, std::string> MetricLines(const std::string& rung) const = 0;
  virtual std::vector<score::Finding> Findings() const = 0;
  virtual void ResetObservations() = 0;
  // What the allocation that holds this address of the worker's is called ("d_in"); "" when it is none that only
  // kernels can reach, or nobody knows.
  virtual std::string NameDeviceMemory(uint64_t /*address*/) const { return ""; }

  // nullptr where time means nothing (the emulator).
  virtual ThroughputDevice* throughput() = 0;
};

}  // namespace warpgrade::judge
