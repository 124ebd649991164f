// A process forks while a kernel waits for its flag, and another thread of the runtime goes on with the kernel. The
// child, which may not use the device, ends in the usual way: it neither hangs nor leaks its parent's memory.
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

__global__ void WaitAndCount(volatile int* flag, int* count) {
  while (*flag == 0) {
  }
  *count += 1;
}

int main() {
  int *flag, *count;
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  CHECK(cudaMallocHost(&count, sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  *count = 0;
  for (int i = 0; i < 30; ++i) {
    *static_cast<volatile int*>(flag) = 0;
    WaitAndCount<<<1, 1, 0, stream>>>(flag, count);
    CHECK(cudaGetLastError());
    const pid_t child = fork();
    if (child == 0) {
      int* memory;
      std::exit(cudaMalloc(&memory, 4) == cudaErrorInitializationError ? 0 : 1);
    }
    int status = 1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    *static_cast<volatile int*>(flag) = 1;
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(*count == i + 1);
  }
  PrintOut(count, sizeof(int));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(flag));
  CHECK(cudaFreeHost(count));
  return 0;
}
