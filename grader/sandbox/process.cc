// Starts the supervisor, gives it the plan, collects the program's output, and notices the end. Tested by
// process_test.cc.
#include "grader/sandbox/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <vector>

#include "grader/sandbox/bubblewrap_link.h"
#include "grader/sandbox/descriptor.h"
#include "grader/sandbox/plan.h"
#include "grader/sandbox/process_tree.h"
#include "grader/sandbox/stray.h"
#include "grader/sandbox/supervisor_image.h"

namespace warpgrade::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// How late the supervisor may be before we assume that it is dead. A hostile program may have stopped it.
constexpr std::chrono::milliseconds kSupervisorGrace{5000};
constexpr std::chrono::milliseconds kStartGrace{30000};
constexpr std::chrono::milliseconds kCancelPoll{50};
constexpr std::chrono::milliseconds kPausePatience{1000};
constexpr size_t kMostPaused = 10'000;
constexpr int kSignalled = 128;
constexpr size_t kBubblewrapFds = 2;

std::string SystemReason(int error_number) { return std::strerror(error_number); }

Error CannotStart(const ProcessOptions& options, const std::string& why) {
  return {ErrorKind::kMachine, fmt::format("cannot run {}: {}", options.argv.empty() ? "" : options.argv[0], why)};
}

// The plan file of plan.h.
std::optional<Descriptor> WritePlanFile(const ProcessOptions& options) {
  std::string text;
  for (const std::string& s : options.argv) text.append(s.c_str(), s.size() + 1);
  for (const std::string& s : options.environment) text.append(s.c_str(), s.size() + 1);
  text.append(options.working_directory.c_str(), options.working_directory.size() + 1);
  Descriptor file(memfd_create("warpgrade-plan", MFD_CLOEXEC));
  if (file.get() < 0) return std::nullopt;
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = write(file.get(), text.data() + at, text.size() - at);
    if (n < 0) return std::nullopt;
    at += static_cast<size_t>(n);
  }
  return file;
}

// How many threads all processes may have together. An honest program may start some for each core, so this grows with
// the machine.
int64_t ThreadsFor(const ProcessLimits& limits) {
  constexpr int64_t kThreadsPerCore = 256;
  if (limits.processes <= 0) return 0;
  return std::max(int64_t{8} * limits.processes, kThreadsPerCore * sysconf(_SC_NPROCESSORS_ONLN));
}

bool SendPlan(int control, const ProcessOptions& options) {
  PlanMessage message;
  message.argument_count = static_cast<int32_t>(options.argv.size());
  message.environment_count = static_cast<int32_t>(options.environment.size());
  message.inherited_count = static_cast<int32_t>(options.inherited_fds.size());
  const ProcessLimits& limits = options.limits;
  message.wall_ms = limits.wall_ms;
  message.cpu_s = limits.cpu_s;
  message.memory_bytes = limits.memory_bytes;
  message.address_space_bytes = limits.limit_address_space ? limits.memory_bytes + limits.memory_bytes / 2 : 0;
  message.file_bytes = limits.file_bytes;
  message.processes = limits.processes;
  message.threads = ThreadsFor(limits);
  message.confined = options.confinement ? 1 : 0;
  message.kernel_objects = limits.kernel_objects;
  message.files = options.confinement ? options.limits.files_in_memory : 0;
  message.user = options.user_of_program;
  message.becomes_user = options.becomes_user ? 1 : 0;
  message.makes_files = options.makes_files ? 1 : 0;
  for (size_t i = 0; i < options.inherited_fds.size(); ++i) message.target_fds[i] = options.inherited_fds[i].second;
  return send(control, &message, sizeof message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof message);
}

// The descriptors of the supervisor: ours, in the order of their numbers there, from kControlFd on.
std::vector<int> SupervisorsFds(const ProcessOptions& options, int control, int plan, int output) {
  std::vector<int> fds = {control, plan, output};
  for (const auto& [ours, theirs] : options.inherited_fds) fds.push_back(ours);
  return fds;
}

