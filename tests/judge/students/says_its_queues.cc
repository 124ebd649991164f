// Says how many hardware queues CUDA makes in its context.
#include <cstdio>
#include <cstdlib>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  const char* const queues = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  std::printf("%s\n", queues == nullptr ? "as usual" : queues);
  std::fflush(stdout);
  Double(call);
}
