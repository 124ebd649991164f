// The process between the grader and an untrusted program. It reads a plan (plan.h), becomes the reaper of all
// processes below it, starts the program, enforces its limits, and ends only when no process is left below it. It is a
// fresh executable, small and single-threaded, so that it can fork safely and the grader copies no pages.
//
//   read plan -> start -> watch -----------------------------> kill the tree -> report -> exit
//                          | every few ms: wall, cpu, memory,      ^
//                          | process count                         |
//                          '-- main process ended, limit, asked ---'
//
// Tested by process_test.cc.
#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "grader/sandbox/memory_files.h"
#include "grader/sandbox/plan.h"
#include "grader/sandbox/process_tree.h"
#include "grader/sandbox/system_call_filter.h"

namespace warpgrade::sandbox {
namespace {

struct Plan {
  PlanMessage message;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::string directory;
  int output_fd = -1;
  std::vector<int> inherited_fds;  // ours; they go to message.target_fds
};

struct StartFailure {
  StartStep step = StartStep::kNone;
  int32_t error_number = 0;
};

// --- reading the plan
// -------------------------------------------------------------------------------------------------

// Takes the next `count` zero-terminated strings from `text`, moving `at`.
std::vector<std::string> TakeStrings(const std::string& text, int count, size_t* at) {
  std::vector<std::string> strings;
  for (int i = 0; i < count && *at < text.size(); ++i) {
    strings.emplace_back(text.c_str() + *at);
    *at += strings.back().size() + 1;
  }
  return strings;
}

bool ReadPlan(Plan* plan) {
  if (recv(kControlFd, &plan->message, sizeof plan->message, 0) != static_cast<ssize_t>(sizeof plan->message))
    return false;
  const int count = plan->message.inherited_count;
  if (count < 0 || count > kMaxInheritedFds) return false;
  close_range(kFirstInheritedFd + static_cast<unsigned>(count), ~0u, 0);
  close_range(kControlFd, ~0u, CLOSE_RANGE_CLOEXEC);
  plan->output_fd = kOutputFd;
  for (int i = 0; i < count; ++i) plan->inherited_fds.push_back(kFirstInheritedFd + i);
  std::string text;
  char chunk[4096];
  off_t offset = 0;
  for (ssize_t n; (n = pread(kPlanFd, chunk, sizeof chunk, offset)) > 0; offset += n) {
    text.append(chunk, static_cast<size_t>(n));
  }
  close(kPlanFd);
  size_t at = 0;
  plan->arguments = TakeStrings(text, plan->message.argument_count, &at);
  plan->environment = TakeStrings(text, plan->message.environment_count, &at);
  const std::vector<std::string> directory = TakeStrings(text, 1, &at);
  if (!directory.empty()) plan->directory = directory[0];
  return static_cast<int>(plan->arguments.size()) == plan->message.argument_count && !plan->arguments.empty();
}

// --- in the child, before exec
// ----------------------------------------------------------------------------------------

bool SetLimit(int resource, int64_t soft, int64_t hard) {
  const rlimit limit = {static_cast<rlim_t>(soft), static_cast<rlim_t>(hard)};
  return setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0;
}

bool ApplyLimits(const PlanMessage& m) {
  if (!SetLimit(RLIMIT_CORE, 0, 0)) return false;
  // The whole tree's time is watched from outside. This limits each process even if the supervisor is stopped.
  if (m.cpu_s > 0 && !SetLimit(RLIMIT_CPU, m.cpu_s + 1, m.cpu_s + 2)) return false;
  if (m.address_space_bytes > 0 && !SetLimit(RLIMIT_AS, m.address_space_bytes, m.address_space_bytes)) return false;
  if (m.file_bytes > 0 && !SetLimit(RLIMIT_FSIZE, m.file_bytes, m.file_bytes)) return false;
  for (const int resource : {RLIMIT_NOFILE, RLIMIT_SIGPENDING}) {
    if (m.kernel_objects > 0 && !SetLimit(resource, m.kernel_objects, m.kernel_objects)) return false;
  }
  if (m.threads_of_user > 0 && !SetLimit(RLIMIT_NPROC, m.threads_of_user, m.threads_of_user)) return false;
  return true;
}

// A limit that the kernel enforces between two of our samples. It counts all threads of the user, so it adds those of
// the other programs that run now. 0 for root, because the kernel does not apply this limit to root.
int64_t ThreadsAllowed(const PlanMessage& m) {
  const uid_t user = m.user != 0 ? m.user : getuid();
  if (m.threads <= 0 || user == 0) return 0;
  return ThreadsOfUser(user) + m.threads;
}

// Raises our priority, so that we wake up in time however many processes compete. The program does not inherit it. If
// raising is not allowed, the limit of ThreadsAllowed must be enough.
void TakePrecedence() {
  sched_param real_time = {};
  real_time.sched_priority = 1;
  if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &real_time) == 0) return;
  const sched_param ordinary = {};
  if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &ordinary) == 0) setpriority(PRIO_PROCESS, 0, -20);
}

