// One element too many.
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) > 0) Out(call)[Count(call)] = 1;
}
