// Runs the filters in a small interpreter and asks for the verdict on every call.
#include "grader/sandbox/system_call_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstring>
#include <set>

namespace warpgrade::sandbox {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kOurs = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kOurs = AUDIT_ARCH_AARCH64;
#endif
constexpr uint32_t kEperm = SECCOMP_RET_ERRNO | EPERM, kEnosys = SECCOMP_RET_ERRNO | ENOSYS;
constexpr uint32_t kMostCalls = 1000;  // more than the kernel has

// The few instructions that the filters consist of.
uint32_t Verdict(const std::vector<sock_filter>& filter, const seccomp_data& data) {
  uint32_t loaded = 0;
  for (size_t at = 0; at < filter.size(); ++at) {
    const sock_filter& step = filter[at];
    bool taken = false;
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        EXPECT_LE(step.k + sizeof loaded, sizeof data);
        std::memcpy(&loaded, reinterpret_cast<const char*>(&data) + step.k, sizeof loaded);
        continue;
      case BPF_RET | BPF_K:
        return step.k;
      case BPF_JMP | BPF_JEQ | BPF_K:
        taken = loaded == step.k;
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        taken = loaded > step.k;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        taken = loaded >= step.k;
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        taken = (loaded & step.k) != 0;
        break;
      default:
        ADD_FAILURE() << "instruction " << at << " is none of ours";
        return 0;
    }
    at += taken ? step.jt : step.jf;
  }
  ADD_FAILURE() << "ran off the end";
  return 0;
}

uint32_t Verdict(const std::vector<sock_filter>& filter, uint32_t call, uint64_t first = 0, uint64_t second = 0,
                 uint64_t third = 0) {
  seccomp_data data = {};
  data.nr = static_cast<int>(call);
  data.arch = kOurs;
  data.args[0] = first;
  data.args[1] = second;
  data.args[2] = third;
  return Verdict(filter, data);
}

const std::vector<sock_filter>& AllowList() {
  static const std::vector<sock_filter> filter = SystemCallFilter(std::nullopt);
  return filter;
}

TEST(SystemCallFilterTest, TheAllowListAllowsWhatEveryProgramNeeds) {
  for (const uint32_t call : {SYS_read, SYS_write, SYS_openat, SYS_mmap, SYS_munmap, SYS_brk, SYS_futex, SYS_exit_group,
                              SYS_clone, SYS_execve, SYS_recvmsg, SYS_sendto, SYS_clock_gettime, SYS_rt_sigaction}) {
    EXPECT_EQ(Verdict(AllowList(), call), SECCOMP_RET_ALLOW) << call;
  }
}

TEST(SystemCallFilterTest, TheAllowListRefusesWhatReachesOut) {
  for (const uint32_t call : {SYS_ptrace,          SYS_process_vm_readv, SYS_process_vm_writev,
                              SYS_pidfd_getfd,     SYS_unshare,          SYS_setns,
                              SYS_mount,           SYS_umount2,          SYS_pivot_root,
                              SYS_move_mount,      SYS_open_tree,        SYS_bpf,
                              SYS_perf_event_open, SYS_userfaultfd,      SYS_io_uring_setup,
                              SYS_add_key,         SYS_keyctl,           SYS_kexec_load,
                              SYS_kexec_file_load, SYS_memfd_create,     SYS_shmget,
                              SYS_socket,          SYS_socketpair,       SYS_sendmsg,
                              SYS_sendmmsg}) {
    EXPECT_EQ(Verdict(AllowList(), call), kEperm) << call;
  }
}

// A new kernel has new calls. They do not exist for the program until somebody puts them on the list.
TEST(SystemCallFilterTest, WhatIsOnNoListDoesNotExist) {
  for (const uint32_t call : {SYS_clone3, SYS_pidfd_open, SYS_personality, SYS_connect, SYS_bind, SYS_accept4,
                              SYS_mlockall, SYS_sync, SYS_mknodat, SYS_inotify_init1, SYS_openat2, SYS_seccomp}) {
    EXPECT_EQ(Verdict(AllowList(), call), kEnosys) << call;
  }
  for (uint32_t call = 450; call < kMostCalls; ++call) EXPECT_EQ(Verdict(AllowList(), call), kEnosys) << call;
  EXPECT_EQ(Verdict(AllowList(), 0xffffffff), kEnosys);
}

