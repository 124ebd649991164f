// Thousands of launches are queued behind a kernel that waits for the host. None is lost, they stay in their order, and
// they take little memory.
#include <sys/resource.h>

#include "program.h"

constexpr int kLaunches = 8000;
constexpr long kMostKilobytes = 200'000;  // with a list of all earlier ones for each it would be 250 MB more

__global__ void Wait(const volatile int* flag) {
  while (*flag == 0) {
  }
}

__global__ void Append(int* count, int i) { *count = *count == i ? i + 1 : -1; }

long Kilobytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int main() {
  int* flag;
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  *flag = 0;
  {
    DeviceArray<int> count(1);
    count.Fill(0);
    Wait<<<1, 1>>>(flag);
    CHECK(cudaGetLastError());
    const long before = Kilobytes();
    for (int i = 0; i < kLaunches; ++i) Append<<<1, 1>>>(count, i);
    *static_cast<volatile int*>(flag) = 1;
    int result = 0;
    count.CopyTo(&result);
    EXPECT(result == kLaunches);
    EXPECT(Kilobytes() - before < kMostKilobytes);
    PrintOut(&result, sizeof(result));
  }
  CHECK(cudaFreeHost(flag));
  return 0;
}