// As long as it exists, we have no real-time priority. The kernel may have to wait for another task while it removes a
// process, and it does so in a loop. With a real-time priority we would keep the core from this task: on a busy machine
// the end of a program then took up to a second of processor time.
class OrdinaryPriority {
 public:
  OrdinaryPriority() {
    if ((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) != SCHED_RR) return;
    const sched_param ordinary = {};
    was_real_time_ = sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &ordinary) == 0;
  }
  ~OrdinaryPriority() {
    if (was_real_time_) TakePrecedence();
  }
  OrdinaryPriority(const OrdinaryPriority&) = delete;
  OrdinaryPriority& operator=(const OrdinaryPriority&) = delete;

 private:
  bool was_real_time_ = false;
};

// Gives the program exactly the descriptors that it was promised. A wanted number may be in use by another descriptor
// that we received, so everything is moved to higher numbers first. `failure_fd` is moved too.
bool ArrangeDescriptors(const Plan& plan, int* failure_fd) {
  int lowest = 3;
  for (int i = 0; i < plan.message.inherited_count; ++i) lowest = std::max(lowest, plan.message.target_fds[i] + 1);
  const auto move_up = [lowest](int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, lowest); };
  *failure_fd = move_up(*failure_fd);
  std::vector<int> high;
  for (int fd : plan.inherited_fds) high.push_back(move_up(fd));
  const int output = move_up(plan.output_fd);
  if (*failure_fd < 0 || output < 0) return false;
  if (close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) != 0) return false;
  if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) return false;
  for (size_t i = 0; i < high.size(); ++i) {
    if (high[i] < 0 || dup2(high[i], plan.message.target_fds[i]) < 0) return false;
  }
  return true;
}

void ResetSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Gives up root and all that goes with it, for good.
bool BecomeUser(uid_t user, bool makes_files, pid_t supervisor) {
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) return false;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the kernel forgot it when the user changed
  if (getppid() != supervisor) _exit(127);
  std::vector<sock_filter> filter = SharedAllowList(getpid(), makes_files);
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