TEST(SystemCallFilterTest, LocksOfBytesInFilesAreRefusedBecauseNoLimitCountsThem) {
  for (const std::vector<sock_filter>& filter : {AllowList(), SystemCallFilter(7)}) {
    for (const int lock : {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW}) {
      EXPECT_EQ(Verdict(filter, SYS_fcntl, 3, static_cast<uint64_t>(lock)), kEperm) << lock;
    }
    EXPECT_EQ(Verdict(filter, SYS_fcntl, 3, F_SETFL), SECCOMP_RET_ALLOW);
  }
}

TEST(SystemCallFilterTest, TheAllowListIsShort) {
  size_t allowed = 0;
  for (uint32_t call = 0; call < kMostCalls; ++call) {
    allowed += Verdict(AllowList(), call) == SECCOMP_RET_ALLOW ? 1 : 0;
  }
  EXPECT_GT(allowed, 120u);
  EXPECT_LT(allowed, 220u) << "of about 370: is it still a list of what is needed?";
}

TEST(SystemCallFilterTest, WhatTheDenyListDeniesTheAllowListDoesNotAllow) {
  const std::vector<sock_filter> deny_list = SystemCallFilter(7);
  // Signals and priorities: where process numbers are shared they are denied, or allowed by their arguments.
  const std::set<uint32_t> harmless_in_a_namespace = {SYS_kill,
                                                      SYS_tkill,
                                                      SYS_tgkill,
                                                      SYS_rt_sigqueueinfo,
                                                      SYS_rt_tgsigqueueinfo,
                                                      SYS_prlimit64,
                                                      SYS_setpriority,
                                                      SYS_sched_setscheduler,
                                                      SYS_sched_setparam,
                                                      SYS_sched_setaffinity,
                                                      SYS_ioprio_set};
  for (uint32_t call = 0; call < kMostCalls; ++call) {
    if (Verdict(deny_list, call, 1, 9, 9) == SECCOMP_RET_ALLOW || harmless_in_a_namespace.count(call) != 0) continue;
    EXPECT_NE(Verdict(AllowList(), call, 1, 9, 9), SECCOMP_RET_ALLOW) << call;
  }
}

// Where no namespace can be made: what the allow-list refuses stays refused, and signals are as where a GPU is.
TEST(SystemCallFilterTest, TheListForSharedNumbersHasTheRulesOfBothOthers) {
  constexpr pid_t kOwn = 7;
  const std::vector<sock_filter> shared = SharedAllowList(kOwn, true), deny_list = SystemCallFilter(kOwn);
  for (uint32_t call = 0; call < kMostCalls; ++call) {
    const uint32_t verdict = Verdict(shared, call, 1, 9, 9);
    if (Verdict(AllowList(), call, 1, 9, 9) != SECCOMP_RET_ALLOW) {
      EXPECT_NE(verdict, SECCOMP_RET_ALLOW) << call;
    }
    if (Verdict(deny_list, call, 1, 9, 9) != SECCOMP_RET_ALLOW) {
      EXPECT_NE(verdict, SECCOMP_RET_ALLOW) << call;
    }
  }
  EXPECT_EQ(Verdict(shared, SYS_kill, 1, SIGKILL), kEperm);
  EXPECT_EQ(Verdict(shared, SYS_kill, kOwn, SIGKILL), SECCOMP_RET_ALLOW);
  EXPECT_EQ(Verdict(shared, SYS_tgkill, kOwn, kOwn, SIGABRT), SECCOMP_RET_ALLOW) << "abort()";
  EXPECT_EQ(Verdict(shared, SYS_read), SECCOMP_RET_ALLOW);
  EXPECT_EQ(Verdict(shared, SYS_socket), kEperm);
  EXPECT_EQ(Verdict(shared, SYS_connect), kEnosys);
}

