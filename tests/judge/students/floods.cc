// Prints without end.
#include <cstdio>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  while (Count(call) == 100) std::printf("here %d\n", Out(call)[0]);
}
