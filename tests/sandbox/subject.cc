// What the sandbox's tests run: one behaviour per name, given as the first argument.
#undef NDEBUG  // one of them is an assert that fails
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

extern char** environ;

namespace {

// Of ioprio_set(2): what the number after it means, and a class with a level in it.
constexpr int kIoprioWhoProcess = 1, kIoprioWhoPgrp = 2, kIoprioWhoUser = 3;
constexpr int kIoprioBestEffort = 2 << 13, kIoprioIdle = 3 << 13;

// Prints the number of this process.
void Say() {
  std::printf("%d\n", getpid());
  std::fflush(stdout);
}

[[noreturn]] void SayAndStay() {
  Say();
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

// Prints a call's errno, 0 when it worked.
void Tell(const char* name, long result) { std::printf("%s %d\n", name, result < 0 ? errno : 0); }

// Tries what only an administrator or an attacker wants.
int TryToReachOut(const std::string& shared_memory) {
  Tell("ptrace", syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, getppid(), 0, 0));
  char byte;
  iovec own = {&byte, 1}, other = {&byte, 1};
  Tell("process_vm_readv", syscall(SYS_process_vm_readv, getppid(), &own, 1, &other, 1, 0));
  Tell("unshare", syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */));
  Tell("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, nullptr));
  Tell("bpf", syscall(SYS_bpf, 0, nullptr, 0));
  Tell("perf_event_open", syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0));
  // Takes pages away from all that share a memory, or moves them.
  const int file = std::atoi(shared_memory.c_str());
  Tell("fallocate", syscall(SYS_fallocate, file, 0, 0L, 8192L));
  Tell("punch hole", syscall(SYS_fallocate, file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0L, 4096L));
  void* const shared = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  Tell("MADV_REMOVE", madvise(shared, 8192, MADV_REMOVE));
  Tell("MADV_PAGEOUT", madvise(shared, 8192, 21));
  Tell("MADV_COLLAPSE", madvise(shared, 8192, 25));
  Tell("MADV_DONTNEED", madvise(shared, 8192, MADV_DONTNEED));
  return 0;
}

// Asks for memory that no limit counts, and for sockets. A descriptor that is sent through one counts for the user.
int AskForWhatIsNotCounted(const std::string&) {
  Tell("memfd_create", syscall(SYS_memfd_create, "mine", 0));
  Tell("memfd_secret", syscall(447, 0));
  Tell("shmget", syscall(SYS_shmget, 0, 1 << 20, 0600 | 01000 /* IPC_CREAT */));
  Tell("msgget", syscall(SYS_msgget, 0, 0600 | 01000));
  Tell("semget", syscall(SYS_semget, 0, 1, 0600 | 01000));
  Tell("mq_open", syscall(SYS_mq_open, "mine", O_CREAT | O_RDWR, 0600, nullptr));
  Tell("socket", syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
  int ends[2];
  Tell("socketpair", syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends));
  msghdr nothing = {};
  Tell("sendmsg", syscall(SYS_sendmsg, 1, &nothing, 0));
  Tell("sendmmsg", syscall(SYS_sendmmsg, 1, nullptr, 0, 0));
  return 0;
}

// Starts threads that wait until no more can be started, then waits as well.
int StartThreads(const std::string& most) {
  const int wanted = std::atoi(most.c_str());
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 32768);
  for (int i = 0; i < wanted; ++i) {
    pthread_t thread;
    const auto wait = [](void*) -> void* {
      while (true) pause();
    };
    if (pthread_create(&thread, &small, wait, nullptr) != 0) {
      std::printf("refused\n");
      return 0;
    }
  }
  usleep(20'000'000);
  return 0;
}

// Sends signals to another process, in every way that there is.
int SignalProcess(const std::string& number) {
  const pid_t other = std::atoi(number.c_str());
  siginfo_t info = {};
  info.si_code = SI_QUEUE;
  Tell("kill", kill(other, SIGKILL));
  Tell("kill own group", kill(0, SIGURG));
  Tell("kill its group", kill(-getpgid(other), SIGKILL));
  Tell("kill all", kill(-1, SIGURG));
  Tell("tkill", syscall(SYS_tkill, other, SIGKILL));
  Tell("tgkill", syscall(SYS_tgkill, other, other, SIGABRT));
  Tell("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, other, SIGKILL, &info));
  Tell("rt_tgsigqueueinfo", syscall(SYS_rt_tgsigqueueinfo, other, other, SIGKILL, &info));
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, other, 0));
  Tell("pidfd_send_signal", syscall(SYS_pidfd_send_signal, handle, SIGKILL, nullptr, 0));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  const f_owner_ex owner = {F_OWNER_PID, other};
  Tell("F_SETOWN", fcntl(ends[0], F_SETOWN, other));
  Tell("F_SETOWN_EX", fcntl(ends[0], F_SETOWN_EX, &owner));
  Tell("FIOSETOWN", ioctl(ends[0], FIOSETOWN, &other));
  Tell("SIOCSPGRP", ioctl(ends[0], SIOCSPGRP, &other));
  return 0;
}

