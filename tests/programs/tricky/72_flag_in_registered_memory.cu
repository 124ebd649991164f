// As 66_host_sets_a_flag, with the program's own memory, which it registers: the host sets a flag there after the
// launch, and then waits in a loop for the kernel's answer, which is in the same memory.
#include "program.h"

constexpr int kTurns = 20;

__global__ void WaitAndCopy(const volatile int* flag, const int* in, int* out) {
  while (*flag == 0) {
  }
  __threadfence_system();
  *out = *in + 1;
}

__global__ void Answer(volatile int* asked, volatile int* answer) {
  for (int turn = 1; turn <= kTurns; ++turn) {
    int question;
    do {
      question = *asked;
    } while (question % 1000 != turn);
    *answer = 2 * question;
  }
}

template <typename T>
T* OnDevice(T* host) {
  void* device;
  CHECK(cudaHostGetDevicePointer(&device, host, 0));
  return static_cast<T*>(device);
}

int main() {
  int* const memory = static_cast<int*>(std::calloc(2000, sizeof(int)));
  CHECK(cudaHostRegister(memory, 2000 * sizeof(int), cudaHostRegisterMapped));
  volatile int *flag = memory, *in = memory + 1, *out = memory + 1500, *asked = memory + 7, *answer = memory + 6;
  WaitAndCopy<<<1, 1>>>(OnDevice(memory), OnDevice(memory + 1), OnDevice(memory + 1500));
  CHECK(cudaGetLastError());
  EXPECT(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  static_cast<void>(cudaGetLastError());
  *in = 41;
  __sync_synchronize();
  *flag = 1;
  CHECK(cudaDeviceSynchronize());
  EXPECT(*out == 42);
  EXPECT(*flag == 1 && *in == 41);

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  Answer<<<1, 1, 0, stream>>>(OnDevice(memory + 7), OnDevice(memory + 6));
  CHECK(cudaGetLastError());
  int expected = 0;
  for (int turn = 1; turn <= kTurns; ++turn) {
    const int question = 1000 * turn + turn;
    *asked = question;
    while (*answer != 2 * question) {
    }
    expected += *answer;
  }
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(*asked == 1000 * kTurns + kTurns);
  PrintOut(&expected, sizeof(expected));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaHostUnregister(memory));
  std::free(memory);
  return 0;
}