TEST(SystemCallFilterTest, CloneMakesThreadsAndProcessesAndNoNamespaces) {
  const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS;
  EXPECT_EQ(Verdict(AllowList(), SYS_clone, thread), SECCOMP_RET_ALLOW);
  EXPECT_EQ(Verdict(AllowList(), SYS_clone, 17), SECCOMP_RET_ALLOW) << "fork";
  for (const uint64_t space :
       {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    EXPECT_EQ(Verdict(AllowList(), SYS_clone, space | 17), kEperm) << space;
  }
}

TEST(SystemCallFilterTest, PagesThatWorkersShareStayWhereTheyAre) {
  EXPECT_EQ(Verdict(AllowList(), SYS_madvise, 0, 4096, MADV_DONTNEED), SECCOMP_RET_ALLOW);
  EXPECT_EQ(Verdict(AllowList(), SYS_madvise, 0, 4096, MADV_REMOVE), kEperm);
  EXPECT_EQ(Verdict(AllowList(), SYS_fallocate, 3, 0), SECCOMP_RET_ALLOW);
  EXPECT_EQ(Verdict(AllowList(), SYS_fallocate, 3, 3), kEperm);
}

TEST(SystemCallFilterTest, AProgramWithoutAFolderOfItsOwnMakesNoFiles) {
  constexpr uint64_t kMake = O_WRONLY | O_CREAT, kUnnamed = O_RDWR | O_TMPFILE, kFolder = O_RDONLY | O_DIRECTORY;
  const std::vector<sock_filter> makes = SharedAllowList(7, true), makes_none = SharedAllowList(7, false);
  for (const uint64_t flags : {kMake, kUnnamed}) {
    EXPECT_EQ(Verdict(makes, SYS_openat, 0, 0, flags), SECCOMP_RET_ALLOW);
    EXPECT_EQ(Verdict(makes_none, SYS_openat, 0, 0, flags), kEperm);
  }
  EXPECT_EQ(Verdict(makes_none, SYS_openat, 0, 0, kFolder), SECCOMP_RET_ALLOW);
  EXPECT_EQ(Verdict(makes_none, SYS_openat, 0, 0, O_RDWR), SECCOMP_RET_ALLOW);
  for (const uint32_t call : {SYS_mkdirat, SYS_linkat, SYS_symlinkat, SYS_renameat2}) {
    EXPECT_EQ(Verdict(makes, call), SECCOMP_RET_ALLOW);
    EXPECT_EQ(Verdict(makes_none, call), kEperm);
  }
}

TEST(SystemCallFilterTest, NoProgramKeepsOthersFromTheSecondThreadOfItsCore) {
  constexpr int kPrSchedCore = 62;
  for (const std::vector<sock_filter>& filter : {AllowList(), SystemCallFilter(7), SharedAllowList(7, true)}) {
    EXPECT_EQ(Verdict(filter, SYS_prctl, kPrSchedCore, 1), kEperm);
    EXPECT_EQ(Verdict(filter, SYS_prctl, PR_SET_NAME), SECCOMP_RET_ALLOW);
  }
}

TEST(SystemCallFilterTest, CallsOfAnotherArchitectureEndTheProgram) {
  for (const std::optional<pid_t> number : {std::optional<pid_t>(), std::optional<pid_t>(7)}) {
    seccomp_data data = {};
    data.arch = AUDIT_ARCH_I386;
    EXPECT_EQ(Verdict(SystemCallFilter(number), data), SECCOMP_RET_KILL_PROCESS);
  }
}

#if defined(__x86_64__)
TEST(SystemCallFilterTest, CallsOfTheX32TableAreRefused) {
  constexpr uint32_t kX32 = 0x40000000;
  EXPECT_EQ(Verdict(AllowList(), kX32 | SYS_read), kEnosys);
  EXPECT_EQ(Verdict(SystemCallFilter(7), kX32 | SYS_read), kEperm);
}
#endif

}  // namespace
}  // namespace warpgrade::sandbox
