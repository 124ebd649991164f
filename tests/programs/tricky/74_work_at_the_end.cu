// The program ends without waiting for its streams. What they have not done by then may stay undone, but no function of
// the program's may run any more: what it uses is gone.
#include <unistd.h>

#include "program.h"

__device__ int counter;

__global__ void Count() { ++counter; }

struct Global {
  ~Global() { gone = true; }
  bool gone = false;
} global;

void Use(void*) {
  if (global.gone) _exit(1);
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < 20; ++i) {
    Count<<<1, 1, 0, stream>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaLaunchHostFunc(stream, Use, nullptr));
  }
  return 0;
}
