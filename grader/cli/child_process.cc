// Starts a program with posix_spawn and waits for it. Signals that ask this process to stop are passed on to the
// program meanwhile, unless the terminal has sent them to both. Tests: tests/cli/run_command_test.cc.
#include "grader/cli/child_process.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace warpgrade::cli {
namespace {

constexpr std::array kAskedToStop = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::atomic<pid_t> child{0};
static_assert(std::atomic<pid_t>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

// The terminal sends a signal to the whole foreground group, so the program has it already. A signal from a process
// reaches only this process, so it is passed on.
void PassOn(int number, siginfo_t* info, void*) {
  const pid_t pid = child;
  if (pid > 0 && info->si_code <= 0) kill(pid, number);
}

// Blocks the four signals until the program has started. From then on it passes them on instead of ending this process.
class PassingOn {
 public:
  PassingOn() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : kAskedToStop) sigaddset(&signals, number);
    sigprocmask(SIG_BLOCK, &signals, &mask_);
    struct sigaction action {};
    action.sa_sigaction = PassOn;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t i = 0; i < kAskedToStop.size(); ++i) {
      sigaction(kAskedToStop[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN) continue;  // nohup
      sigaction(kAskedToStop[i], &action, nullptr);
    }
  }
  ~PassingOn() {
    child = 0;
    for (size_t i = 0; i < kAskedToStop.size(); ++i) sigaction(kAskedToStop[i], &before_[i], nullptr);
  }
  PassingOn(const PassingOn&) = delete;
  PassingOn& operator=(const PassingOn&) = delete;

  const sigset_t& mask_before() const { return mask_; }
  void Start(pid_t pid) {
    child = pid;
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  sigset_t mask_{};
  std::array<struct sigaction, kAskedToStop.size()> before_{};
};

}  // namespace

Result<ProgramEnd> RunInForeground(const std::vector<std::string>& program) {
  std::vector<char*> argv;
  argv.reserve(program.size() + 1);
  for (const std::string& argument : program) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  PassingOn passing_on;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &passing_on.mask_before());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  passing_on.Start(error == 0 ? pid : 0);
  if (error != 0) {
    return Error{ErrorKind::kUsage, fmt::format("{}: cannot be run: {}", program[0], std::strerror(error))};
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) WARPGRADE_CHECK(errno == EINTR);
  if (WIFSIGNALED(status)) return ProgramEnd{0, WTERMSIG(status)};
  return ProgramEnd{WEXITSTATUS(status), 0};
}

}  // namespace warpgrade::cli
