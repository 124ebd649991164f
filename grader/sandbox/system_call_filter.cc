// For n denied calls:
//
//   load architecture; another one: kill
//   load call number;  of the x32 table (x86-64 only): deny
//   number == denied[0]: deny   ...   number == denied[n-1]: deny
//   allow
//   deny: EPERM
//
// Tested by confinement_test.cc.
#include "grader/sandbox/system_call_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

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

constexpr uint32_t kDenied[] = {
    // other processes
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_process_madvise,
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

sock_filter Load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
sock_filter Return(uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }
// Skips `if_true` or `if_false` instructions.
sock_filter Jump(uint16_t comparison, uint32_t value, size_t if_true, size_t if_false) {
  return BPF_JUMP(static_cast<uint16_t>(BPF_JMP | comparison | BPF_K), value, static_cast<uint8_t>(if_true),
                  static_cast<uint8_t>(if_false));
}

}  // namespace

std::vector<sock_filter> SystemCallFilter() {
  constexpr size_t kCount = std::size(kDenied);
  static_assert(kCount < 200, "jumps reach 255 instructions");
  std::vector<sock_filter> filter = {Load(offsetof(seccomp_data, arch)), Jump(BPF_JEQ, kArchitecture, 1, 0),
                                     Return(SECCOMP_RET_KILL_PROCESS), Load(offsetof(seccomp_data, nr))};
#if defined(__x86_64__)
  constexpr uint32_t kX32 = 0x40000000;  // the bit that marks its calls
  filter.push_back(Jump(BPF_JGE, kX32, kCount + 1, 0));
#endif
  for (size_t i = 0; i < kCount; ++i) filter.push_back(Jump(BPF_JEQ, kDenied[i], kCount - i, 0));
  filter.push_back(Return(SECCOMP_RET_ALLOW));
  filter.push_back(Return(SECCOMP_RET_ERRNO | EPERM));
  return filter;
}

}  // namespace warpgrade::sandbox