// Starts the supervisor with `fds` as its descriptors from kControlFd on. Returns -1 and sets errno if that fails.
pid_t SpawnSupervisor(const std::vector<int>& fds) {
  const int image = SupervisorImageFd();
  if (image < 0) return -1;
  // A descriptor of ours may have a number that another one gets there, so all are copied to numbers beyond those
  // first.
  const int beyond = kControlFd + static_cast<int>(fds.size());
  std::vector<Descriptor> copies;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = 0; fd <= 2; ++fd) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  int error = 0;
  for (size_t i = 0; i < fds.size(); ++i) {
    copies.emplace_back(fcntl(fds[i], F_DUPFD_CLOEXEC, beyond));
    if (copies.back().get() < 0) {
      error = errno;
      break;
    }
    posix_spawn_file_actions_adddup2(&actions, copies.back().get(), kControlFd + static_cast<int>(i));
  }
  const std::string path = fmt::format("/proc/self/fd/{}", image);
  char name[] = "warpgrade-supervisor";
  char* const arguments[] = {name, nullptr};
  char* const environment[] = {nullptr};
  pid_t pid = -1;
  if (error == 0) error = posix_spawn(&pid, path.c_str(), &actions, nullptr, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return pid;
  errno = error;
  return -1;
}

std::string StartFailureText(const ProcessOptions& options, const Report& report) {
  std::string reason = SystemReason(report.error_number);
  switch (report.failed_step) {
    case StartStep::kDirectory:
      return fmt::format("its working directory {}: {}", options.working_directory, reason);
    case StartStep::kDescriptors:
      return fmt::format("arranging its descriptors: {}", reason);
    case StartStep::kLimits:
      return fmt::format("setting its limits: {}", reason);
    case StartStep::kUser:
      return fmt::format("making it another user: {}", reason);
    case StartStep::kReadPlan:
      return fmt::format("reading the plan: {}", reason);
    case StartStep::kFork:
    case StartStep::kExec:
    case StartStep::kNone:
      return reason;
  }
  return reason;
}

// A file in the confinement that does not exist outside is the caller's mistake. We report it here, because bubblewrap
// would report it in the program's output.
std::optional<std::string> MistakeIn(const Confinement& confinement) {
  if (GivesUpRoot(confinement)) {
    for (const std::string& path : confinement.writable) {
      if (!LendToPrograms(path)) return fmt::format("it is to write in {}: {}", path, SystemReason(errno));
    }
    for (const std::string& path : confinement.read_only) {
      struct stat info;
      if (stat(path.c_str(), &info) != 0) continue;  // see below
      const mode_t needed = S_ISDIR(info.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
      if ((info.st_mode & needed) == needed) continue;
      return fmt::format(
          "it is to see {}, which only its owner can read. Programs of root run as another user: call "
          "`chmod -R o+rX` for it, or grade as its owner",
          path);
    }
  }
  for (const auto* paths : {&confinement.read_only, &confinement.writable}) {
    for (const std::string& path : *paths) {
      if (path.empty() || path[0] != '/') return fmt::format("it is to see '{}', which is no absolute path", path);
      if (access(path.c_str(), F_OK) != 0) return fmt::format("it is to see {}: {}", path, SystemReason(errno));
    }
  }
  return std::nullopt;
}

// Checked before, because after kDropRoot (confinement.cc) a program that cannot be executed looks like one that
// failed.
std::optional<std::string> WhyNoProgram(const ProcessOptions& options) {
  const std::string& program = options.argv[0];
  struct stat info;
  if (stat(program.c_str(), &info) != 0 || access(program.c_str(), X_OK) != 0) return SystemReason(errno);
  if (!S_ISREG(info.st_mode)) return "it is no file";
  if (GivesUpRoot(*options.confinement) && (info.st_mode & S_IXOTH) == 0) {
    return "only its owner can execute it, and programs of root run as another user";
  }
  return std::nullopt;
}

// Descriptor numbers that are free in the program. Bubblewrap closes them before it becomes the program.
BubblewrapFds FreeFds(const ProcessOptions& options) {
  int number = 3;
  for (const auto& [ours, theirs] : options.inherited_fds) number = std::max(number, theirs + 1);
  return {number, number + 1};
}

// Checks for mistakes of the caller, before anything is started.
std::optional<std::string> MistakeIn(const ProcessOptions& options) {
  if (options.argv.empty()) return "no program was named";
  if (options.inherited_fds.size() + kBubblewrapFds > kMaxInheritedFds) return "too many descriptors to pass on";
  for (const auto& [ours, theirs] : options.inherited_fds) {
    if (theirs <= 2 || theirs > 1000) return fmt::format("descriptor {} cannot be given to a program", theirs);
    if (fcntl(ours, F_GETFD) < 0) return fmt::format("descriptor {} to pass on is not open", ours);
  }
  for (const auto* strings : {&options.argv, &options.environment}) {
    for (const std::string& s : *strings) {
      if (s.find('\0') != std::string::npos) return "a zero byte in an argument or in the environment";
    }
  }
  if (options.confinement) return MistakeIn(*options.confinement);
  return std::nullopt;
}

}  // namespace