// Makes another process slower, or takes its limits away.
int SlowProcess(const std::string& number) {
  const pid_t other = std::atoi(number.c_str());
  const rlimit nothing = {0, 0};
  const sched_param ordinary = {};
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } idle = {sizeof idle, SCHED_IDLE, 0, 0, 0, 0, 0, 0};
  const int no_hurry = kIoprioIdle, usual = kIoprioBestEffort + 4;
  Tell("prlimit", prlimit(other, RLIMIT_CPU, &nothing, nullptr));
  Tell("setpriority", setpriority(PRIO_PROCESS, static_cast<id_t>(other), 19));
  Tell("setpriority of a group", setpriority(PRIO_PGRP, static_cast<id_t>(getpgid(other)), 19));
  Tell("setpriority of a user", setpriority(PRIO_USER, 0, getpriority(PRIO_PROCESS, 0)));
  Tell("sched_setscheduler", sched_setscheduler(other, SCHED_IDLE, &ordinary));
  Tell("sched_setparam", sched_setparam(other, &ordinary));
  Tell("sched_setattr", syscall(SYS_sched_setattr, other, &idle, 0));
  Tell("sched_setaffinity", sched_setaffinity(other, sizeof one, &one));
  Tell("ioprio_set", syscall(SYS_ioprio_set, kIoprioWhoProcess, other, no_hurry));
  Tell("ioprio_set of a group", syscall(SYS_ioprio_set, kIoprioWhoPgrp, getpgid(other), no_hurry));
  Tell("ioprio_set of a user", syscall(SYS_ioprio_set, kIoprioWhoUser, getuid(), usual));
  return 0;
}

// Asks of itself what the two above ask of others.
int TouchItself(const std::string&) {
  const pid_t own = getpid();
  const auto thread = static_cast<pid_t>(gettid());
  const rlimit no_core = {0, 0};
  const sched_param ordinary = {};
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  signal(SIGUSR1, SIG_IGN);
  Tell("kill", kill(own, SIGUSR1));
  Tell("raise", raise(SIGUSR1));
  Tell("pthread_kill", pthread_kill(pthread_self(), SIGUSR1) == 0 ? 0 : -1);
  Tell("sigqueue", sigqueue(own, SIGUSR1, {}));
  Tell("is its parent there", kill(getppid(), 0));
  Tell("prlimit", prlimit(0, RLIMIT_CORE, &no_core, nullptr));
  Tell("prlimit by number", prlimit(own, RLIMIT_CORE, &no_core, nullptr));
  Tell("setpriority", setpriority(PRIO_PROCESS, 0, 19));  // always allowed: the tests may run under `nice`
  Tell("sched_setscheduler", sched_setscheduler(0, SCHED_OTHER, &ordinary));
  Tell("sched_setaffinity", sched_setaffinity(thread, sizeof all, &all));
  Tell("ioprio_set", syscall(SYS_ioprio_set, kIoprioWhoProcess, 0, kIoprioBestEffort + 4));
  Tell("F_SETFL", fcntl(0, F_SETFL, O_NONBLOCK));
  std::thread waiting([] { pause(); });
  Tell("pthread_cancel", pthread_cancel(waiting.native_handle()) == 0 ? 0 : -1);
  waiting.join();
  return 0;
}

