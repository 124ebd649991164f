// Sends its input away, and listens.
#include <cstdint>
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

// A sockaddr_in.
struct Address {
  uint16_t family = 2, port;
  unsigned char ip[4];
  char zero[8] = {};
};

}  // namespace

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  const Address away{2, 0x3500, {1, 1, 1, 1}, {}}, here{2, 0x901f, {127, 0, 0, 1}, {}},
      any{2, 0x911f, {0, 0, 0, 0}, {}};
  for (const Address* to : {&away, &here}) {
    const long datagram = Raw(41, 2, 2, 0);
    if (Raw(44, datagram, reinterpret_cast<long>("hello"), 5, 0, reinterpret_cast<long>(to), 16) == 5 && to == &away) {
      std::puts("LEAKED: a datagram went out");
    }
    if (Raw(42, Raw(41, 2, 1, 0), reinterpret_cast<long>(to), 16) == 0) std::puts("LEAKED: a connection");
  }
  static_cast<void>(any);
}

LAB2_INSTANTIATE();
