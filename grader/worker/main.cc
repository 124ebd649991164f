// The process that runs student code. It is linked from one rung's object, the lab's adapter, this archive and
// libcudart. It does what the judge tells it over the control socket (protocol.h): map buffers, call the student's
// function, synchronise, answer. It decides nothing: inputs, expected answers, verdict and clock are in the judge's
// process. Tests: tests/worker/protocol_test.cc, tests/judge/*_test.cc.
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>

#include "grader/lab/call.h"
#include "grader/worker/control_socket.h"
#include "grader/worker/crash_report.h"
#include "grader/worker/empty_kernel.h"
#include "grader/worker/protocol.h"
#include "labs/not_written.h"

// Only the runtime for a GPU has these two functions. They are weak, so that the program also starts with the
// emulator's runtime if the linker binds everything at program start.
#pragma weak cudaIpcOpenMemHandle
#pragma weak cudaIpcCloseMemHandle

namespace warpgrade::worker {
namespace {

using protocol::Done;
using protocol::DoneStatus;
using protocol::Where;

Done CudaFailure(Where where, cudaError_t error) {
  Done done;
  done.status = DoneStatus::kCudaError;
  done.where = where;
  done.cuda_code = error;
  CopyText(cudaGetErrorName(error), done.cuda_name);
  CopyText(cudaGetErrorString(error), done.text);
  return done;
}

// Whether `text`, which need not be terminated, contains `part`.
template <size_t kBytes>
bool Contains(const char (&text)[kBytes], const char* part) {
  return std::string_view(text, strnlen(text, kBytes)).find(part) != std::string_view::npos;
}

Done BadRequest(const char* why) {
  Done done;
  done.status = DoneStatus::kBadRequest;
  CopyText(why, done.text);
  return done;
}

// After a timed request, the worker spins for up to this long while it waits for the next one. On an H200's host, a
// sleeping worker took 10 to 400 us to wake up, which is longer than many kernels run. The requests of one sample are
// as far apart as the delivery of the inputs takes: 10 ms for 20 GB.
constexpr int64_t kSpinNs = 50'000'000;

struct Slot {
  bool mapped = false;
  void* opened = nullptr;  // from cudaIpcOpenMemHandle; null for any other memory
  bool host = false;       // `buffer` is a mapping of ours
  bool locked = false;     // and the mapping is registered with CUDA
  void* buffer = nullptr;
  uint64_t bytes = 0;
};

class Worker {
 public:
  explicit Worker(int control) : control_(control) {}

  // Opens the device and makes the stream and events that every call uses.
  protocol::Ready Start() {
    protocol::Ready ready;
    cudaDeviceProp properties{};
    cudaError_t error = cudaRuntimeGetVersion(&ready.runtime_version);
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, 0);
    // A stream that does not wait for the default stream, so that work there comes in no order with work here.
    if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    unsigned long long id = 0;
    if (error == cudaSuccess) error = cudaStreamGetId(stream_, &id);
    // The last event that is recorded before the first call: the emulator's device knows by it when a call ends.
    if (error == cudaSuccess) error = cudaEventCreateWithFlags(&returned_, cudaEventDisableTiming);
    if (error == cudaSuccess) error = cudaEventRecord(returned_, stream_);
    // The emulator's device learns of the stream before the judge does.
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    ready.stream = id;
    ready.cuda_code = error;
    CopyText(cudaGetErrorName(error), ready.cuda_name);
    CopyText(error == cudaSuccess ? properties.name : cudaGetErrorString(error), ready.device_name);
    return ready;
  }

  // Answers requests until the judge sends Exit or is gone.
  void Serve() {
    protocol::Message message;
    int descriptor = -1;
    while (Receive(control_, &message, timed_ ? kSpinNs : 0, &descriptor) && message.verb() != protocol::Verb::kExit) {
      timed_ = false;
      const Done done = Carry(message, descriptor);
      if (descriptor >= 0) close(descriptor);
      if (!Send(control_, protocol::Encode(done, message.header.nonce))) return;
    }
  }

 private:
  // `descriptor` came with the message, or is -1.
  Done Carry(const protocol::Message& message, int descriptor) {
    protocol::Map map;
    protocol::Unmap unmap;
    protocol::Call call;
    protocol::Nop nop;
    if (protocol::Decode(message, &map)) return MapSlot(map, descriptor);
    if (protocol::Decode(message, &unmap)) return UnmapSlot(unmap.slot);
    if (protocol::Decode(message, &call)) return CallLab(call, message.header.nonce);
    if (protocol::Decode(message, &nop)) {
      if (nop.flags & protocol::kTellEvents) return TellEvents();
      return Timed(nop.flags, [&] { return DoNothing(nop.flags, nop.busy_us); });
    }
    return BadRequest("unknown verb");
  }

