// Dereferences null for n = 100, after saying something.
#include <cstdio>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) != 100) return;
  std::fprintf(stderr, "about to fall\n");
  *reinterpret_cast<volatile int*>(Count(call) - 100) = 1;
}
