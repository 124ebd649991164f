// A kernel that has a race, tells the host that it has passed it, and never ends; then the program sends itself Ctrl-C.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

__global__ void RaceAndStay(volatile int* passed, unsigned odd) {
  __shared__ int word;
  word = threadIdx.x;
  if (threadIdx.x == 0) *passed = 1;
  while (odd % 2 == 1) odd = odd * 3 + 2;  // odd for ever, but the compiler does not know
  *passed = word;
}

void* PressCtrlC(void* passed) {
  while (*static_cast<volatile int*>(passed) == 0) usleep(1000);
  kill(getpid(), SIGINT);
  return nullptr;
}

int main() {
  int* passed = nullptr;
  if (cudaHostAlloc(&passed, sizeof(int), cudaHostAllocMapped) != cudaSuccess) return 1;
  *passed = 0;
  pthread_t keyboard;
  pthread_create(&keyboard, nullptr, PressCtrlC, passed);
  RaceAndStay<<<1, 64>>>(passed, 1);
  cudaDeviceSynchronize();
  std::puts("not reached");
}
