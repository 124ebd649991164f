// Runs a program that nobody trusts: bounded in time, memory, output, files and processes, and gone with all its
// descendants when it ends, when we say so, or when we die. The only room that forks.
//
// Between us and the program stands a small supervisor process (supervisor.cc), the reaper of everything below it:
//
//      grader ---- control socket ---- supervisor (subreaper) ---- program (own session) ---- its children, orphans too
//        '--------- output pipe ---------------------------------------'
//
// The supervisor keeps the limits, and sees the control socket close when the grader dies, however that comes about.
// When the program's main process ends, whatever it left running is killed before the end is reported.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/result/result.h"
#include "grader/sandbox/confinement.h"

namespace warpgrade::sandbox {

// 0 means no limit, except for output_bytes.
struct ProcessLimits {
  int64_t wall_ms = 0;
  int64_t cpu_s = 0;         // of the whole tree
  int64_t memory_bytes = 0;  // resident, summed over the tree, sampled every few milliseconds
  // Also holds each process's address space to 1.5 x memory_bytes. Off for a program that opens a GPU: CUDA reserves
  // far more addresses than it uses.
  bool limit_address_space = true;
  int64_t file_bytes = 0;  // size of any one file written
  int processes = 0;       // alive at once in the tree (threads are not counted)
  int64_t output_bytes = 64 << 10;
};

struct ProcessOptions {
  std::vector<std::string> argv;         // argv[0] is a path; PATH is not searched
  std::string working_directory;         // "": ours
  std::vector<std::string> environment;  // "NAME=value"; exactly this, nothing is inherited
  ProcessLimits limits;
  // {our descriptor, its number in the program (> 2)}. Ours stays open and ours. Every other descriptor of ours is
  // closed in the program, 0 is /dev/null, 1 and 2 are the output pipe.
  std::vector<std::pair<int, int>> inherited_fds;
  // What it may see and reach; none: whatever we may. A confined program that a signal ends is told from one that exits
  // with 128 + that signal's number only by its output.
  std::optional<Confinement> confinement;
};

struct ProcessResult {
  int exit_code = -1;  // -1 when a signal ended the main process
  int signal = 0;      // 0 when it exited by itself
  // Why we ended it, or would have, had it not ended first. At most one of these is set.
  bool timed_out = false;
  bool cpu_exceeded = false;
  bool memory_exceeded = false;
  bool processes_exceeded = false;
  bool output_exceeded = false;
  bool file_exceeded = false;  // the main process wrote too large a file
  bool killed = false;         // by Kill() or by the cancel flag
  // Set beside none of the above: the confined program was never reached, and `output` is bubblewrap's alone; or
  // bubblewrap was killed. Nothing that the program does leads to this.
  bool sandbox_failed = false;
  std::string output;  // stdout and stderr as they came, at most output_bytes
  int64_t wall_ms = 0;
  int64_t cpu_ms = 0;       // of the whole tree
  int64_t peak_memory = 0;  // bytes, see memory_bytes

  bool limit_exceeded() const {
    return timed_out || cpu_exceeded || memory_exceeded || processes_exceeded || output_exceeded || file_exceeded;
  }
  // Killed, and not by us: most often by a machine that is short of memory.
  bool killed_by_others() const { return signal == SIGKILL && !limit_exceeded() && !killed; }
  // Ended by itself with exit code 0.
  bool succeeded() const { return exit_code == 0 && !limit_exceeded() && !killed; }
};

// What to tell whoever grades when the sandbox failed (kMachine). REQUIRES: result.sandbox_failed.
Error SandboxFailure(const ProcessResult& result);

// "exited with code 3", "crashed: segmentation fault (signal 11)", "stopped after 2.0 s: the time limit". For people.
std::string Describe(const ProcessResult& result, const ProcessLimits& limits);

// A running program. Movable; thread-compatible. The destructor kills the tree and waits until it is gone.
//
// In an event loop:
//
//   while (!process.finished()) {
//     pollfd fds[] = {{process.exit_fd(), POLLIN, 0}, {process.output_fd(), POLLIN, 0}, ... your own ...};
//     poll(fds, n, std::min(your_timeout, process.poll_timeout_ms()));
//     process.OnReadable();  // whatever poll said; never blocks, costs two system calls when there is nothing
//     ... your own ...
//   }
//   use process.result()
//
// output_fd() is -1 (which poll ignores) once the output has ended. Don't read from or close either descriptor. The
// program blocks when nobody calls OnReadable and its pipe is full (64 KiB).
class Process {
 public:
  // Returns once the program has been exec'ed. Errors: kMachine, naming argv[0] and the system's reason (no such file,
  // not executable), the working directory, or what we ran out of.
  static Result<Process> Start(const ProcessOptions& options);

  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  // Of the program's main process. Meaningless once finished().
  pid_t pid() const;

  // Readable when the tree is gone and the result is there, or the supervisor is.
  int exit_fd() const;
  // Readable when there is output to collect; -1 after its end.
  int output_fd() const;
  // In this many milliseconds OnReadable() wants to be called even when nothing is readable; -1: no need.
  int poll_timeout_ms() const;
  // Collects output, notices the end, keeps our own deadlines. Never blocks.
  void OnReadable();
  // OnReadable(), then: has the whole tree ended?
  bool Poll() {
    OnReadable();
    return finished();
  }
  bool finished() const;

  // Collected so far.
  const std::string& output() const;

  // Tells the supervisor to kill the whole tree, and returns at once; finished() follows within moments. Harmless when
  // it has ended already.
  void Kill();

  // Stops every process of the tree where it stands, until Resume(); what it has started on a GPU goes on. False when
  // one could not be stopped in a second: then all run again. True when there is none (any more).
  bool Pause();
  // Takes microseconds.
  void Resume();

  // Has all that there is of the tree by now, and its descendants, run on one core. A program may undo it for itself.
  void RunOn(int core);

  // Blocks until finished. A `cancel` flag that turns true (a handler of SIGINT may set it) kills the tree.
  const ProcessResult& Wait(const std::atomic<bool>* cancel = nullptr);

  // REQUIRES: finished().
  const ProcessResult& result() const;

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  static Result<Process> StartAsGiven(const ProcessOptions& options);  // `confinement` is in argv already
  std::unique_ptr<State> state_;
};

// Start, then Wait; all of it a second time when starting fails or the sandbox does. That a limit was hit or the
// program crashed is a result, not an error.
Result<ProcessResult> RunProcess(const ProcessOptions& options, const std::atomic<bool>* cancel = nullptr);

}  // namespace warpgrade::sandbox
