// The handler runs on its own stack, because the program may have used up its stack. It only reads its own memory and
// sends a message, both of which a signal handler may do. When it returns, the instruction is executed again; the
// signal is then no longer handled and ends the program. Tested by tests/judge/emulated_rung_test.cc.
#include "grader/worker/crash_report.h"

#include <elf.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <bit>
#include <cstdint>

#include "grader/worker/control_socket.h"
#include "grader/worker/protocol.h"

// Symbols from the linker: the program's first byte, which begins its ELF header, and the end of its code.
extern "C" const char program_start[] __asm__("__ehdr_start"), program_end[] __asm__("etext");

namespace warpgrade::worker {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr uintptr_t kStackBytes = 64 << 10;          // the handler's; the widest registers alone need 11 KB
constexpr uintptr_t kLookedThroughBytes = 16 << 10;  // the searched part of the program's stack, from its top
constexpr uintptr_t kMainStackBytes = 64 << 20;      // an address further away is on the stack of another thread

int control_fd = -1;
uintptr_t stack_end = 0;  // of the main thread: only student code lies below it

struct Registers {
  uintptr_t instruction = 0, stack = 0;
  bool writes = false;  // for a segmentation fault
};

#if defined(__x86_64__)
Registers ReadRegisters(const ucontext_t& context) {
  constexpr greg_t kWrite = 2;  // the bit in a page fault's error code
  const greg_t* const values = context.uc_mcontext.gregs;
  return {static_cast<uintptr_t>(values[REG_RIP]), static_cast<uintptr_t>(values[REG_RSP]),
          (values[REG_ERR] & kWrite) != 0};
}
#elif defined(__aarch64__)
Registers ReadRegisters(const ucontext_t& context) { return {context.uc_mcontext.pc, context.uc_mcontext.sp, false}; }
#else
#error "say how the registers of this architecture are read"
#endif

uintptr_t Begin() { return reinterpret_cast<uintptr_t>(program_start); }

bool IsOurCode(uintptr_t address) { return address >= Begin() && address < reinterpret_cast<uintptr_t>(program_end); }

void AddCode(uintptr_t address, protocol::Crashed* crashed) {
  if (!IsOurCode(address) || crashed->code_count == protocol::kMaxCrashCode) return;
  const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(program_start);
  const uintptr_t linked_at = header->e_type == ET_DYN ? Begin() : 0;
  crashed->code[crashed->code_count++] = address - linked_at;
}

// A fault inside a library is reported with its caller. Without frame pointers, every word on the stack that points
// into our code may be a return address. The nearest ones are the most probable.
void AddCallers(uintptr_t stack, protocol::Crashed* crashed) {
  if (stack > stack_end || stack_end - stack > kMainStackBytes) return;
  const uintptr_t end = stack_end - stack > kLookedThroughBytes ? stack + kLookedThroughBytes : stack_end;
  for (uintptr_t at = stack / sizeof(uintptr_t) * sizeof(uintptr_t); at + sizeof(uintptr_t) <= end;
       at += sizeof(uintptr_t)) {
    const uintptr_t word = *std::bit_cast<const uintptr_t*>(at);
    AddCode(word - 1, crashed);  // - 1 gives the call instead of the instruction after it
  }
}

void Report(int signal, siginfo_t* info, void* context) {
  if (info->si_code <= 0) {  // sent on purpose, so it does not occur again by itself
    if (raise(signal) != 0) _exit(128 + signal);
    return;
  }
  const Registers registers = ReadRegisters(*static_cast<const ucontext_t*>(context));
  protocol::Crashed crashed;
  crashed.signal = signal;
  crashed.writes = registers.writes ? 1 : 0;
  const bool known = info->si_code != SI_KERNEL;  // the address is unknown if it is outside of all possible memory
  crashed.address = known ? reinterpret_cast<uint64_t>(info->si_addr) : protocol::kNoAddress;
  AddCode(registers.instruction, &crashed);
  AddCallers(registers.stack, &crashed);
  Send(control_fd, protocol::Encode(crashed, 0));
}

}  // namespace

void ReportCrashes(int control) {
  control_fd = control;
  stack_end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  static char stack[kStackBytes];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof(stack);
  struct sigaction action {};
  action.sa_sigaction = Report;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  if (sigaltstack(&alternate, nullptr) == 0) action.sa_flags |= SA_ONSTACK;
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
}

}  // namespace warpgrade::worker
