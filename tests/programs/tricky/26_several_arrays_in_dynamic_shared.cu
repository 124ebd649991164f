// Doubles, ints and bytes in one piece of dynamic shared memory, the widest first.
#include "program.h"

__global__ void Unpack(const int* in, double* out, int n) {
  extern __shared__ double doubles[];
  int* ints = reinterpret_cast<int*>(doubles + n);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(ints + n);
  const int t = threadIdx.x;
  ints[t] = in[t];
  bytes[t] = in[t] & 0xff;
  __syncthreads();
  doubles[t] = ints[n - 1 - t] + bytes[(t + 1) % n];
  __syncthreads();
  out[t] = doubles[t ^ 1];
}

int main() {
  constexpr int kCount = 70;
  int host[kCount];
  double got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = 1000 * i + 3;
  DeviceArray<int> in(kCount);
  DeviceArray<double> out(kCount);
  in.CopyFrom(host);
  Unpack<<<1, kCount, kCount*(sizeof(double) + sizeof(int) + 1)>>>(in, out, kCount);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < kCount; ++i) {
    const int t = i ^ 1;
    EXPECT(got[i] == host[kCount - 1 - t] + (host[(t + 1) % kCount] & 0xff));
  }
  PrintOut(got, sizeof got);
  return 0;
}
