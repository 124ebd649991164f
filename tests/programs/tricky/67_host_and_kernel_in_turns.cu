// Host and kernel take turns through managed memory, and the host calls nothing meanwhile: it waits in a loop for the
// kernel's answer to each of its questions.
#include "program.h"

constexpr int kTurns = 20;

__global__ void Answer(volatile int* asked, volatile int* answered, volatile int* value) {
  for (int turn = 1; turn <= kTurns; ++turn) {
    while (*asked != turn) {
    }
    __threadfence_system();
    *value = 3 * *value + 1;
    __threadfence_system();
    *answered = turn;
  }
}

int main() {
  int* shared;
  CHECK(cudaMallocManaged(&shared, 3 * sizeof(int)));
  volatile int *asked = shared, *answered = shared + 1, *value = shared + 2;
  *asked = *answered = *value = 0;
  Answer<<<1, 1>>>(asked, answered, value);
  CHECK(cudaGetLastError());
  int expected = 0;
  for (int turn = 1; turn <= kTurns; ++turn) {
    *value = turn;
    __sync_synchronize();
    *asked = turn;
    while (*answered != turn) {
    }
    EXPECT(*value == 3 * turn + 1);
    expected += 3 * turn + 1;
  }
  CHECK(cudaDeviceSynchronize());
  PrintOut(&expected, sizeof(expected));
  CHECK(cudaFree(shared));
  return 0;
}
