// What a missing wait does: a seed delays the copy to the device until the kernel of another stream, and the copy of
// its answer, are done. Without a seed the answer would be right.
// run: --seed 3
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Square(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; }

int main() {
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  int host[64], out[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  {
    DeviceArray<int> d_in(64), d_out(64);
    d_in.Fill(0);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyAsync(d_in, host, sizeof host, cudaMemcpyHostToDevice, first));  // OTHER
    Square<<<1, 64, 0, second>>>(d_in, d_out);                                       // FAULT
    CHECK(cudaMemcpyAsync(out, d_out, sizeof out, cudaMemcpyDeviceToHost, second));
    CHECK(cudaDeviceSynchronize());
  }
  EXPECT(out[9] == 0);
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  return 0;
}
