// For n denied calls:
//
//   load architecture; another one: kill
//   for each rule on an argument:
//     load call number;  another call: next rule
//     load argument;     another value: next rule
//     allow, or EPERM
//   load call number;  of the x32 table (x86-64 only): deny
//   number == denied[0]: deny   ...   number == denied[n-1]: deny
//   allow
//   deny: EPERM
//
// Tested by confinement_test.cc and shared_processes_test.cc.
#include "grader/sandbox/system_call_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/ioprio.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

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
constexpr uint32_t kMemfdSecret = 447;

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
    {SYS_ioprio_set, 0, IOPRIO_WHO_PGRP, false},
    {SYS_ioprio_set, 0, IOPRIO_WHO_USER, false},
    {SYS_ioprio_set, 1, 0, true},
    {SYS_ioprio_set, 1, kItself, true},
};

// These are denied in addition if the program has its own process numbers, so that no driver of a GPU runs in it:
// memory that no limit counts, and new sockets. Descriptors that are on their way through a socket count for the user,
// not for the program, so a program that sends many would stop others of that user from sending theirs.
constexpr uint32_t kDeniedWhereOwn[] = {
    SYS_memfd_create, kMemfdSecret, SYS_shmget,     SYS_shmat,   SYS_semget,   SYS_msgget,
    SYS_mq_open,      SYS_socket,   SYS_socketpair, SYS_sendmsg, SYS_sendmmsg,
};

sock_filter Load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
sock_filter Return(uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }
// Skips `if_true` or `if_false` instructions.
sock_filter Jump(uint16_t comparison, uint32_t value, size_t if_true, size_t if_false) {
  return BPF_JUMP(static_cast<uint16_t>(BPF_JMP | comparison | BPF_K), value, static_cast<uint8_t>(if_true),
                  static_cast<uint8_t>(if_false));
}

constexpr uint32_t kDenial = SECCOMP_RET_ERRNO | EPERM;

void AddRule(const ArgumentRule& rule, pid_t number, std::vector<sock_filter>* filter) {
  const auto value = static_cast<uint32_t>(rule.value == kItself ? number : rule.value);
  // Both architectures are little-endian, so the low half comes first.
  const auto argument = static_cast<uint32_t>(offsetof(seccomp_data, args) + sizeof(uint64_t) * rule.argument);
  filter->insert(filter->end(), {Load(offsetof(seccomp_data, nr)), Jump(BPF_JEQ, rule.call, 0, 3), Load(argument),
                                 Jump(BPF_JEQ, value, 0, 1), Return(rule.allowed ? SECCOMP_RET_ALLOW : kDenial)});
}

}  // namespace

std::vector<sock_filter> SystemCallFilter(std::optional<pid_t> number) {
  std::vector<uint32_t> denied(std::begin(kDenied), std::end(kDenied));
  std::vector<sock_filter> filter = {Load(offsetof(seccomp_data, arch)), Jump(BPF_JEQ, kArchitecture, 1, 0),
                                     Return(SECCOMP_RET_KILL_PROCESS)};
  for (const ArgumentRule& rule : kRules) AddRule(rule, 0, &filter);
  if (number) {
    denied.insert(denied.end(), std::begin(kDeniedWhereShared), std::end(kDeniedWhereShared));
    for (const ArgumentRule& rule : kRulesWhereShared) AddRule(rule, *number, &filter);
  } else {
    denied.insert(denied.end(), std::begin(kDeniedWhereOwn), std::end(kDeniedWhereOwn));
  }
  static_assert(std::size(kDenied) + std::max(std::size(kDeniedWhereShared), std::size(kDeniedWhereOwn)) < 200,
                "jumps reach 255 instructions");
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

}  // namespace warpgrade::sandbox
