// Is wrong for each size that is neither small nor that of the case for technique.
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) > 1000 && Count(call) != 4096) Out(call)[5] += 1;
}
