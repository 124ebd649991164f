// What process.cc and supervisor.cc tell each other. The supervisor starts with these descriptors: the control socket
// (SOCK_SEQPACKET), the plan file, the output pipe, then those that the program inherits. They are not sent through the
// socket, because the kernel counts descriptors on their way for each user, and another program of the same user could
// use up that number.
//
//   grader -> supervisor   one PlanMessage
//   supervisor -> grader   one Report: kStarted or kStartFailed
//   grader -> supervisor   one byte, any time: kill the tree. Closing the socket means the same.
//   supervisor -> grader   one Report after kStarted: kEnded, and then the supervisor exits
//
// The plan file holds argv, the environment and the working directory, each string followed by a zero byte:
//
//   argv[0] \0 ... argv[argc-1] \0 env[0] \0 ... env[envc-1] \0 directory \0
#pragma once

#include <cstdint>

namespace warpgrade::sandbox {

inline constexpr int kControlFd = 3;  // where the supervisor finds its end of the socket
inline constexpr int kPlanFd = 4;
inline constexpr int kOutputFd = 5;
inline constexpr int kFirstInheritedFd = 6;
inline constexpr int kMaxInheritedFds = 64;

// What the supervisor is to run, and within which limits (ProcessLimits; 0: none).
struct PlanMessage {
  int32_t argument_count = 0;
  int32_t environment_count = 0;
  int32_t inherited_count = 0;
  int32_t target_fds[kMaxInheritedFds] = {};
  int64_t wall_ms = 0;
  int64_t cpu_s = 0;
  int64_t memory_bytes = 0;
  int64_t address_space_bytes = 0;
  int64_t file_bytes = 0;
  int64_t processes = 0;
  int64_t threads = 0;          // of all processes together
  int64_t threads_of_user = 0;  // filled in by the supervisor
  int64_t files = 0;            // in the memory folders of a confined program (memory_files.h)
  int64_t kernel_objects = 0;   // descriptors of each process; timers and waiting signals
  int32_t confined = 0;         // the program has a /dev of its own
  uint32_t user = 0;            // the program becomes this user; 0: it does not
  int32_t becomes_user = 0;     // the supervisor makes it that user, with a filter of system calls
  int32_t makes_files = 0;      // this filter lets it make files
};

// The step of starting that failed.
enum class StartStep : int32_t { kNone, kReadPlan, kFork, kDescriptors, kDirectory, kLimits, kUser, kExec };

// Why the supervisor killed the tree.
enum class KillReason : int32_t { kNone, kAsked, kWall, kCpu, kMemory, kProcesses, kThreads, kFiles };

// What the supervisor says.
struct Report {
  enum class Kind : int32_t { kStarted, kStartFailed, kEnded } kind = Kind::kEnded;
  int32_t pid = 0;
  StartStep failed_step = StartStep::kNone;
  int32_t error_number = 0;
  int32_t wait_status = 0;  // of the main process, as waitpid gives it
  KillReason reason = KillReason::kNone;
  int64_t wall_ms = 0;
  int64_t cpu_ms = 0;
  int64_t peak_memory = 0;
};

}  // namespace warpgrade::sandbox