  // An empty call that is timed runs an empty kernel; an empty call that is not timed does nothing on the GPU.
  Done DoNothing(uint32_t flags, uint32_t busy_us) {
    if (flags & protocol::kMeasureEvents) warpgrade_worker_launch_empty_kernel(stream_, busy_us);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? Done() : CudaFailure(Where::kLaunch, error);
  }

  Done MapSlot(const protocol::Map& map, int descriptor) {
    if (map.slot < 0 || map.slot >= protocol::kMaxSlots || slots_[map.slot].mapped) return BadRequest("bad slot");
    Slot slot;
    slot.mapped = true;
    slot.bytes = map.bytes;
    if (map.kind == protocol::MemoryKind::kAddress) {
      slot.buffer = reinterpret_cast<void*>(map.address);
    } else if (map.kind == protocol::MemoryKind::kHost || map.kind == protocol::MemoryKind::kLockedHost) {
      const Done done = MapHost(map, descriptor, &slot);
      if (done.status != DoneStatus::kOk) return done;
    } else if (cudaIpcOpenMemHandle == nullptr || cudaIpcCloseMemHandle == nullptr) {
      return CudaFailure(Where::kMapping, cudaErrorNotSupported);
    } else {
      cudaIpcMemHandle_t handle;
      static_assert(sizeof(handle) == sizeof(map.ipc));
      std::memcpy(&handle, map.ipc, sizeof(handle));
      const cudaError_t error = cudaIpcOpenMemHandle(&slot.opened, handle, cudaIpcMemLazyEnablePeerAccess);
      if (error != cudaSuccess) return CudaFailure(Where::kMapping, error);
      slot.buffer = static_cast<char*>(slot.opened) + map.offset;
    }
    slots_[map.slot] = slot;
    return Done();
  }

  // Maps even inputs as writable, because not every driver can lock read-only pages. The judge compares them
  // afterwards.
  static Done MapHost(const protocol::Map& map, int descriptor, Slot* slot) {
    if (descriptor < 0) return BadRequest("no descriptor came with a host buffer");
    const uint64_t bytes = protocol::HostMappingBytes(map.bytes);
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) return CudaFailure(Where::kMapping, cudaErrorMemoryAllocation);
    if (map.kind == protocol::MemoryKind::kLockedHost) {
      const cudaError_t error = cudaHostRegister(mapped, bytes, cudaHostRegisterDefault);
      if (error != cudaSuccess) {
        munmap(mapped, bytes);
        return CudaFailure(Where::kMapping, error);
      }
      slot->locked = true;
    }
    slot->host = true;
    slot->buffer = mapped;
    return Done();
  }

  Done UnmapSlot(int index) {
    if (index < 0 || index >= protocol::kMaxSlots || !slots_[index].mapped) return BadRequest("bad slot");
    const Slot slot = slots_[index];
    slots_[index] = Slot();
    cudaError_t error = cudaSuccess;
    if (slot.opened != nullptr) error = cudaIpcCloseMemHandle(slot.opened);
    if (slot.locked) error = cudaHostUnregister(slot.buffer);
    if (slot.host) munmap(slot.buffer, protocol::HostMappingBytes(slot.bytes));
    return error == cudaSuccess ? Done() : CudaFailure(Where::kMapping, error);
  }

  Done CallLab(const protocol::Call& call, uint64_t nonce) {
    if (call.buffer_count < 0 || call.buffer_count > kMaxBuffers) return BadRequest("bad buffer count");
    if (call.size_count < 0 || call.size_count > kMaxSizes) return BadRequest("bad size count");
    LabCall lab_call;
    lab_call.variant = call.variant;
    lab_call.buffer_count = call.buffer_count;
    lab_call.size_count = call.size_count;
    lab_call.stream = stream_;
    for (int i = 0; i < call.size_count; ++i) lab_call.sizes[i] = call.sizes[i];
    for (int i = 0; i < call.buffer_count; ++i) {
      const int slot = call.slots[i];
      if (slot == protocol::kNoSlot) continue;
      if (slot < 0 || slot >= protocol::kMaxSlots || !slots_[slot].mapped) return BadRequest("slot is not mapped");
      lab_call.buffers[i] = slots_[slot].buffer;
      lab_call.buffer_bytes[i] = slots_[slot].bytes;
    }
    if (call.flags & protocol::kMoreToCome) {
      if (kept_ == protocol::kMaxCalls - 1) return BadRequest("too many calls at once");
      kept_calls_[kept_++] = lab_call;
      return Done();
    }
    return Timed(call.flags, [&] { return CallAll(lab_call, call.flags, nonce); });
  }

