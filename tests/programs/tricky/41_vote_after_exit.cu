// A vote that names lanes which have exited: only those that have not must take part.
#include "program.h"

__global__ void CountLeft(int n, unsigned* out) {
  if (threadIdx.x >= n) return;
  const unsigned here = __ballot_sync(0xffffffff, threadIdx.x % 2 == 0);
  __syncwarp();
  out[threadIdx.x] = here;
}

int main() {
  unsigned got[20];
  DeviceArray<unsigned> out(20);
  CountLeft<<<1, 32>>>(20, out);
  FINISH();
  out.CopyTo(got);
  for (const unsigned v : got) EXPECT(v == 0x00055555u);
  PrintOut(got, sizeof got);
  return 0;
}
