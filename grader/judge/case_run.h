// One case, once: the judge's buffers for it, fresh content, the call, and the comparison.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/device.h"
#include "grader/judge/host_buffer.h"
#include "grader/judge/session.h"
#include "grader/lab/lab.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// The buffers of one case, on the device or in host memory, in the worker, and the pristine copies of its inputs.
// Reusable for any number of calls, each with fresh content.
class CaseBuffers {
 public:
  // When a call's inputs come to where the worker can read them.
  enum class Arrival {
    kAtRefresh,
    kAtDelivery,  // on a device with a clock: from copies that no worker can see
  };

  // Allocates and maps. Errors: kMachine or kLimit when memory is short. A worker that ends meanwhile is no error: the
  // session is over then. Everything given outlives the buffers.
  static Result<std::unique_ptr<CaseBuffers>> Make(const Lab& lab, const Case& c, JudgeDevice& device, Session& session,
                                                   Arrival arrival = Arrival::kAtRefresh);
  // Another set of the same, with content of its own, for number `set` (from 1) of the calls that are carried out as
  // one. It shares the memory that this set's outputs are read back into, so that one Verify is over before the next.
  // REQUIRES: set < protocol::kMaxCalls.
  Result<std::unique_ptr<CaseBuffers>> MakeAnother(int set) const;
  // Lets another worker have these buffers, too, under the same numbers, until they are gone. It must outlive them.
  // Errors: kMachine when it cannot open them.
  Status ShareWith(Session& other);
  ~CaseBuffers();
  CaseBuffers(const CaseBuffers&) = delete;
  CaseBuffers& operator=(const CaseBuffers&) = delete;

  // Draws new inputs, keeps a pristine copy, uploads them, poisons outputs and workspaces.
  Status Refresh(Random& random);

  // Poisons outputs and workspaces again.
  Status Poison();

  // Puts the inputs into place that are in host memory, piece by piece, up to the first error of what is done in
  // between. REQUIRES: Arrival::kAtDelivery.
  Status DeliverToHost(const std::function<Status()>& after_each_piece);

  // Has the device put those into place that it holds, for which nobody waits here. REQUIRES: Arrival::kAtDelivery.
  Status Deliver();

  // Has the device take what its outputs hold now to where no worker can reach it; Verify looks at that. Nobody waits
  // for it here. REQUIRES: Arrival::kAtDelivery.
  Status Collect();

  // Takes what the outputs in host memory hold now to where no worker can reach it; Verify looks at that. To be called
  // as soon as an answer has come: a worker that answered early has no time to go on.
  void TakeHostOutputs(Random& random);

  // The request that runs the case on these buffers.
  protocol::Call MakeCall(uint32_t flags) const;

  // After a call that went well: nullopt when every output is right and every input untouched. REQUIRES:
  // TakeHostOutputs was called since.
  std::optional<score::CaseFailure> Verify();

  // Whether any of its arrays is in host memory.
  bool has_host_arrays() const;

  // What another set takes: bytes on the device, and of the host's memory.
  uint64_t device_bytes() const;
  uint64_t host_bytes() const;

 private:
  struct Buffer {
    BufferSpec spec;
    BufferHandle handle;                  // of a buffer with bytes > 0
    std::optional<BufferHandle> staging;  // on the device: an input before its delivery, an output once collected
    std::unique_ptr<HostBuffer> host;     // the memory itself, of a host buffer with bytes > 0
    HostMemory pristine;                  // inputs
    std::shared_ptr<HostMemory> after;    // what the student left, of those that are copied out to be looked at
    bool allocated = false, mapped = false;
  };
  CaseBuffers(const Lab& lab, const Case& c, JudgeDevice& device, Session& session, Arrival arrival, int set)
      : lab_(lab), case_(c), device_(device), session_(session), arrival_(arrival), set_(set) {}
  static Result<std::unique_ptr<CaseBuffers>> Complete(std::unique_ptr<CaseBuffers> made, const CaseBuffers* lender);
  Status AllocateAndMap(const CaseBuffers* lender);
  int Slot(size_t buffer) const { return set_ * kMaxBuffers + static_cast<int>(buffer); }
  Status Allocate(Buffer& buffer);
  Status RefreshInput(Buffer& buffer);
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
  std::vector<Buffer> buffers_;
  Session* sharer_ = nullptr;
};

// What came of one call.
struct CaseOutcome {
  enum class Kind {
    kPassed,
    kFailed,      // `failure`; the worker can go on
    kNotWritten,  // the student's function is still the starter's
    kFatal,       // `failure`; the worker's device context is lost: no later call can succeed
    kEnded,       // the worker is gone: Session::end()
  } kind = Kind::kPassed;
  score::CaseFailure failure;
  score::RungStatus fatal_status = score::RungStatus::kCrashed;  // of kFatal
  std::string error_name;                                        // of a CUDA error: "cudaErrorIllegalAddress"
};

// Runs `c` once with content from `random`. Errors: the machine failed, not the student.
Result<CaseOutcome> RunCase(const Lab& lab, const Case& c, JudgeDevice& device, Session& session, Random random);

// What a Done means that is not kOk. Pure.
CaseOutcome Interpret(const protocol::Done& done, const std::string& case_name);

}  // namespace warpgrade::judge
