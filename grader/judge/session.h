// One worker process from its start to its end, or several, one after the other. The session sends requests, receives
// answers, serves the emulated device meanwhile, and describes in plain words how the process ended. There is one
// session per rung and device. The rung's wall time is the time in which the judge waited for the worker (patience.h).
// The judge's own work, such as drawing and checking, does not count, and neither does that of the emulated device, nor
// the time in which the machine had no core for them.
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
#include "grader/judge/isolation.h"
#include "grader/judge/patience.h"
#include "grader/judge/random_source.h"
#include "grader/judge/raw_clock.h"
#include "grader/judge/student_lines.h"
#include "grader/judge/watchdog.h"
#include "grader/judge/worker_end.h"
#include "grader/sandbox/process.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

// The hardware queues of a CUDA context of the grader's own, which uses one stream. With CUDA's eight, making the
// context takes 0.19 s of processor time, with one 0.09 s (H200).
inline constexpr int kOwnHardwareQueues = 1;
inline constexpr char kHardwareQueuesVariable[] = "CUDA_DEVICE_MAX_CONNECTIONS";

class Session {
 public:
  struct Options {
    std::string executable;
    std::string honest_executable;  // a worker without a student; "": there is none
    std::string source;             // "v1_naive.cu": the file whose lines describe a crash
    config::RunLimits limits;
    Isolation isolation;
    // How many hardware queues CUDA makes in the worker's context. 0: as many as usual.
    int hardware_queues = 0;
    const std::atomic<bool>* cancel = nullptr;         // ends the session soon; the student is not to blame
    std::function<int64_t()> now_ns = RawNanoseconds;  // the clock that keeps limits.wall_s
  };
  // An answer, and the judge's own clock around the request.
  struct Answer {
    protocol::Done done;
    int64_t wall_ns = 0;
  };

  // Starts the worker and waits until it is ready. Tries once more when starting or the sandbox fails. A worker that
  // does not get ready is an ended session, not an error. `device` and `random` outlive the session. Errors: kMachine
  // only.
  static Result<std::unique_ptr<Session>> Start(const Options& options, JudgeDevice& device, RandomSource& random);
  // Ends the worker if it still runs.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // False when the worker has ended or was stopped: end() says why, and requests do nothing.
  bool alive() const { return !end_.has_value(); }
  // REQUIRES: !alive().
  const WorkerEnd& end() const { return *end_; }
  // REQUIRES: the worker got ready.
  const protocol::Ready& ready() const { return ready_; }
  // True when a function of the student's was called. Code outside of functions (static constructors) runs before that.
  bool has_called() const { return has_called_; }
  // Ends a worker that is no longer needed; nobody is to blame.
  void Dismiss();
  // Starts a new worker in the place of one whose kernel has faulted: such a process can do nothing on the device any
  // more. The rung's wall time goes on. A worker that does not get ready is an ended session, not an error. REQUIRES:
  // no buffer is mapped. Errors: kMachine only.
  Status Restart();
  // Ends a worker that says that it cannot open a buffer. `what`: "d_in of n = 3 cannot be opened: ...". Its word
  // proves nothing, and a hostile program may have said it. After a call, or if a worker without a student can open the
  // buffer, the program is the reason. Errors (kMachine): another program may be the reason, so judge this one alone;
  // or a worker without a student cannot open the buffer either.
  Status EndWithoutBuffer(const std::string& what, int slot, const BufferHandle& buffer);
  // The line of the student's file from which a host call was made (student_lines.h).
  host_lines::SourceLine LineOf(uint64_t address) { return lines_.Of(address); }
  // The raw output of the program so far. Of the output of earlier workers, only the end is kept.
  std::string output() const { return earlier_output_ + process_.output(); }

  // The requests of grader/worker/protocol.h. nullopt: the session has ended.
  std::optional<Answer> Map(int slot, const BufferHandle& buffer);
  std::optional<Answer> Unmap(int slot);
  std::optional<Answer> Call(const protocol::Call& call);
  std::optional<Answer> Nop(uint32_t flags, uint32_t busy_us = 0);
  // Stops everything that the worker runs on the host, until the next request: the request is sent, and then the worker
  // goes on. False when it could not be stopped.
  bool Pause();
  // sandbox::Process::RunOn.
  void RunOn(int core) { process_.RunOn(core); }
  // The time of the last timed request by the worker's own events, which are not trusted: nanoseconds, -1 when it has
  // none. nullopt: the session has ended.
  std::optional<int64_t> EventTime();

 private:
  Session(const Options& options, JudgeDevice& device, RandomSource& random, ControlChannel channel,
          sandbox::Process process);

  struct Begun {
    ControlChannel channel;
    sandbox::Process process;
  };
  // Starts a process, which is not ready yet.
  static Result<Begun> Begin(const Options& options, JudgeDevice& device);
  static Result<std::unique_ptr<Session>> StartOnce(const Options& options, JudgeDevice& device, RandomSource& random);
  Status RestartOnce();
  bool SandboxFailed() const { return process_.finished() && process_.result().sandbox_failed; }

  template <typename Body>
  std::optional<Answer> Ask(const Body& body, Stage stage, bool spin, int descriptor = -1);
  // The worker's message of this verb and nonce; nullopt when the session ended instead.
  std::optional<protocol::Message> Await(protocol::Verb verb, uint64_t nonce, Stage stage, bool spin);
  // Looks once at process and socket, and returns the message when it is there.
  std::optional<protocol::Message> Look(protocol::Verb verb, uint64_t nonce, Stage* stage);
  void WaitForSomething();
  void ServeDevice();
  bool IsOutOfTimeOrCancelled(Stage stage);
  // The time is up. True if worker and judge waited for cores meanwhile, so that it is not up after all.
  bool WasExcused();
  void AwaitReady();
  // Keeps the first Crashed message. False when `message` is not one, or not the first.
  bool NoteCrash(const protocol::Message& message);
  WorkerEnd DescribeEnd(Stage stage);
  // Kills the worker if need be, and keeps the first reason.
  void End(WorkerEnd end);
  void EndBlameless(const std::string& why);

  const Options options_;
  JudgeDevice& device_;
  RandomSource& random_;
  ControlChannel channel_;
  sandbox::Process process_;
  std::string earlier_output_;
  Watchdog watchdog_;
  protocol::Ready ready_;
  std::optional<WorkerEnd> end_;
  std::optional<protocol::Crashed> crash_;
  std::string crashed_on_;  // the device memory that it says it accessed, or ""
  StudentLines lines_;
  bool has_called_ = false;
  Patience patience_;
  const int64_t judge_waited_before_ns_;  // for a core, before this session
  int64_t earlier_workers_waited_ns_ = 0;
  int64_t next_excuse_ns_ = 0;
  bool paused_ = false;
  bool device_wants_ = false;  // service_fd was readable
};

}  // namespace warpgrade::judge
