// Several calls of one case that are carried out and timed together. Each has its own buffers and content.
//
// The judge's clock also measures wake-ups and waits for the GPU. These vary by some microseconds from call to call and
// from worker to worker: several percent of a call of 0.25 ms, but less than one percent of eight such calls.
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
  // A batch of one call. Errors and REQUIRES: as CaseBuffers::Make with Arrival::kAtDelivery.
  static Result<std::unique_ptr<CallBatch>> Make(const Lab& lab, const Case& c, JudgeDevice& device, Session& session);

  // Extends it to a batch of `calls` calls, or of as many as fit. It takes at most half of the device's free memory,
  // and at most a quarter of the host's free memory and 8 GiB. Errors: the machine failed. REQUIRES: calls <=
  // protocol::kMaxCalls.
  Status Grow(int calls);
  int calls() const { return static_cast<int>(sets_.size()); }

  // Lets another worker carry out the same calls, alternately with the first worker (CaseBuffers::ShareWith). REQUIRES:
  // called once, after the last Grow.
  Status ShareWith(Session& other);

  // Draws inputs for each call, and poisons its outputs and workspaces.
  Status Refresh(RandomSource& random);

  bool has_host_arrays() const { return sets_[0]->has_host_arrays(); }

  // In Rehearse, Announce and Call, `worker` is the worker that the batch was made for or is shared with.

  // Carries out the first call once more, alone and on its current inputs. So the worker has just worked when the timed
  // calls begin; a worker that has slept for a second starts slowly. PoisonRehearsed must follow. REQUIRES: Deliver was
  // called, and no arrays are in host memory, because a thread that this call leaves behind would see the next inputs
  // there.
  std::optional<Session::Answer> Rehearse(Session& worker, uint32_t flags);
  // Poisons again the outputs that the rehearsal wrote.
  Status PoisonRehearsed();

  // Sends the worker all calls but the last. Returns the answer to the first call that it refused, or else to the last
  // one; nullopt: the session has ended. REQUIRES: the inputs are not delivered yet.
  std::optional<Session::Answer> Announce(Session& worker, uint32_t flags);

  // The functions of CaseBuffers with these names, for all calls.
  Status CopyToHost(const std::function<Status()>& after_each_piece);
  uint64_t bytes_copied_to_host() const;

  // Puts the inputs on the device into place, flushes the caches, and returns when both are done. Takes a turn on the
  // GPU before each call's inputs, so that the delivery takes longer if there is other work on the GPU.
  Status Deliver();

  // Sends the last call, on which the worker carries out all of them. REQUIRES: Announce went well since the last Call.
  std::optional<Session::Answer> Call(Session& worker, uint32_t flags);

  // CaseBuffers::TakeHostOutputs for all calls. Call it as soon as the answer has come.
  void TakeHostOutputs(Random& random);

  // Copies the outputs on the device to memory that no worker can reach, after all work that still runs on the device.
  // Returns when the copies are done. Verify looks at the copies. Copying takes the same time after every call, unless
  // work of the worker delays it.
  Status Collect();

  // The first fault in the outputs of any call. REQUIRES: TakeHostOutputs and Collect since the last Call. `random`:
  // drawn since then.
  std::optional<score::CaseFailure> Verify(Random& random);

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
