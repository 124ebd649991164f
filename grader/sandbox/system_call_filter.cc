// There are two filters. A program with its own process numbers, which is every program but a worker on a GPU, gets an
// allow-list. A worker on a GPU gets a deny-list, because nobody outside of NVIDIA knows what the driver will call.
// Both begin with the same rules:
//
//   load architecture; another one: kill
//   for each rule on an argument:
//     load call number;  another call: next rule
//     load argument;     another value: next rule
//     allow, or EPERM
//
// and then decide by the call's number. For a number that no rule names, the kernel sees once that the verdict does not
// depend on the arguments, and then allows the call without running the filter, so the length of the list costs
// nothing.
//
// Tests: system_call_filter_test.cc, confinement_test.cc and shared_processes_test.cc.
#include "grader/sandbox/system_call_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cstdint>
#include <iterator>
#include <map>

namespace warpgrade::sandbox {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "give the architecture's AUDIT_ARCH_ number"
#endif

// Older headers do not define these.
constexpr int kMadvisePageOut = 21, kMadviseCollapse = 25;
constexpr int kPrSchedCore = 62;
constexpr uint32_t kMemfdSecret = 447;
// <linux/ioprio.h> has these, but that of Debian's linux-libc-dev 6.1.192 is no C++: a parameter is called `class`.
constexpr int kIoprioWhoPgrp = 2, kIoprioWhoUser = 3;

// Denied by both filters with EPERM.
constexpr uint32_t kDenied[] = {
    // other processes
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_fallocate,  // but for one mode: kRules
    // namespaces and mounts
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_fsopen,
    SYS_fsmount,
    SYS_fsconfig,
    SYS_fspick,
    SYS_move_mount,
    SYS_open_tree,
    SYS_mount_setattr,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    // the kernel's administration, and what widens its surface
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
    SYS_fanotify_init,
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

// Rules come before the list of denied calls. A rule says whether a call is allowed when one argument has a given
// value. The first rule that matches decides. The kernel reads all these arguments as 32 bits.
struct ArgumentRule {
  uint32_t call;
  int argument;
  int64_t value;
  bool allowed;
};
constexpr int64_t kItself = -1;  // stands for the program's own number

// Memory that is shared with other workers: taking its pages away, or moving them, slows these workers down at their
// next access, and nobody would notice.
constexpr ArgumentRule kRules[] = {
    {SYS_madvise, 2, MADV_REMOVE, false},
    {SYS_madvise, 2, kMadvisePageOut, false},
    {SYS_madvise, 2, kMadviseCollapse, false},
    {SYS_fallocate, 1, 0, true},  // makes room; other modes punch holes, and are denied
    // Nobody else may run on the other hardware thread of a core while such a program runs.
    {SYS_prctl, 0, kPrSchedCore, false},
    // Locks of bytes in files use 192 bytes of the kernel's memory each, which no limit counts.
    {SYS_fcntl, 1, F_SETLK, false},
    {SYS_fcntl, 1, F_SETLKW, false},
    {SYS_fcntl, 1, F_OFD_SETLK, false},
    {SYS_fcntl, 1, F_OFD_SETLKW, false},
};

// These are denied in addition if process numbers are shared. Calls that the kernel itself refuses across user
// namespaces are left to it: migrate_pages, move_pages, get_robust_list, most of /proc. So are calls that never reach
// beyond the caller's own process: timer_create (its SIGEV_THREAD_ID must be one's own thread), mq_notify, prctl
// (PR_SET_PDEATHSIG is a signal to oneself), clone (its exit signal goes to the caller), setpgid, a terminal's signals
// (to its session).
constexpr uint32_t kDeniedWhereShared[] = {
    // signals
    SYS_kill,
    SYS_tkill,
    SYS_tgkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_send_signal,
    // limits, and time on the processors and disks
    SYS_prlimit64,
    SYS_setpriority,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_sched_setaffinity,
    SYS_ioprio_set,
};

constexpr ArgumentRule kRulesWhereShared[] = {
    {SYS_kill, 0, kItself, true},
    {SYS_kill, 1, 0, true},  // only asks whether such a process exists
    {SYS_tkill, 0, kItself, true},
    // The first argument is the process: this is how abort, raise, pthread_kill and pthread_cancel work.
    {SYS_tgkill, 0, kItself, true},
    {SYS_rt_sigqueueinfo, 0, kItself, true},
    {SYS_rt_tgsigqueueinfo, 0, kItself, true},
    // Signals go to a descriptor's owner, and F_SETSIG chooses which signal.
    {SYS_fcntl, 1, F_SETOWN, false},
    {SYS_fcntl, 1, F_SETOWN_EX, false},
    {SYS_ioctl, 1, FIOSETOWN, false},
    {SYS_ioctl, 1, SIOCSPGRP, false},
    {SYS_prlimit64, 0, 0, true},
    {SYS_prlimit64, 0, kItself, true},
    {SYS_setpriority, 0, PRIO_PGRP, false},
    {SYS_setpriority, 0, PRIO_USER, false},
    {SYS_setpriority, 1, 0, true},
    {SYS_setpriority, 1, kItself, true},
    {SYS_sched_setscheduler, 0, 0, true},
    {SYS_sched_setscheduler, 0, kItself, true},
    {SYS_sched_setparam, 0, 0, true},
    {SYS_sched_setparam, 0, kItself, true},
    {SYS_sched_setattr, 0, 0, true},
    {SYS_sched_setattr, 0, kItself, true},
    {SYS_sched_setaffinity, 0, 0, true},
    {SYS_sched_setaffinity, 0, kItself, true},
    {SYS_ioprio_set, 0, kIoprioWhoPgrp, false},
    {SYS_ioprio_set, 0, kIoprioWhoUser, false},
    {SYS_ioprio_set, 1, 0, true},
    {SYS_ioprio_set, 1, kItself, true},
};

// What a program may call if it has its own process numbers, so that no driver of a GPU runs in it: what a C++ program,
// our CUDA runtime, a shell and the compilers need. Everything that is in neither list does not exist for it (ENOSYS),
// and the C library then does without: it asks for clone instead of clone3, for example, whose flags we can see.
//
// Not among them: new sockets and messages that carry descriptors (those on their way count for the user, so one
// program could use up the number of all), and memory that no limit counts, which is memory files, System V segments
// and message queues.
constexpr uint32_t kAllowedWhereOwn[] = {
    // files and folders
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_preadv,
    SYS_pwritev,
    SYS_preadv2,
    SYS_pwritev2,
    SYS_openat,
    SYS_close,
    SYS_close_range,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_chdir,
    SYS_fchdir,
    SYS_renameat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_unlinkat,
    SYS_mkdirat,
    SYS_truncate,
    SYS_ftruncate,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_umask,
    SYS_dup,
    SYS_dup3,
    SYS_fcntl,
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ioctl,
    SYS_pipe2,
    SYS_statfs,
    SYS_fstatfs,
    SYS_fadvise64,
    SYS_readahead,
    SYS_sendfile,
    SYS_splice,
    SYS_tee,
    SYS_copy_file_range,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_fgetxattr,
    // waiting
    SYS_ppoll,
    SYS_pselect6,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_eventfd2,
    SYS_signalfd4,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_times,
    SYS_getitimer,
    SYS_setitimer,
    SYS_timer_create,
    SYS_timer_settime,
    SYS_timer_gettime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    // memory
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_mincore,
    SYS_msync,
    SYS_membarrier,
    // threads and processes; the limits count them
    SYS_clone,
    SYS_execve,
    SYS_execveat,
    SYS_wait4,
    SYS_waitid,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_set_tid_address,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_sched_getparam,
    SYS_sched_setparam,
    SYS_sched_getscheduler,
    SYS_sched_setscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_rr_get_interval,
    SYS_getpriority,
    SYS_ioprio_get,
    SYS_ioprio_set,
    SYS_setpriority,
    SYS_getcpu,
    SYS_prctl,
    SYS_getrlimit,
    SYS_setrlimit,
    SYS_prlimit64,
    SYS_getrusage,
    // signals; a namespace hides other processes
    SYS_kill,
    SYS_tkill,
    SYS_tgkill,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_sigaltstack,
    SYS_restart_syscall,
    // who it is; without capabilities it cannot become anybody else
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_getpgid,
    SYS_setpgid,
    SYS_getsid,
    SYS_setsid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_setuid,
    SYS_setgid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setgroups,
    SYS_capget,
    SYS_capset,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrandom,
    // the sockets that it inherits; sendmsg and sendmmsg could pass descriptors on
    SYS_sendto,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_getsockname,
    SYS_getpeername,
#if defined(__x86_64__)
    // older forms of the above
    SYS_open,
    SYS_creat,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_getdents,
    SYS_rename,
    SYS_link,
    SYS_symlink,
    SYS_unlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_dup2,
    SYS_pipe,
    SYS_poll,
    SYS_select,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_eventfd,
    SYS_signalfd,
    SYS_alarm,
    SYS_pause,
    SYS_time,
    SYS_fork,
    SYS_vfork,
    SYS_getpgrp,
    SYS_arch_prctl,
#endif
};

// These fail with EPERM where the allow-list is in force, because programs expect that they exist.
constexpr uint32_t kDeniedWhereOwn[] = {
    SYS_memfd_create, kMemfdSecret, SYS_shmget,     SYS_shmat,   SYS_semget,   SYS_msgget,
    SYS_mq_open,      SYS_socket,   SYS_socketpair, SYS_sendmsg, SYS_sendmmsg,
};

// Denied to a program that has no namespaces and no folder to write to: it would use the machine's own /tmp and the
// like, where later programs find what it leaves.
constexpr uint32_t kMakesFiles[] = {
    SYS_mkdirat, SYS_linkat, SYS_symlinkat, SYS_renameat, SYS_renameat2,
#if defined(__x86_64__)
    SYS_creat,   SYS_mkdir,  SYS_link,      SYS_symlink,  SYS_rename,
#endif
};
constexpr uint32_t kMakeFile = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);  // flags of open

// A clone with one of these makes a namespace. CLONE_NEWTIME is not for clone, where its bit is part of a signal.
constexpr uint32_t kNewNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

sock_filter Load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
sock_filter Return(uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }
// Skips `if_true` or `if_false` instructions.
sock_filter Jump(uint16_t comparison, uint32_t value, size_t if_true, size_t if_false) {
  return BPF_JUMP(static_cast<uint16_t>(BPF_JMP | comparison | BPF_K), value, static_cast<uint8_t>(if_true),
                  static_cast<uint8_t>(if_false));
}

constexpr uint32_t kDenial = SECCOMP_RET_ERRNO | EPERM;
constexpr uint32_t kUnknown = SECCOMP_RET_ERRNO | ENOSYS;

void AddRule(const ArgumentRule& rule, pid_t number, std::vector<sock_filter>* filter) {
  const auto value = static_cast<uint32_t>(rule.value == kItself ? number : rule.value);
  // Both architectures are little-endian, so the low half comes first.
  const auto argument = static_cast<uint32_t>(offsetof(seccomp_data, args) + sizeof(uint64_t) * rule.argument);
  filter->insert(filter->end(), {Load(offsetof(seccomp_data, nr)), Jump(BPF_JEQ, rule.call, 0, 3), Load(argument),
                                 Jump(BPF_JEQ, value, 0, 1), Return(rule.allowed ? SECCOMP_RET_ALLOW : kDenial)});
}

// Denies the call if one of these bits is set in the argument.
void AddFlagsRule(uint32_t call, size_t argument, uint32_t flags, std::vector<sock_filter>* filter) {
  const auto at = static_cast<uint32_t>(offsetof(seccomp_data, args) + sizeof(uint64_t) * argument);
  filter->insert(filter->end(), {Load(offsetof(seccomp_data, nr)), Jump(BPF_JEQ, call, 0, 3), Load(at),
                                 Jump(BPF_JSET, flags, 0, 1), Return(kDenial)});
}

// Decides by the number alone, which is loaded. Neighbours with the same verdict are one range:
//
//   number > last: next range;  number < first: ENOSYS;  verdict
void AddRanges(const std::map<uint32_t, uint32_t>& verdicts, std::vector<sock_filter>* filter) {
  for (auto at = verdicts.begin(); at != verdicts.end();) {
    const auto [first, verdict] = *at;
    uint32_t last = first;
    for (++at; at != verdicts.end() && at->first == last + 1 && at->second == verdict; ++at) ++last;
    filter->insert(filter->end(),
                   {Jump(BPF_JGT, last, 3, 0), Jump(BPF_JGE, first, 1, 0), Return(kUnknown), Return(verdict)});
  }
}

std::vector<sock_filter> Beginning() {
  return {Load(offsetof(seccomp_data, arch)), Jump(BPF_JEQ, kArchitecture, 1, 0), Return(SECCOMP_RET_KILL_PROCESS)};
}

// `number`: of the program, if it sees other processes.
std::vector<sock_filter> AllowList(std::optional<pid_t> number, bool makes_files) {
  std::vector<sock_filter> filter = Beginning();
  for (const ArgumentRule& rule : kRules) AddRule(rule, 0, &filter);
  AddFlagsRule(SYS_clone, 0, kNewNamespaces, &filter);
  std::map<uint32_t, uint32_t> verdicts;
  for (const uint32_t call : kAllowedWhereOwn) verdicts[call] = SECCOMP_RET_ALLOW;
  if (number) {
    for (const ArgumentRule& rule : kRulesWhereShared) AddRule(rule, *number, &filter);
    for (const uint32_t call : kDeniedWhereShared) verdicts[call] = kDenial;
  }
  if (!makes_files) {
    AddFlagsRule(SYS_openat, 2, kMakeFile, &filter);
#if defined(__x86_64__)
    AddFlagsRule(SYS_open, 1, kMakeFile, &filter);
#endif
    for (const uint32_t call : kMakesFiles) verdicts[call] = kDenial;
  }
  for (const uint32_t call : kDenied) verdicts[call] = kDenial;
  for (const uint32_t call : kDeniedWhereOwn) verdicts[call] = kDenial;
  filter.push_back(Load(offsetof(seccomp_data, nr)));
  AddRanges(verdicts, &filter);
  filter.push_back(Return(kUnknown));
  return filter;
}

std::vector<sock_filter> DenyList(pid_t number) {
  std::vector<sock_filter> filter = Beginning();
  for (const ArgumentRule& rule : kRules) AddRule(rule, 0, &filter);
  for (const ArgumentRule& rule : kRulesWhereShared) AddRule(rule, number, &filter);
  std::vector<uint32_t> denied(std::begin(kDenied), std::end(kDenied));
  denied.insert(denied.end(), std::begin(kDeniedWhereShared), std::end(kDeniedWhereShared));
  static_assert(std::size(kDenied) + std::size(kDeniedWhereShared) < 200, "jumps reach 255 instructions");
  filter.push_back(Load(offsetof(seccomp_data, nr)));
#if defined(__x86_64__)
  constexpr uint32_t kX32 = 0x40000000;  // the bit that marks x32 calls
  filter.push_back(Jump(BPF_JGE, kX32, denied.size() + 1, 0));
#endif
  for (size_t i = 0; i < denied.size(); ++i) filter.push_back(Jump(BPF_JEQ, denied[i], denied.size() - i, 0));
  filter.push_back(Return(SECCOMP_RET_ALLOW));
  filter.push_back(Return(kDenial));
  return filter;
}

}  // namespace

std::vector<sock_filter> SystemCallFilter(std::optional<pid_t> number) {
  return number ? DenyList(*number) : AllowList(std::nullopt, /*makes_files=*/true);
}

std::vector<sock_filter> SharedAllowList(pid_t number, bool makes_files) { return AllowList(number, makes_files); }

}  // namespace warpgrade::sandbox
