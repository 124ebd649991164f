// Doubles in place first.
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) > 2) const_cast<int*>(In(call))[2] += 1;
}