// The ways in which an honest program crashes.
int Crash(const std::string& way) {
  if (way == "abort") std::abort();
  if (way == "assert") assert(way.empty());
  if (way == "exception") throw std::runtime_error("nobody catches this");
  if (way == "raise") raise(SIGSEGV);
  if (way == "thread") std::thread([] { std::abort(); }).join();
  volatile int zero = 0;
  if (way == "division") return 7 / zero;
  if (way == "null") return *reinterpret_cast<volatile int*>(zero);
  if (way == "trap") __builtin_trap();
  return 99;
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

int SpinForMs(const std::string& processor_ms) {
  const clock_t enough = std::stol(processor_ms) * (CLOCKS_PER_SEC / 1000);
  while (clock() < enough) {
  }
  return 0;
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

// 200 files of 1 MB, or as many as fit, below `folder`.
int WriteManyFiles(const std::string& folder) {
  const std::string megabyte(1 << 20, 'x');
  int written = 0;
  for (int i = 0; i < 200; ++i) {
    const int fd = open((folder + "/" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, megabyte.data(), megabyte.size()) != static_cast<ssize_t>(megabyte.size())) break;
    close(fd);
    ++written;
  }
  std::printf("wrote %d\n", written);
  std::fflush(stdout);
  return 0;
}

int WriteManyFilesAndStay(const std::string& folder) {
  WriteManyFiles(folder);
  while (true) pause();  // until somebody has looked
}

// "/tmp 500": makes 500 empty files there.
int MakeEmptyFiles(const std::string& argument) {
  const size_t blank = argument.find(' ');
  const std::string folder = argument.substr(0, blank);
  const int count = std::atoi(argument.substr(blank).c_str());
  int made = 0;
  for (; made < count; ++made) {
    const int fd = open((folder + "/" + std::to_string(made)).c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0) break;
    close(fd);
  }
  std::printf("made %d\n", made);
  return 0;
}

int MakeEmptyFilesAndStay(const std::string& argument) {
  MakeEmptyFiles(argument);
  while (true) pause();  // until somebody has looked
}

int WriteBigFile(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const std::string block(65536, 'x');
  while (write(fd, block.data(), block.size()) > 0) {
  }
  return 0;
}

// Opens as many pipes as it may, also by raising its limit, and fills them.
int FillPipes(const std::string&) {
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  int pipes = 0;
  const std::string page(4096, 'x');
  for (int ends[2]; pipes < 2000 && pipe2(ends, O_NONBLOCK) == 0; ++pipes) {
    while (write(ends[1], page.data(), page.size()) > 0) {
    }
  }
  std::printf("%d\n", pipes);
  return 0;
}

// Reads a byte in every second megabyte of so many gigabytes. The pages are all the same page of zeros, and each has a
// table of its own.
int ReadFarApart(const std::string& gigabytes) {
  constexpr size_t kGigabyte = size_t{1} << 30, kTable = size_t{2} << 20;
  for (int i = 0; i < std::atoi(gigabytes.c_str()); ++i) {
    void* const memory = mmap(nullptr, kGigabyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return 7;
    madvise(memory, kGigabyte, MADV_NOHUGEPAGE);
    const auto* const bytes = static_cast<const volatile char*>(memory);
    for (size_t at = 0; at < kGigabyte; at += kTable) static_cast<void>(bytes[at]);
  }
  while (true) pause();  // until somebody has looked
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

// A daemon in the classic manner: forked twice, its own session, no terminal. Returns when it has said its number. The
// main process does as told.
void LeaveDaemon() {
  int ready[2];
  if (pipe(ready) != 0) _exit(1);
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
      Say();
      close(ready[0]);
      close(ready[1]);
      while (true) pause();
    }
    _exit(0);
  }
  close(ready[1]);
  char byte;
  while (read(ready[0], &byte, 1) < 0) {
  }
  close(ready[0]);
  wait(nullptr);
}

int LeaveDaemonAndStay(const std::string&) {
  LeaveDaemon();
  SayAndStay();
}

int LeaveDaemonAndExit(const std::string&) {
  LeaveDaemon();
  return 0;
}

int LeaveDaemonAndKillParent(const std::string& signal_number) {
  LeaveDaemon();
  kill(getppid(), std::atoi(signal_number.c_str()));
  SayAndStay();
}

int SignalParent(const std::string&) {
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1, SIGPIPE}) kill(getppid(), number);
  return 0;
}

int Stay(const std::string&) { SayAndStay(); }

// Counts without end in three processes: its own two threads, a child, and a daemon that ignores signals; each in its
// own of four 64-bit numbers in memory behind the descriptor.
int Count(const std::string& descriptor) {
  void* const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(descriptor.c_str()), 0);
  if (shared == MAP_FAILED) return 1;
  auto* const numbers = static_cast<std::atomic<uint64_t>*>(shared);
  const auto count = [numbers](int i) {
    while (true) ++numbers[i];
  };
  if (fork() == 0) count(2);
  if (fork() == 0) {
    setsid();
    for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
    if (fork() == 0) count(3);
    _exit(0);
  }
  std::thread(count, 1).detach();
  count(0);
  return 0;
}

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
      {"spin_for_ms", SpinForMs},
      {"spin_in_children", SpinInChildren},
      {"write_many_files", WriteManyFiles},
      {"write_many_files_and_stay", WriteManyFilesAndStay},
      {"make_empty_files", MakeEmptyFiles},
      {"make_empty_files_and_stay", MakeEmptyFilesAndStay},
      {"write_big_file", WriteBigFile},
      {"fill_pipes", FillPipes},
      {"read_far_apart", ReadFarApart},
      {"fork_bomb", ForkBomb},
      {"session_fork_bomb", SessionForkBomb},
      {"leave_daemon_and_stay", LeaveDaemonAndStay},
      {"leave_daemon_and_exit", LeaveDaemonAndExit},
      {"leave_daemon_and_kill_parent", LeaveDaemonAndKillParent},
      {"signal_parent", SignalParent},
      {"stay", Stay},
      {"count", Count},
      {"show_signals", ShowSignals},
      {"try_to_reach_out", TryToReachOut},
      {"ask_for_what_is_not_counted", AskForWhatIsNotCounted},
      {"start_threads", StartThreads},
      {"signal_process", SignalProcess},
      {"slow_process", SlowProcess},
      {"touch_itself", TouchItself},
      {"crash", Crash},
  };
  const auto found = argc > 1 ? behaviours.find(argv[1]) : behaviours.end();
  if (found == behaviours.end()) return 99;
  return found->second(argc > 2 ? argv[2] : "");
}
