// The flag that the host sets after the launch is in an array of the program's own, which it registers as it is. The
// host waits for the kernel by an event and by a query, and a copy from the same memory stands behind the kernel.
#include "program.h"

constexpr int kN = 1024;
int memory[kN];

__global__ void Wait(const volatile int* flag, int* out) {
  while (*flag != 5) {
  }
  __threadfence_system();
  *out = 7;
}

int main() {
  CHECK(cudaHostRegister(memory, sizeof memory, cudaHostRegisterDefault));
  void* device;
  CHECK(cudaHostGetDevicePointer(&device, memory, 0));
  const int* flag = static_cast<const int*>(device) + 100;
  cudaStream_t stream;
  cudaEvent_t done;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&done));
  int result[2];
  {
    DeviceArray<int> out(2);
    for (int round = 0; round < 2; ++round) {
      memory[100] = 0;
      memory[kN - 1] = 11;
      Wait<<<1, 1, 0, stream>>>(flag, out);
      CHECK(cudaGetLastError());
      CHECK(cudaMemcpyAsync(out.get() + 1, memory + kN - 1, sizeof(int), cudaMemcpyHostToDevice, stream));
      CHECK(cudaEventRecord(done, stream));
      EXPECT(cudaEventQuery(done) == cudaErrorNotReady);
      static_cast<void>(cudaGetLastError());
      static_cast<volatile int*>(memory)[100] = 5;
      if (round == 0) {
        CHECK(cudaEventSynchronize(done));
      } else {
        while (cudaEventQuery(done) == cudaErrorNotReady) static_cast<void>(cudaGetLastError());
      }
      out.CopyTo(result);
      EXPECT(result[0] == 7 && result[1] == 11);
    }
  }
  PrintOut(result, sizeof result);
  CHECK(cudaEventDestroy(done));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaHostUnregister(memory));
  return 0;
}
