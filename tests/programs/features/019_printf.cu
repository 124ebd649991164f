// printf in a kernel: what threads of one block print comes out when the host waits, here from one thread after
// another.
#include "feature.h"

__global__ void Tell(int turn, int* arguments) {
  if (threadIdx.x != 7u * turn) return;
  // Unlike the host's, it returns how many arguments there were.
  arguments[turn] =
      printf("thread %d: %5.2f %s %c %%\n", threadIdx.x, 1.5 * turn, turn % 2 ? "odd" : "even", 'a' + turn);
  printf("%x %-6d| %+d %lld %llu %08.3f %e\n", 0xbeef + turn, turn, turn, -(1ll << 40), ~0ull, 3.14159, 12345.678);
}

int main() {
  DeviceArray<int> arguments(4);
  for (int turn = 0; turn < 4; ++turn) {
    Tell<<<1, 32>>>(turn, arguments);
    FINISH();
  }
  int got[4];
  arguments.CopyTo(got);
  const int want[4] = {4, 4, 4, 4};
  ExpectSame("arguments", got, want, 4);
  Out(got, sizeof got);
  return Verdict();
}
