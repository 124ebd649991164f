// Runs an untrusted program within limits on time, memory, output, files and processes. The program and all its
// descendants are gone when it ends, when we kill it, or when we die. Only this room forks.
//
// A small supervisor process (supervisor.cc) stands between us and the program and reaps everything below it:
//
//      grader ---- control socket ---- supervisor (subreaper) ---- program (own session) ---- its children, orphans too
//        '--------- output pipe ---------------------------------------'
//
// The supervisor enforces the limits. It sees the control socket close when the grader dies for whatever reason. When
// the program's main process ends, the supervisor kills all processes that it left, and then reports the end.
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

// ProcessLimits::kernel_objects of untrusted programs. It is enough for CUDA's driver and for compilers: most systems
// allow so many descriptors to a program that does not ask for more.
inline constexpr int64_t kFewKernelObjects = 1024;

// 0 means no limit, except for output_bytes.
struct ProcessLimits {
  int64_t wall_ms = 0;  // stretched while the program waits for a core (kMostExcuses)
  int64_t cpu_s = 0;    // processor time of the whole tree
  // Resident bytes, summed over the tree and sampled every few milliseconds. Where limit_address_space is off, the
  // tables of the pages count as well.
  int64_t memory_bytes = 0;
  // Also limits the address space of each process to 1.5 x memory_bytes. Off for a program that opens a GPU: CUDA
  // reserves far more addresses than it uses.
  bool limit_address_space = true;
  int64_t file_bytes = 0;  // the size of any one file that it writes
  // Files in the folders of a confined program that are in memory. Each takes about 1 KB of the kernel's memory. Far
  // more than a lab or a compiler needs.
  int64_t files_in_memory = 10'000;
  // Descriptors of each process, and in addition timers and waiting signals of its user. They take memory of the
  // kernel, which counts as memory of no process: 64 KB for a pipe that is full, 200 bytes for each pair of an epoll
  // descriptor and one that it watches.
  int64_t kernel_objects = 0;
  int processes =
      0;  // processes alive at once in the tree; their threads are held to a multiple of this or of the cores
  int64_t output_bytes = 64 << 10;
};

struct ProcessOptions {
  std::vector<std::string> argv;         // argv[0] is a path; PATH is not searched
  std::string working_directory;         // "": ours
  std::vector<std::string> environment;  // "NAME=value"; the program inherits nothing else
  ProcessLimits limits;
  // {our descriptor, its number in the program (> 2)}. We keep ours open. In the program every other descriptor is
  // closed, 0 is /dev/null, and 1 and 2 are the output pipe.
  std::vector<std::pair<int, int>> inherited_fds;
  // What the program may see and reach; empty: whatever we may. When a signal ends a confined program, the result is
  // the same as for an exit with code 128 + that signal's number; only the output may differ.
  std::optional<Confinement> confinement;
  uint32_t user_of_program = 0;  // set by Process::Start: who a program of root becomes; 0: the same user as we
  bool becomes_user = false;  // set by Process::Start: the supervisor makes it that user, because bubblewrap does not
  bool makes_files = true;    // set by Process::Start: false then if it has no folder to write to
};

struct ProcessResult {
  int exit_code = -1;  // -1 when a signal ended the main process
  int signal = 0;      // 0 when it exited by itself
  // Why we ended it, or would have done so a moment later. At most one of these is set.
  bool timed_out = false;
  bool cpu_exceeded = false;
  bool memory_exceeded = false;
  bool processes_exceeded = false;
  bool threads_exceeded = false;
  bool output_exceeded = false;
  bool file_exceeded = false;   // the main process wrote too large a file
  bool files_exceeded = false;  // it made too many files in memory
  bool killed = false;          // by Kill() or by the cancel flag
  // The confined program was never reached, and `output` is from bubblewrap; or bubblewrap was killed. The program
  // cannot cause this. None of the above is set then.
  bool sandbox_failed = false;
  std::string output;  // stdout and stderr as they came, at most output_bytes
  int64_t wall_ms = 0;
  int64_t cpu_ms = 0;       // of the whole tree
  int64_t peak_memory = 0;  // bytes, measured as for ProcessLimits::memory_bytes

