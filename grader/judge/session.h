// One worker process from its start to its end: requests go out, answers come back, the emulated device is served in
// between, and whatever becomes of the process is caught and told in plain words. There is one Session per rung and
// device. The rung's wall time is the time in which the judge waited for the worker (patience.h). The judge's own work,
// such as drawing and checking, does not count, and neither does the work of the emulated device.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/judge/control_channel.h"
#include "grader/judge/device.h"
#include "grader/judge/patience.h"
#include "grader/judge/random_source.h"
#include "grader/judge/raw_clock.h"
#include "grader/judge/watchdog.h"
#include "grader/judge/worker_end.h"
#include "grader/sandbox/process.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

class Session {
 public:
  struct Options {
    std::string executable;
    std::string source;  // "v1_naive.cu": what a crash is told with lines of
    config::RunLimits limits;
    // The worker is confined (sandbox/confinement.h) to the system's libraries, the device and itself; `hidden` folders
    // are not even seen where they lie among those.
    bool confine = false;
    std::vector<std::string> hidden;
    const std::atomic<bool>* cancel = nullptr;         // ends the session soon; the student is not to blame
    std::function<int64_t()> now_ns = RawNanoseconds;  // the clock that keeps limits.wall_s
  };
  // An answer, and the judge's own clock around the request.
  struct Answer {
    protocol::Done done;
    int64_t wall_ns = 0;
  };

  // Starts the worker, a second time when that or its sandbox fails, and waits until it is ready; one that is not is an
  // ended session, not an error. `device` and `random` outlive the session. Errors: kMachine only.
  static Result<std::unique_ptr<Session>> Start(const Options& options, JudgeDevice& device, RandomSource& random);
  // Ends the worker if it still runs.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // False once the worker has ended or was stopped; then end() says why, and no request does anything.
  bool alive() const { return !end_.has_value(); }
  // REQUIRES: !alive().
  const WorkerEnd& end() const { return *end_; }
  // REQUIRES: the worker got ready.
  const protocol::Ready& ready() const { return ready_; }
  // Whether any of the student's code was called; what stands outside of functions runs before.
  bool has_called() const { return has_called_; }
  // Ends a worker that is not needed any more, as nobody's fault.
  void Dismiss();
  // Ends it as unusable after its own calls (DescribeUnusable).
  void EndUnusable(const std::string& what);
  // What the program has printed so far, as it came.
  const std::string& output() const { return process_.output(); }

  // nullopt: the session has ended.
  std::optional<Answer> Map(int slot, const BufferHandle& buffer);
  std::optional<Answer> Unmap(int slot);
  std::optional<Answer> Call(const protocol::Call& call);
  std::optional<Answer> Nop(uint32_t flags, uint32_t busy_us = 0);
  // Stops all that the worker runs on the host, until the next request: that is sent to it, and then it goes on. False
  // when it could not be stopped.
  bool Pause();
  // sandbox::Process::RunOn.
  void RunOn(int core) { process_.RunOn(core); }
  // What the worker's events measured of the last timed request, by its own word: nanoseconds, -1 when it has none.
  std::optional<int64_t> EventTime();

 private:
  Session(const Options& options, JudgeDevice& device, RandomSource& random, ControlChannel channel,
          sandbox::Process process);

  static Result<std::unique_ptr<Session>> StartOnce(const Options& options, JudgeDevice& device, RandomSource& random);
  bool SandboxFailed() const { return process_.finished() && process_.result().sandbox_failed; }

  template <typename Body>
  std::optional<Answer> Ask(const Body& body, Stage stage, bool spin, int descriptor = -1);
  // The worker's message of this verb and nonce; nullopt when the session ended instead.
  std::optional<protocol::Message> Await(protocol::Verb verb, uint64_t nonce, Stage stage, bool spin);
  // One look at everything; the message when it is there.
  std::optional<protocol::Message> Look(protocol::Verb verb, uint64_t nonce, Stage* stage);
  void WaitForSomething();
  void ServeDevice();
  bool IsOutOfTimeOrCancelled(Stage stage);
  void AwaitReady();
  // Keeps a worker's first last words. False: `message` is none.
  bool NoteCrash(const protocol::Message& message);
  WorkerEnd DescribeEnd(Stage stage);
  // Kills the worker if need be, and keeps the first reason.
  void End(WorkerEnd end);

  const Options options_;
  JudgeDevice& device_;
  RandomSource& random_;
  ControlChannel channel_;
  sandbox::Process process_;
  Watchdog watchdog_;
  protocol::Ready ready_;
  std::optional<WorkerEnd> end_;
  std::optional<protocol::Crashed> crash_;
  std::string crashed_on_;  // the device memory that it says it accessed, or ""
  bool has_called_ = false;
  Patience patience_;
  bool paused_ = false;
  bool device_wants_ = false;  // service_fd was readable
};

}  // namespace warpgrade::judge