struct Process::State {
  ProcessLimits limits;
  Descriptor control;
  Descriptor output;
  pid_t supervisor = -1;
  uint64_t supervisor_start_ticks = 0;
  pid_t pid = -1;
  Clock::time_point start = Clock::now();
  std::optional<Clock::time_point> give_up_at;  // after this time the supervisor is assumed dead
  std::optional<BubblewrapLink> link;           // of a confined program; bubblewrap uses it until it ends
  std::vector<pid_t> paused;                    // since the last Pause
  bool kill_asked = false;
  bool finished = false;
  ProcessResult result;

  ~State() {
    if (supervisor > 0 && !finished) {
      control.Close();  // the supervisor then kills the tree
      AbandonSupervisorAfter(kSupervisorGrace);
    }
  }

  // Waits at most `grace` for the supervisor to end by itself. Then kills it and the processes that it leaves.
  void AbandonSupervisorAfter(std::chrono::milliseconds grace) {
    const Clock::time_point deadline = Clock::now() + grace;
    siginfo_t info = {};
    while (Clock::now() < deadline) {
      if (waitid(P_PID, static_cast<id_t>(supervisor), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0)
        break;
      usleep(500);
    }
    const bool by_itself = info.si_pid != 0 && info.si_code == CLD_EXITED;
    if (info.si_pid == 0) kill(supervisor, SIGKILL);
    ReapSupervisor(supervisor, supervisor_start_ticks, !by_itself);
    finished = true;
  }

  int64_t WaitedForCore() const {
    int64_t longest = 0;
    for (const ProcessInfo& process : DescendantsOf(supervisor, kMostPaused)) {
      longest = std::max(longest, WaitedForCoreNs(process.pid));
    }
    return longest;
  }

  // True if the supervisor may take longer, because its program or itself waited for a core.
  bool MayTakeLonger() {
    if (kill_asked) return false;
    const int64_t most_ms = kMostExcuses * limits.wall_ms;
    const int64_t waited_ms = (WaitedForCore() + WaitedForCoreNs(supervisor)) / 1'000'000;
    const std::chrono::milliseconds allowed(limits.wall_ms + std::min(waited_ms, most_ms));
    give_up_at = start + allowed + kSupervisorGrace;
    return Clock::now() < *give_up_at;
  }

  void AskToKill() {
    if (finished || kill_asked) return;
    kill_asked = true;
    const char byte = 'k';
    send(control.get(), &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    const Clock::time_point latest = Clock::now() + kSupervisorGrace;
    if (!give_up_at || latest < *give_up_at) give_up_at = latest;
  }

  // Reads up to a limit, so that a flood of output cannot keep us here.
  void CollectOutput() {
    char chunk[16384];
    for (int round = 0; round < 64 && output.get() >= 0; ++round) {
      const ssize_t n = read(output.get(), chunk, sizeof chunk);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n <= 0) return output.Close();
      const size_t room = static_cast<size_t>(limits.output_bytes) - result.output.size();
      result.output.append(chunk, std::min(room, static_cast<size_t>(n)));
      if (static_cast<size_t>(n) > room) {
        result.output_exceeded = true;
        AskToKill();
      }
    }
  }

  void Finish(const Report& report) {
    CollectOutput();
    output.Close();
    if (WIFEXITED(report.wait_status)) result.exit_code = WEXITSTATUS(report.wait_status);
    if (WIFSIGNALED(report.wait_status)) result.signal = WTERMSIG(report.wait_status);
    // This is how bubblewrap reports a signal.
    if (link && result.exit_code > kSignalled && result.exit_code < kSignalled + NSIG) {
      result.signal = result.exit_code - kSignalled;
      result.exit_code = -1;
    }
    result.wall_ms = report.wall_ms >= 0
                         ? report.wall_ms
                         : std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
    result.cpu_ms = report.cpu_ms;
    result.peak_memory = report.peak_memory;
    if (!result.output_exceeded) {
      result.timed_out = report.reason == KillReason::kWall;
      result.cpu_exceeded = report.reason == KillReason::kCpu || result.signal == SIGXCPU;
      result.memory_exceeded = report.reason == KillReason::kMemory;
      result.processes_exceeded = report.reason == KillReason::kProcesses;
      result.threads_exceeded = report.reason == KillReason::kThreads;
      result.files_exceeded = report.reason == KillReason::kFiles;
      result.file_exceeded = result.signal == SIGXFSZ;
      result.killed = report.reason == KillReason::kAsked && !result.file_exceeded && !result.cpu_exceeded;
    }
    result.sandbox_failed = link && !result.limit_exceeded() && !result.killed && !link->ProgramHasEnded();
    finished = true;
  }

  // Handles a supervisor that has reported, has ended without a report, or is late.
  void CheckControl() {
    Report report;
    const ssize_t n = recv(control.get(), &report, sizeof report, MSG_DONTWAIT);
    const bool late = give_up_at && Clock::now() >= *give_up_at && !MayTakeLonger();
    if (n < 0 && (errno == EAGAIN || errno == EINTR) && !late) return;
    const bool reported = n == static_cast<ssize_t>(sizeof report) && report.kind == Report::Kind::kEnded;
    if (reported) {
      AbandonSupervisorAfter(kSupervisorGrace);
    } else {
      kill(supervisor, SIGKILL);
      AbandonSupervisorAfter(std::chrono::milliseconds(0));
      report = Report();
      report.wait_status = SIGKILL;
      report.wall_ms = -1;
      report.reason = kill_asked ? KillReason::kAsked : late ? KillReason::kWall : KillReason::kNone;
    }
    Finish(report);
    control.Close();
  }
};

Process::Process(std::unique_ptr<State> state) : state_(std::move(state)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Result<Process> Process::Start(const ProcessOptions& options) {
  if (const auto mistake = MistakeIn(options)) return CannotStart(options, *mistake);
  if (!options.confinement) return StartAsGiven(options);
  if (const auto reason = WhyNoProgram(options)) return CannotStart(options, *reason);
  if (!options.confinement->namespaces) return StartAsOtherUser(options);
  std::optional<BubblewrapLink> link = BubblewrapLink::Open();
  if (!link) return CannotStart(options, "making pipes to its sandbox: " + SystemReason(errno));
  ProcessOptions confined = options;
  const BubblewrapFds fds = FreeFds(options);
  confined.argv = ConfinedCommand(*options.confinement, options.argv, options.working_directory, fds);
  confined.working_directory.clear();
  if (GivesUpRoot(*options.confinement)) confined.user_of_program = kUserOfPrograms;
  confined.inherited_fds.emplace_back(link->filter_fd(), fds.filter);
  confined.inherited_fds.emplace_back(link->status_fd(), fds.status);
  if (confined.limits.processes > 0) confined.limits.processes += ProcessesOf(*options.confinement);
  Result<Process> process = StartAsGiven(confined);
  if (!process) return process;
  process->state_->link = std::move(link);
  if (!process->state_->link->SendFilter(options.confinement->own_processes, kStartGrace)) {
    return CannotStart(options, "its sandbox was not set up in time");
  }
  return process;
}

Result<Process> Process::StartAsOtherUser(const ProcessOptions& options) {
  if (!GivesUpRoot(*options.confinement)) return CannotStart(options, "only root can run it as another user");
  ProcessOptions other = options;
  other.makes_files = !options.confinement->writable.empty();
  other.confinement.reset();
  other.user_of_program = kUserOfPrograms;
  other.becomes_user = true;
  return StartAsGiven(other);
}

Result<Process> Process::StartAsGiven(const ProcessOptions& options) {
  int sockets[2], pipes[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    return CannotStart(options, SystemReason(errno));
  auto state = std::make_unique<State>();
  state->limits = options.limits;
  state->control = Descriptor(sockets[0]);
  Descriptor supervisor_end(sockets[1]);
  if (pipe2(pipes, O_CLOEXEC) != 0) return CannotStart(options, SystemReason(errno));
  state->output = Descriptor(pipes[0]);
  Descriptor program_end(pipes[1]);
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  const std::optional<Descriptor> plan = WritePlanFile(options);
  if (!plan) return CannotStart(options, "writing the plan: " + SystemReason(errno));
  if (!SendPlan(state->control.get(), options)) return CannotStart(options, "sending the plan: " + SystemReason(errno));

  const std::vector<int> fds = SupervisorsFds(options, supervisor_end.get(), plan->get(), program_end.get());
  state->supervisor = SpawnNoted([&fds] { return SpawnSupervisor(fds); });
  if (state->supervisor < 0) return CannotStart(options, "starting the supervisor: " + SystemReason(errno));
  ProcessInfo info;
  if (ReadProcessInfo(state->supervisor, &info)) state->supervisor_start_ticks = info.start_ticks;
  supervisor_end.Close();
  program_end.Close();

  pollfd wait = {state->control.get(), POLLIN, 0};
  const Clock::time_point deadline = Clock::now() + kStartGrace;
  while (poll(&wait, 1, 1000) <= 0 && Clock::now() < deadline) {
  }
  Report report;
  if (recv(state->control.get(), &report, sizeof report, MSG_DONTWAIT) != static_cast<ssize_t>(sizeof report))
    return CannotStart(options, "its supervisor did not report");
  if (report.kind != Report::Kind::kStarted) return CannotStart(options, StartFailureText(options, report));
  state->pid = report.pid;
  state->start = Clock::now();
  if (options.limits.wall_ms > 0)
    state->give_up_at = state->start + std::chrono::milliseconds(options.limits.wall_ms) + kSupervisorGrace;
  return Process(std::move(state));
}

pid_t Process::pid() const { return state_->pid; }
int Process::exit_fd() const { return state_->control.get(); }
int Process::output_fd() const { return state_->output.get(); }
bool Process::finished() const { return state_->finished; }
const std::string& Process::output() const { return state_->result.output; }
void Process::Kill() { state_->AskToKill(); }

bool Process::Pause() {
  state_->paused.clear();
  if (finished()) return true;
  const Clock::time_point deadline = Clock::now() + kPausePatience;
  // A process that still ran when its children were listed may have created another one since. A stopped one has not.
  // So two rounds without a running process are needed.
  for (int quiet_rounds = 0; quiet_rounds < 2;) {
    bool quiet = true;
    state_->paused.clear();
    for (const ProcessInfo& process : DescendantsOf(state_->supervisor, kMostPaused)) {
      state_->paused.push_back(process.pid);
      if (IsStopped(process.pid)) continue;
      quiet = false;
      kill(process.pid, SIGSTOP);
    }
    quiet_rounds = quiet ? quiet_rounds + 1 : 0;
    if (quiet || Clock::now() < deadline) continue;
    Resume();
    return false;
  }
  return true;
}

void Process::Resume() {
  if (finished()) return;
  for (const pid_t pid : state_->paused) kill(pid, SIGCONT);
}

int64_t Process::WaitedForCore() const { return finished() ? 0 : state_->WaitedForCore(); }

void Process::RunOn(int core) {
  if (finished()) return;
  for (const ProcessInfo& process : DescendantsOf(state_->supervisor, kMostPaused)) MoveToCore(process.pid, core);
}

int Process::poll_timeout_ms() const {
  if (!state_->give_up_at || state_->finished) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*state_->give_up_at - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 3'600'000));
}

void Process::OnReadable() {
  if (state_->finished) return;
  state_->CollectOutput();
  state_->CheckControl();
}

const ProcessResult& Process::Wait(const std::atomic<bool>* cancel) {
  while (!finished()) {
    int timeout_ms = poll_timeout_ms();
    if (cancel != nullptr) {
      if (cancel->load()) Kill();
      const int often = static_cast<int>(kCancelPoll.count());
      timeout_ms = timeout_ms < 0 ? often : std::min(timeout_ms, often);
    }
    pollfd fds[] = {{exit_fd(), POLLIN, 0}, {output_fd(), POLLIN, 0}};
    poll(fds, 2, timeout_ms);
    OnReadable();
  }
  return result();
}

const ProcessResult& Process::result() const {
  WARPGRADE_CHECK(state_->finished);
  return state_->result;
}

namespace {

Result<ProcessResult> RunOnce(const ProcessOptions& options, const std::atomic<bool>* cancel) {
  Result<Process> process = Process::Start(options);
  if (!process) return process.error();
  const ProcessResult& result = process->Wait(cancel);
  if (result.sandbox_failed) return SandboxFailure(result);
  return result;
}

}  // namespace

Result<ProcessResult> RunProcess(const ProcessOptions& options, const std::atomic<bool>* cancel) {
  Result<ProcessResult> result = RunOnce(options, cancel);
  // If the machine is short of memory, the supervisor or bubblewrap may have been killed. Try once more.
  if (!result) result = RunOnce(options, cancel);
  return result;
}

Error SandboxFailure(const ProcessResult& result) {
  WARPGRADE_CHECK(result.sandbox_failed);
  // Only if bubblewrap ended by itself is the output certain to be its own.
  const bool speaks = result.signal == 0 && !result.output.empty();
  const std::string words = speaks ? result.output : "bwrap " + Describe(result, {});
  return {
      ErrorKind::kMachine,
      fmt::format("bubblewrap failed: {}. Grade again; if it fails again, see what `bwrap --unshare-all --ro-bind / "
                  "/ true` says, or do without with --sandbox none",
                  words.substr(0, words.find_last_not_of(" \n") + 1))};
}

std::string Describe(const ProcessResult& result, const ProcessLimits& limits) {
  const double seconds = static_cast<double>(result.wall_ms) / 1000;
  if (result.timed_out) return fmt::format("stopped after {:.1f} s: the time limit", seconds);
  if (result.cpu_exceeded) return fmt::format("stopped after {} s of processor time: the limit", limits.cpu_s);
  if (result.memory_exceeded) {
    return fmt::format("stopped: it used {} MB of memory, the limit is {} MB", result.peak_memory >> 20,
                       limits.memory_bytes >> 20);
  }
  if (result.processes_exceeded) return fmt::format("stopped: more than {} processes at once", limits.processes);
  if (result.threads_exceeded) return fmt::format("stopped: more than {} threads at once", ThreadsFor(limits));
  if (result.output_exceeded) return fmt::format("stopped: it printed more than {} bytes", limits.output_bytes);
  if (result.file_exceeded) return fmt::format("stopped: it wrote a file of more than {} bytes", limits.file_bytes);
  if (result.files_exceeded) return fmt::format("stopped: it made more than {} files", limits.files_in_memory);
  if (result.killed) return "stopped by the grader";
  if (result.signal != 0) {
    const char* name = strsignal(result.signal);
    std::string text = name == nullptr ? "unknown signal" : name;
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return fmt::format("crashed: {} (signal {})", text, result.signal);
  }
  return fmt::format("exited with code {}", result.exit_code);
}

}  // namespace warpgrade::sandbox