  bool limit_exceeded() const {
    return timed_out || cpu_exceeded || memory_exceeded || processes_exceeded || threads_exceeded || output_exceeded ||
           file_exceeded || files_exceeded;
  }
  // True when something other than us killed it, most often a machine that is short of memory.
  bool killed_by_others() const { return signal == SIGKILL && !limit_exceeded() && !killed; }
  // True when it ended by itself with exit code 0.
  bool succeeded() const { return exit_code == 0 && !limit_exceeded() && !killed; }
};

// The error for a sandbox that failed (kMachine), for the person who grades. REQUIRES: result.sandbox_failed.
Error SandboxFailure(const ProcessResult& result);

// How the program ended, for people: "exited with code 3", "crashed: segmentation fault (signal 11)", "stopped after
// 2.0 s: the time limit".
std::string Describe(const ProcessResult& result, const ProcessLimits& limits);

// A running program. Movable; thread-compatible. The destructor kills the tree and waits until it is gone.
//
// In an event loop:
//
//   while (!process.finished()) {
//     pollfd fds[] = {{process.exit_fd(), POLLIN, 0}, {process.output_fd(), POLLIN, 0}, ... your own ...};
//     poll(fds, n, std::min(your_timeout, process.poll_timeout_ms()));
//     process.OnReadable();  // always; it never blocks, and costs two system calls when there is nothing to read
//     ... your own ...
//   }
//   use process.result()
//
// output_fd() is -1 (which poll ignores) once the output has ended. Do not read from or close either descriptor. When
// nobody calls OnReadable and the pipe is full (64 KiB), the program blocks.
class Process {
 public:
  // Starts the program, and returns when it has been exec'ed. Errors (kMachine) name argv[0] and the system's reason
  // (no such file, not executable), or the working directory, or the resource that we ran out of.
  static Result<Process> Start(const ProcessOptions& options);

  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  // The number of the program's main process. REQUIRES: !finished().
  pid_t pid() const;

  // Readable when the tree is gone and the result is there, or when the supervisor is gone.
  int exit_fd() const;
  // Readable when there is output to collect; -1 after the end of the output.
  int output_fd() const;
  // Call OnReadable() after this many milliseconds even when nothing is readable; -1: not needed.
  int poll_timeout_ms() const;
  // Collects output, notices the end of the program, and enforces our own deadlines. Never blocks.
  void OnReadable();
  // Calls OnReadable(), then tells whether the whole tree has ended.
  bool Poll() {
    OnReadable();
    return finished();
  }
  bool finished() const;

  // The output collected so far.
  const std::string& output() const;

  // Tells the supervisor to kill the whole tree, and returns at once; finished() becomes true within moments. Does
  // nothing when the tree has ended already.
  void Kill();

  // Stops every process of the tree until Resume(); work that it has started on a GPU goes on. False when a process
  // could not be stopped within a second: then all of them run again. True when there is no process any more.
  bool Pause();
  // Lets all processes go on. Takes microseconds.
  void Resume();

  // How long the program has waited for a core since it started: WaitedForCoreNs of the process that waited longest, of
  // those that exist now. 0 when it has ended. Takes some microseconds for each thread.
  int64_t WaitedForCore() const;

  // Moves all present processes of the tree to one core; their later children inherit it. The program may undo this.
  void RunOn(int core);

  // Blocks until finished. Kills the tree when `cancel` becomes true, which a handler of SIGINT may do.
  const ProcessResult& Wait(const std::atomic<bool>* cancel = nullptr);

  // REQUIRES: finished().
  const ProcessResult& result() const;

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  static Result<Process> StartAsOtherUser(const ProcessOptions& options);
  static Result<Process> StartAsGiven(const ProcessOptions& options);  // `confinement` is in argv already
  std::unique_ptr<State> state_;
};

// Start, then Wait. Tries once more when starting or the sandbox fails. A program that crashes or hits a limit is a
// result, not an error.
Result<ProcessResult> RunProcess(const ProcessOptions& options, const std::atomic<bool>* cancel = nullptr);

}  // namespace warpgrade::sandbox
