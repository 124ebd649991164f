// One call of one case: the judge's buffers for it, fresh content, the call, and the comparison.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/case_outcome.h"
#include "grader/judge/device.h"
#include "grader/judge/host_buffer.h"
#include "grader/judge/own_kernels.h"
#include "grader/judge/session.h"
#include "grader/lab/lab.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// What a call left in its workspaces, by the number of the buffer.
using Leftovers = std::map<size_t, std::vector<std::byte>>;

// The buffers of one case on the device or in host memory, mapped into the worker, and the judge's pristine copies of
// its inputs. They serve any number of calls, each with fresh content.
class CaseBuffers {
 public:
  // When the worker can read a call's inputs.
  enum class Arrival {
    kAtRefresh,   // as soon as they are drawn
    kAtDelivery,  // when Deliver copies them from memory that no worker can see; needs a device with a throughput side
  };

  // Allocates the buffers and maps them into the worker. Errors: kMachine, kLimit when memory is short, or kUnsupported
  // when the GPU cannot reach inputs in host memory, which a delivery needs. If the
  // worker ends meanwhile, that is no error: check session.alive(). All arguments must outlive the buffers.
  static Result<std::unique_ptr<CaseBuffers>> Make(const Lab& lab, const Case& c, JudgeDevice& device, Session& session,
                                                   Arrival arrival = Arrival::kAtRefresh);
  // Makes another set of the same buffers with its own content, for call number `set` (from 1) of a batch. Both sets
  // read device outputs back into the same host memory, so do not run Verify on both at the same time. REQUIRES: 0 <
  // set < protocol::kMaxCalls.
  Result<std::unique_ptr<CaseBuffers>> MakeAnother(int set) const;
  // Maps these buffers into another worker as well, under the same slots. `other` must outlive the buffers. Errors:
  // kMachine when it cannot open them.
  Status ShareWith(Session& other);
  ~CaseBuffers();
  CaseBuffers(const CaseBuffers&) = delete;
  CaseBuffers& operator=(const CaseBuffers&) = delete;

  // Draws new inputs, keeps a pristine copy, uploads them, poisons outputs and workspaces.
  Status Refresh(Random& random);

  // Poisons outputs and workspaces.
  Status Poison();

  // Puts what an earlier call left into the workspaces on the device, as far as it fits. The rest stays poison.
  Status PutLeftovers(const Leftovers& leftovers);
  Status TakeLeftovers(Leftovers* leftovers);

  // Starts copying the inputs in host memory into place piece by piece, without waiting for it, and calls
  // `after_each_piece` after each. Errors: the first of `after_each_piece`, or the device's. REQUIRES:
  // Arrival::kAtDelivery.
  Status CopyToHost(const std::function<Status()>& after_each_piece);
  // What CopyToHost copies.
  uint64_t bytes_copied_to_host() const;

  // Starts copying the inputs on the device into place, without waiting for it. REQUIRES: Arrival::kAtDelivery.
  Status Deliver();

  // Starts copying the outputs on the device to where no worker can reach them, without waiting for it. Verify looks at
  // the copies. REQUIRES: Arrival::kAtDelivery.
  Status Collect();

  // Copies the outputs in host memory to where no worker can reach them. Verify looks at the copies. Call it as soon as
  // an answer has come, so that a worker that answered early has no time to go on writing.
  void TakeHostOutputs(Random& random);

  // Tells the device which arrays the call has.
  void BeginCall() const;

  // The request that runs the case on these buffers.
  protocol::Call MakeCall(uint32_t flags) const;

  // Checks the outputs of a call that went well, on the GPU where the lab has kernels for it. nullopt: every output is
  // right and every input unchanged. REQUIRES: TakeHostOutputs was called since the call. `random`: drawn after the
  // call.
  std::optional<score::CaseFailure> Verify(Random& random);

  // True when any array of the case is in host memory.
  bool has_host_arrays() const;

  // The memory that another set takes, in bytes, on the device and on the host.
  uint64_t device_bytes() const;
  uint64_t host_bytes() const;

 private:
  struct Buffer {
    BufferSpec spec;
    BufferHandle handle;  // of a buffer with bytes > 0
    // On the device: an input before its delivery, an output once collected, also of an array in host memory.
    std::optional<BufferHandle> staging;
    std::unique_ptr<HostBuffer> host;  // the memory itself, of a host buffer with bytes > 0
    // Of an input in host memory before a delivery: the GPU delivers and compares it by itself.
    std::optional<HostView> view;
    HostMemory pristine;  // inputs; empty while only the GPU has one
    // What the student's call left in a buffer, for buffers that are copied before the check. Empty until then.
    std::shared_ptr<HostMemory> after;
    bool allocated = false, mapped = false;
  };
  CaseBuffers(const Lab& lab, const Case& c, JudgeDevice& device, Session& session, Arrival arrival, int set)
      : lab_(lab), case_(c), device_(device), session_(session), arrival_(arrival), set_(set) {}
  static Result<std::unique_ptr<CaseBuffers>> Complete(std::unique_ptr<CaseBuffers> made, const CaseBuffers* lender);
  Status AllocateAndMap(const CaseBuffers* lender);
  int Slot(size_t buffer) const { return set_ * kMaxBuffers + static_cast<int>(buffer); }
  Status Allocate(size_t number);
  bool IsDrawnOnGpu(size_t buffer) const;
  Status DrawOnGpu(size_t number, uint64_t seed);
  Status RefreshInput(Buffer& buffer);
  bool IsRightOnGpu(Random& random);
  Status FetchPristine();
  std::span<std::byte> Host(HostMemory& memory, uint64_t bytes);
  Status ReadBack(Buffer& buffer);
  Result<bool> GuardIsIntact(const Buffer& buffer);
  std::optional<score::CaseFailure> VerifyBuffer(Buffer& buffer);
  score::CaseFailure Failure(std::string message) const;

  const Lab& lab_;
  const Case case_;
  JudgeDevice& device_;
  Session& session_;
  const Arrival arrival_;
  const int set_;
  std::shared_ptr<OwnKernels> own_;  // of all sets of one case; nullptr: the host draws and checks
  std::vector<Buffer> buffers_;
  Session* sharer_ = nullptr;
};

// Runs `c` once with content from `random`. With `leftovers`, the workspaces begin with what the call before left in
// them, and a call that passes replaces this. Without, they are poison. Errors: the machine failed, not the student.
Result<CaseOutcome> RunCase(const Lab& lab, const Case& c, JudgeDevice& device, Session& session, Random random,
                            Leftovers* leftovers = nullptr);

}  // namespace warpgrade::judge
