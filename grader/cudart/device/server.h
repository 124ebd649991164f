// The judge's end of the socket. It answers the runtime calls of one student's process on an emulator::Device. The peer
// is hostile. Whatever bytes it sends, the server stays alive, holds no more than PeerLimits and one request in memory,
// and never waits longer than its timeout for the peer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/cudart/device/local_backend.h"
#include "grader/cudart/device/wire.h"
#include "grader/poll_awake/poll_awake.h"

namespace warpgrade::cudart {

struct ServerOptions {
  PeerLimits limits;
  const DeviceModel* model = &DefaultDeviceModel();  // the GPU that the device stands for
  int write_timeout_ms = 10'000;                     // for a peer that asks and does not read the answer
  int64_t (*now_ns)() = SteadyNanoseconds;           // the clock
  uint64_t delay_seed = 0;                           // DeviceFacts::delay_seed
};

class Server {
 public:
  enum class Outcome {
    kServed,   // a request was done, and answered if its type has an answer; more may be waiting
    kWaiting,  // the request has not arrived completely: poll again
    kClosed,   // the peer hung up, or broke the protocol and was cut off; later calls say kClosed again
  };

  // `device` and `fd` (a connected stream socket, not owned) outlive the server. The judge may use `device` between
  // calls of ServeOne, for its own buffers. The peer can read and write these buffers, but cannot free them.
  Server(emulator::Device& device, int fd, ServerOptions options = {});

  // The socket, to poll for POLLIN.
  int fd() const { return fd_; }

  // The first adds the peer's account so far, as metrics of metrics.def; the second starts a new account.
  void AddMetrics(std::map<std::string, double>* metrics) const { backend_.AddMetrics(metrics); }
  void ResetObservations() { backend_.ResetObservations(); }
  // See LocalBackend.
  const FailedCall& failed_call() const { return backend_.failed_call(); }
  // The peer delayed work, so it used streams.
  bool has_delayed() const { return backend_.has_delayed(); }
  // Changes ServerOptions::delay_seed. The worker learns of it when its work is delayed anew (DeviceFacts).
  void DelayWork(uint64_t seed) { backend_.DelayWork(seed); }
  // See LocalBackend, as the next five.
  void BeginCall(uint64_t stream, const std::vector<emulator::ByteRange>& arrays) {
    backend_.BeginCall(stream, arrays);
  }
  uint64_t BytesNotFreed() const { return backend_.BytesNotFreed(); }
  void FailAllocation(int number) { backend_.FailAllocation(number); }
  void WatchAnswer(bool watches) { backend_.WatchAnswer(watches); }
  const AnswerWork* answer_work() const { return backend_.answer_work(); }

  // The total time to load modules, to run kernels, to copy and to fill: the work that the device's instruction budgets
  // and PeerLimits bound. All other time is left out, so that a peer cannot hide time in it: short requests, however
  // many, and waiting for the peer to send a request or to read the answer. If a request takes far longer than the
  // instructions that it took from the budget, the rest of its time is left out, too. Otherwise a peer could keep the
  // judge busy without end with requests that cost nothing.
  int64_t busy_ns() const { return busy_ns_; }

  // Why an answer could not be sent to a peer that did nothing wrong; "": that did not happen. Then the server is
  // closed.
  const std::string& machine_failure() const { return machine_failure_; }

  // Reads what the socket holds, up to one whole request, and answers it. Does not block for input. Runs kernels to
  // their end; DeviceOptions::cancel stops a kernel or a blocked answer early.
  Outcome ServeOne();
  std::vector<std::string> AbandonAll() { return backend_.AbandonAll(); }

 private:
  bool ReadSome(void* to, size_t bytes, size_t* got);
  Outcome Answer();
  // Adds to busy_ns_ what belongs there of a request that took this time and these instructions of the device's budget.
  void NoteBusy(int64_t ns, uint64_t instructions);
  // Carries the request out. Returns false if the request makes no sense.
  bool CarryOut(wire::Reader& request, wire::Writer& reply);
  bool Send(const wire::Writer& reply);
  bool SendPart(const std::byte* data, size_t bytes, size_t* sent);
  Outcome Close();

  // One function for each request type. `reply` starts empty and gets the error code first. False: the payload makes no
  // sense.
  bool Facts(wire::Reader& request, wire::Writer& reply);
  bool LoadModule(wire::Reader& request, wire::Writer& reply);
  bool FindKernel(wire::Reader& request, wire::Writer& reply);
  bool FindVariable(wire::Reader& request, wire::Writer& reply);
  bool Allocate(wire::Reader& request, wire::Writer& reply);
  bool AllocateShared(wire::Reader& request, wire::Writer& reply);
  bool Share(wire::Reader& request, wire::Writer& reply);
  bool Free(wire::Reader& request, wire::Writer& reply);
  bool FindAllocation(wire::Reader& request, wire::Writer& reply);
  bool MemoryInfo(wire::Reader& request, wire::Writer& reply);
  bool Write(wire::Reader& request, wire::Writer& reply);
  bool Read(wire::Reader& request, wire::Writer& reply);
  bool Copy(wire::Reader& request, wire::Writer& reply);
  bool Fill(wire::Reader& request, wire::Writer& reply);
  bool Run(wire::Reader& request, wire::Writer& reply);
  bool Continue(wire::Reader& request, wire::Writer& reply);
  void PutRun(cudaError_t error, uint64_t device_ns, wire::Writer& reply);
  bool Synchronize(wire::Reader& request, wire::Writer& reply);
  bool UseStream(wire::Reader& request);  // these four have no reply
  bool AnnounceRead(wire::Reader& request);
  bool Order(wire::Reader& request);
  bool CallFailed(wire::Reader& request);

  emulator::Device& device_;
  LocalBackend backend_;
  const std::atomic<bool>* cancel_;
  const int fd_;
  int descriptor_to_send_ = -1;  // sent with the next bytes, and then closed
  const ServerOptions options_;
  bool closed_ = false;
  std::string machine_failure_;
  int64_t busy_ns_ = 0;
  wire::Header header_;
  size_t header_got_ = 0;
  std::vector<std::byte> payload_;
  size_t payload_got_ = 0;
};

}  // namespace warpgrade::cudart