  // Carries out the kept calls in order, and then the last one. Stops at the first call that fails.
  Done CallAll(const LabCall& last, uint32_t flags, uint64_t nonce) {
    const int kept = kept_;
    kept_ = 0;
    for (int i = 0; i < kept; ++i) {
      const Done done = CallStudent(kept_calls_[i], 0, nonce);
      if (done.status != DoneStatus::kOk) return done;
    }
    return CallStudent(last, flags, nonce);
  }

  // Calls the student's function, and catches its exceptions and the launch error that it left.
  Done CallStudent(const LabCall& lab_call, uint32_t flags, uint64_t nonce) {
    Done done;
    try {
      warpgrade_lab_call(&lab_call);
    } catch (const lab::NotWrittenYet&) {
      done.status = DoneStatus::kNotWritten;
    } catch (const std::exception& e) {
      done.status = DoneStatus::kException;
      CopyText(e.what(), done.text);
    } catch (...) {
      done.status = DoneStatus::kException;
      CopyText("something that is not a std::exception", done.text);
    }
    if (flags & protocol::kReportReturn) Send(control_, protocol::Encode(protocol::Returned(), nonce));
    const cudaError_t error = cudaGetLastError();
    if ((flags & protocol::kReportReturn) && cudaEventRecord(returned_, stream_) != cudaSuccess) cudaGetLastError();
    if (done.status == DoneStatus::kOk && error != cudaSuccess) return CudaFailure(Where::kLaunch, error);
    return done;
  }

  // Runs `work` and waits until the device is idle, between events if asked. A Nop also runs through this function, so
  // that the judge can subtract its cost. After the wait, everything that can be done later is done later, because the
  // judge's clock runs until the answer arrives.
  template <typename Work>
  Done Timed(uint32_t flags, Work work) {
    timed_ = (flags & protocol::kMeasureEvents) != 0;
    recorded_ = timed_ && PrepareEvents();
    if (recorded_) cudaEventRecord(begin_, stream_);
    Done done = work();
    if (recorded_) cudaEventRecord(end_, stream_);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) return done;
    // An exception that only passes the device's error on says nothing of its own.
    const bool echo = done.status == DoneStatus::kException && Contains(done.text, cudaGetErrorString(error));
    const Done failure = CudaFailure(Where::kSynchronize, error);
    if (done.status == DoneStatus::kOk || echo) return failure;
    done.where = failure.where;
    done.cuda_code = failure.cuda_code;
    std::memcpy(done.cuda_name, failure.cuda_name, sizeof(done.cuda_name));
    return done;
  }

  Done TellEvents() {
    Done done;
    float milliseconds = 0;
    if (recorded_ && cudaEventElapsedTime(&milliseconds, begin_, end_) == cudaSuccess) {
      done.event_time_ns = static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
    }
    return done;
  }

  bool PrepareEvents() {
    if (begin_ == nullptr && cudaEventCreate(&begin_) != cudaSuccess) return false;
    return end_ != nullptr || cudaEventCreate(&end_) == cudaSuccess;
  }

  const int control_;
  bool timed_ = false;  // true if the last request was timed
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  cudaEvent_t returned_ = nullptr;  // recorded when the student's function has returned
  bool recorded_ = false;           // true if the last request that used Timed recorded both events
  LabCall kept_calls_[protocol::kMaxCalls - 1];
  int kept_ = 0;
  Slot slots_[protocol::kMaxSlots];
};

int Run() {
  const int control = ControlSocketFromEnvironment();
  if (control < 0) {
    std::fprintf(stderr, "This program is one rung of a lab as the grader builds it; it is started by `warpgrade`.\n");
    return 2;
  }
  // Flush each line, so that what a student printed before a crash is not lost in a buffer.
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
  ReportCrashes(control);
  Worker worker(control);
  if (Send(control, protocol::Encode(worker.Start(), 0))) worker.Serve();
  std::fflush(nullptr);
  // Skip the student's static destructors: they could only crash or hang now, after every result is in.
  std::_Exit(0);
}

}  // namespace
}  // namespace warpgrade::worker

int main() { return warpgrade::worker::Run(); }
