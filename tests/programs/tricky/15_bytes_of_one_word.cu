// Four threads write the four bytes of one word of shared memory, and each reads its own back without a barrier: bytes
// are separate memory locations.
#include "program.h"

__global__ void Upper(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char text[128];
  const int t = threadIdx.x;
  text[t] = in[t];
  if (text[t] >= 'a' && text[t] <= 'z') text[t] -= 32;
  out[t] = text[t];
}

int main() {
  unsigned char host[128], got[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  DeviceArray<unsigned char> in(128), out(128);
  in.CopyFrom(host);
  Upper<<<1, 128>>>(in, out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 128; ++i) EXPECT(got[i] == (i >= 'a' && i <= 'z' ? i - 32 : i));
  PrintOut(got, sizeof got);
  return 0;
}
