// Calls of one case that are carried out and timed as one, each with buffers and content of its own.
//
// What the judge's clock adds to a call, wake-ups and turns on the GPU, differs by some microseconds from call to call
// and from worker to worker. Beside a quarter of a millisecond that is several percent; beside eight quarters it is
// not.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "grader/judge/case_run.h"
#include "grader/judge/random_source.h"

namespace warpgrade::judge {

class CallBatch {
 public:
  // Of one call. Errors and REQUIRES: CaseBuffers::Make, with its Arrival::kAtDelivery.
  static Result<std::unique_ptr<CallBatch>> Make(const Lab& lab, const Case& c, JudgeDevice& device, Session& session);

  // Makes it `calls` calls, or as many as there is room for: half of the device's memory that is free, a quarter of the
  // host's and at most 8 GiB of it. Errors: the machine failed. REQUIRES: calls <= protocol::kMaxCalls.
  Status Grow(int calls);
  int calls() const { return static_cast<int>(sets_.size()); }

  // Lets another worker carry out the same calls, in turns with the first: CaseBuffers::ShareWith. REQUIRES: once,
  // after the last Grow.
  Status ShareWith(Session& other);

  // Draws content for each call, and poisons what it is to write.
  Status Refresh(RandomSource& random);

  bool has_host_arrays() const { return sets_[0]->has_host_arrays(); }

  // `worker`, of these three: the one they were made for, or the one they are shared with.
  //
  // Carries out the first call once more, alone and on the inputs that it had: the worker comes fresh from it to what
  // is timed, and not from a second's sleep. What it wrote is to be poisoned again. REQUIRES: Deliver was called, and
  // no arrays are in host memory, where a thread that this call leaves behind would meet the next inputs.
  std::optional<Session::Answer> Rehearse(Session& worker, uint32_t flags);
  Status PoisonRehearsed();

  // Tells the worker of all calls but the last. The answer of the first that it did not take, or of the last; nullopt:
  // the session has ended. To be asked before the inputs are there.
  std::optional<Session::Answer> Announce(Session& worker, uint32_t flags);

  // CaseBuffers::DeliverToHost of all calls.
  Status DeliverToHost(const std::function<Status()>& after_each_piece);

  // Puts the others into place, flushes the caches and returns when both are done. Takes a turn on the GPU before each
  // call's inputs and after them, so that whoever works there meanwhile holds it up.
  Status Deliver();

  // The last call, on which the worker carries out all of them. REQUIRES: Announce went well since the last.
  std::optional<Session::Answer> Call(Session& worker, uint32_t flags);

  // As soon as the answer has come: CaseBuffers::TakeHostOutputs.
  void TakeHostOutputs(Random& random);

  // Takes what the outputs on the device hold now to where no worker can reach it, behind whatever still runs there,
  // and returns when that is done; Verify looks at it. Takes the same time after every call, unless the worker's own
  // work holds it up.
  Status Collect();

  // The first fault of any call. REQUIRES: TakeHostOutputs and Collect since.
  std::optional<score::CaseFailure> Verify();

 private:
  CallBatch(JudgeDevice& device, Session& session, std::unique_ptr<CaseBuffers> first)
      : device_(device), session_(session) {
    sets_.push_back(std::move(first));
  }

  JudgeDevice& device_;
  Session& session_;
  std::vector<std::unique_ptr<CaseBuffers>> sets_;  // one for each call
};

}  // namespace warpgrade::judge
