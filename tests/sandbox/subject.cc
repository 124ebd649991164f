// What the sandbox's tests run: one behaviour per name, given as the first argument.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

extern char** environ;

namespace {

// Prints the number of a process that stays, and stays.
[[noreturn]] void SayAndStay() {
  std::printf("%d\n", getpid());
  std::fflush(stdout);
  while (true) pause();
}

int PrintEnvironment(const std::string&) {
  for (char** e = environ; *e != nullptr; ++e) std::printf("%s\n", *e);
  return 0;
}

int PrintDescriptors(const std::string&) {
  DIR* directory = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] == '.' || std::atoi(entry->d_name) == dirfd(directory)) continue;
    char target[256] = {};
    if (readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1) < 0) return 1;
    std::printf("%s %.4s\n", entry->d_name, target);
  }
  closedir(directory);
  return 0;
}

int Echo(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fprintf(stderr, "to stderr\n");
  return 3;
}

int ReadStdin(const std::string&) { return std::getchar() == EOF ? 0 : 1; }

int PrintDirectory(const std::string&) {
  char path[4096];
  return getcwd(path, sizeof path) != nullptr && std::puts(path) >= 0 ? 0 : 1;
}

int WriteTo(const std::string& descriptor) { return write(std::atoi(descriptor.c_str()), "hello", 5) == 5 ? 0 : 1; }

// Tries what only an administrator or an attacker wants, and prints each call's errno.
int TryToReachOut(const std::string&) {
  const auto tell = [](const char* name, long result) { std::printf("%s %d\n", name, result < 0 ? errno : 0); };
  tell("ptrace", syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, getppid(), 0, 0));
  char byte;
  iovec own = {&byte, 1}, other = {&byte, 1};
  tell("process_vm_readv", syscall(SYS_process_vm_readv, getppid(), &own, 1, &other, 1, 0));
  tell("unshare", syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */));
  tell("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, nullptr));
  tell("bpf", syscall(SYS_bpf, 0, nullptr, 0));
  tell("perf_event_open", syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0));
  return 0;
}

int Segfault(const std::string&) {
  raise(SIGSEGV);
  return 0;
}

int Flood(const std::string&) {
  const std::string line(4096, 'x');
  while (write(1, line.data(), line.size()) > 0) {
  }
  return 0;
}

int EatMemory(const std::string&) {
  while (true) {
    void* p = std::malloc(1 << 20);
    if (p == nullptr) std::abort();
    std::memset(p, 1, 1 << 20);
  }
}

int AskForALot(const std::string& megabytes) {
  return std::malloc(std::strtoull(megabytes.c_str(), nullptr, 10) << 20) == nullptr ? 7 : 0;
}

int Spin(const std::string&) {
  while (true) asm volatile("");
}

// Its time is spent by children that are themselves short-lived.
int SpinInChildren(const std::string&) {
  while (true) {
    if (fork() == 0) {
      rusage usage;
      do {
        getrusage(RUSAGE_SELF, &usage);
      } while (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec < 100000);
      _exit(0);
    }
    wait(nullptr);
  }
}

int WriteBigFile(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const std::string block(65536, 'x');
  while (write(fd, block.data(), block.size()) > 0) {
  }
  return 0;
}

int ForkBomb(const std::string&) {
  while (true) fork();
}

// Each generation leaves its session, so that no group holds them all.
int SessionForkBomb(const std::string&) {
  while (true) {
    if (fork() == 0) setsid();
  }
}

// A daemon in the classic manner: forked twice, its own session, no terminal. The main process does as told.
void LeaveDaemon() {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
      SayAndStay();
    }
    _exit(0);
  }
  wait(nullptr);
}

int LeaveDaemonAndStay(const std::string&) {
  LeaveDaemon();
  SayAndStay();
}

int LeaveDaemonAndExit(const std::string&) {
  LeaveDaemon();
  usleep(50000);
  return 0;
}

int LeaveDaemonAndKillParent(const std::string& signal_number) {
  LeaveDaemon();
  usleep(50000);
  kill(getppid(), std::atoi(signal_number.c_str()));
  SayAndStay();
}

int SignalParent(const std::string&) {
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1, SIGPIPE}) kill(getppid(), number);
  return 0;
}

int Stay(const std::string&) { SayAndStay(); }

int ShowSignals(const std::string&) {
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  struct sigaction pipe_action;
  sigaction(SIGPIPE, nullptr, &pipe_action);
  return sigismember(&blocked, SIGTERM) || pipe_action.sa_handler != SIG_DFL;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, int (*)(const std::string&)> behaviours = {
      {"environment", PrintEnvironment},
      {"descriptors", PrintDescriptors},
      {"echo", Echo},
      {"read_stdin", ReadStdin},
      {"directory", PrintDirectory},
      {"write_to", WriteTo},
      {"segfault", Segfault},
      {"flood", Flood},
      {"eat_memory", EatMemory},
      {"ask_for_a_lot", AskForALot},
      {"spin", Spin},
      {"spin_in_children", SpinInChildren},
      {"write_big_file", WriteBigFile},
      {"fork_bomb", ForkBomb},
      {"session_fork_bomb", SessionForkBomb},
      {"leave_daemon_and_stay", LeaveDaemonAndStay},
      {"leave_daemon_and_exit", LeaveDaemonAndExit},
      {"leave_daemon_and_kill_parent", LeaveDaemonAndKillParent},
      {"signal_parent", SignalParent},
      {"stay", Stay},
      {"show_signals", ShowSignals},
      {"try_to_reach_out", TryToReachOut},
  };
  const auto found = argc > 1 ? behaviours.find(argv[1]) : behaviours.end();
  if (found == behaviours.end()) return 99;
  return found->second(argc > 2 ? argv[2] : "");
}