[[noreturn]] void BecomeProgram(const Plan& plan, int failure_fd, pid_t supervisor) {
  const auto fail = [&failure_fd](StartStep step) {
    const StartFailure failure = {step, errno};
    if (write(failure_fd, &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
  };
  // If the supervisor is killed, at least the main process dies with it at once.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);
  setsid();
  if (!ArrangeDescriptors(plan, &failure_fd)) fail(StartStep::kDescriptors);
  if (!plan.directory.empty() && chdir(plan.directory.c_str()) != 0) fail(StartStep::kDirectory);
  if (!ApplyLimits(plan.message)) fail(StartStep::kLimits);
  umask(022);
  ResetSignals();
  const bool makes_files = plan.message.makes_files != 0;
  if (plan.message.becomes_user != 0 && !BecomeUser(plan.message.user, makes_files, supervisor)) fail(StartStep::kUser);
  std::vector<char*> arguments, environment;
  for (const std::string& s : plan.arguments) arguments.push_back(const_cast<char*>(s.c_str()));
  for (const std::string& s : plan.environment) environment.push_back(const_cast<char*>(s.c_str()));
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  execve(arguments[0], arguments.data(), environment.data());
  fail(StartStep::kExec);
  std::abort();
}

// Starts the program. Returns its number, or -1 with the reason in *failure.
pid_t StartProgram(const Plan& plan, StartFailure* failure) {
  int failure_pipe[2];
  if (pipe2(failure_pipe, O_CLOEXEC) != 0) {
    *failure = {StartStep::kFork, errno};
    return -1;
  }
  const pid_t supervisor = getpid();
  const pid_t pid = fork();
  if (pid == 0) BecomeProgram(plan, failure_pipe[1], supervisor);
  if (pid < 0) *failure = {StartStep::kFork, errno};
  close(failure_pipe[1]);
  // The read ends at exec, which closes the other end of the pipe, or when the child reports its failure.
  ssize_t n = 0;
  if (pid > 0) {
    do {
      n = read(failure_pipe[0], failure, sizeof *failure);
    } while (n < 0 && errno == EINTR);
  }
  close(failure_pipe[0]);
  if (pid > 0 && n > 0) {
    waitpid(pid, nullptr, 0);
    return -1;
  }
  return pid;
}

// --- watching
// ---------------------------------------------------------------------------------------------------------

using Clock = std::chrono::steady_clock;
constexpr int kSampleMs = 10;

int64_t MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

class Watch {
 public:
  Watch(const PlanMessage& limits, pid_t main_pid)
      : limits_(limits),
        main_pid_(main_pid),
        start_(Clock::now()),
        processes_(getpid(), limits.processes > 0 ? static_cast<size_t>(2 * limits.processes) : SIZE_MAX) {}

  // Runs until no process is left below us.
  Report Run(int signal_fd) {
    while (!main_ended_ && reason_ == KillReason::kNone) {
      pollfd fds[] = {{signal_fd, POLLIN, 0}, {kControlFd, POLLIN, 0}};
      poll(fds, 2, NextWakeMs());
      if (fds[0].revents != 0) {
        signalfd_siginfo ignored;
        if (read(signal_fd, &ignored, sizeof ignored) < 0 && errno != EAGAIN) break;
      }
      Reap();
      if (fds[1].revents != 0) reason_ = KillReason::kAsked;
      if (!main_ended_ && reason_ == KillReason::kNone) Sample();
    }
    KillTree();
    return Ended();
  }

 private:
  bool Sampled() const {
    return limits_.cpu_s > 0 || limits_.memory_bytes > 0 || limits_.processes > 0 || limits_.files > 0;
  }

  int NextWakeMs() const {
    int64_t wait = Sampled() ? std::max<int64_t>(0, 1 - MillisecondsSince(next_sample_)) : -1;
    if (limits_.wall_ms > 0) {
      const int64_t left = std::max<int64_t>(0, limits_.wall_ms + excused_ms_ - MillisecondsSince(start_));
      wait = wait < 0 ? left : std::min(wait, left);
    }
    return static_cast<int>(std::min<int64_t>(wait, 3'600'000));
  }

  // Collects all children that have ended. Returns false if there are no children left.
  bool Reap() {
    siginfo_t ended = {};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != ECHILD;
    if (ended.si_pid == 0) return true;
    const OrdinaryPriority while_reaping;
    int status;
    rusage ignored;
    while (true) {
      const pid_t pid = wait4(-1, &status, WNOHANG, &ignored);
      if (pid == 0) return true;
      if (pid < 0) return errno != ECHILD;
      if (pid == main_pid_) {
        main_ended_ = true;
        main_status_ = status;
        if (wall_ms_ < 0) wall_ms_ = MillisecondsSince(start_);
      }
    }
  }

  void Sample() {
    const Clock::time_point before = Clock::now();
    if (IsOutOfTime()) reason_ = KillReason::kWall;
    if (!Sampled() || before < next_sample_) return;
    const std::vector<ProcessInfo>& processes = processes_.Now();
    MemoryFiles::Usage files;
    if (limits_.confined != 0) files = memory_files_.Now(processes);
    int64_t resident = files.bytes, ticks = 0, alive = 0, threads = 0;
    for (const ProcessInfo& process : processes) {
      resident += process.resident_bytes;
      // Otherwise they are at most 1/512 of the address space.
      if (limits_.memory_bytes > 0 && limits_.address_space_bytes == 0) resident += PageTableBytes(process.pid);
      ticks += process.cpu_ticks;
      alive += process.zombie ? 0 : 1;
      threads += process.threads;
    }
    peak_memory_ = std::max(peak_memory_, resident);
    cpu_ms_ = std::max(cpu_ms_, ReapedCpuMs() + ticks * 1000 / sysconf(_SC_CLK_TCK));
    if (reason_ == KillReason::kNone) reason_ = ExceededBy(alive, threads, files.files);
    // A tree that takes long to sample is sampled less often, so that sampling uses less than a tenth of one core.
    const int64_t pause_ms = std::clamp<int64_t>(10 * MillisecondsSince(before), kSampleMs, int64_t{10} * kSampleMs);
    next_sample_ = Clock::now() + std::chrono::milliseconds(pause_ms);
  }

  // The time in which the program waited for a core does not count. It is asked for only when the limit is reached.
  bool IsOutOfTime() {
    const int64_t ran_ms = MillisecondsSince(start_);
    if (limits_.wall_ms <= 0 || ran_ms < limits_.wall_ms + excused_ms_) return false;
    int64_t waited_ns = 0;
    for (const ProcessInfo& process : processes_.Now()) waited_ns = std::max(waited_ns, WaitedForCoreNs(process.pid));
    const int64_t waited_ms = std::min(waited_ns / 1'000'000, kMostExcuses * limits_.wall_ms);
    excused_ms_ = waited_ms + kSampleMs;  // so that the next look is not at once
    return ran_ms >= limits_.wall_ms + waited_ms;
  }

  KillReason ExceededBy(int64_t alive, int64_t threads, int64_t files) const {
    if (limits_.processes > 0 && alive > limits_.processes) return KillReason::kProcesses;
    if (limits_.threads > 0 && threads > limits_.threads) return KillReason::kThreads;
    if (limits_.files > 0 && files > limits_.files) return KillReason::kFiles;
    if (limits_.memory_bytes > 0 && peak_memory_ > limits_.memory_bytes) return KillReason::kMemory;
    if (limits_.cpu_s > 0 && cpu_ms_ > limits_.cpu_s * 1000) return KillReason::kCpu;
    return KillReason::kNone;
  }

  static int64_t ReapedCpuMs() {
    rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
  }

  // Orphans become our children, so no process is left below us exactly when we have no children.
  void KillTree() {
    if (!Reap()) return;
    do {
      KillDescendantsOf(getpid());
      usleep(200);
    } while (Reap());
  }

  Report Ended() {
    rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    peak_memory_ = std::max<int64_t>(peak_memory_, int64_t{usage.ru_maxrss} * 1024);
    cpu_ms_ = std::max(cpu_ms_, ReapedCpuMs());
    // A process that ended between two samples must keep the same limits.
    if (reason_ == KillReason::kNone) reason_ = ExceededBy(0, 0, 0);
    Report report;
    report.kind = Report::Kind::kEnded;
    report.pid = main_pid_;
    report.wait_status = main_status_;
    report.reason = reason_;
    report.wall_ms = wall_ms_;
    report.cpu_ms = cpu_ms_;
    report.peak_memory = peak_memory_;
    return report;
  }

  const PlanMessage limits_;
  const pid_t main_pid_;
  const Clock::time_point start_;
  bool main_ended_ = false;
  int main_status_ = 0;
  KillReason reason_ = KillReason::kNone;
  int64_t wall_ms_ = -1;
  int64_t excused_ms_ = 0;
  int64_t cpu_ms_ = 0;
  int64_t peak_memory_ = 0;
  Descendants processes_;
  MemoryFiles memory_files_;
  Clock::time_point next_sample_ = Clock::now();
};

void Send(const Report& report) { send(kControlFd, &report, sizeof report, MSG_NOSIGNAL); }

int Supervise() {
  // Block all signals that can be caught or ignored: the program runs as the same user and could send them to end us.
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_DUMPABLE, 0);

  Plan plan;
  StartFailure failure;
  pid_t pid = -1;
  const bool read = ReadPlan(&plan);  // also closes all descriptors that are not ours
  const int signal_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signal_fd < 0 || !read) {
    failure = {StartStep::kReadPlan, errno};
  } else {
    plan.message.threads_of_user = ThreadsAllowed(plan.message);
    TakePrecedence();
    pid = StartProgram(plan, &failure);
  }
  Report report;
  report.kind = pid > 0 ? Report::Kind::kStarted : Report::Kind::kStartFailed;
  report.pid = pid;
  report.failed_step = failure.step;
  report.error_number = failure.error_number;
  // Close our copies: the output must end when the program's side ends, and the inherited descriptors are for the
  // program alone.
  close(plan.output_fd);
  for (int fd : plan.inherited_fds) close(fd);
  Send(report);
  if (pid > 0) Send(Watch(plan.message, pid).Run(signal_fd));
  return 0;
}

}  // namespace
}  // namespace warpgrade::sandbox

int main() { return warpgrade::sandbox::Supervise(); }
