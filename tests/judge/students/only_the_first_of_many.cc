// Right, but for a call on other buffers than the first call's: of several that are timed as one, only the first.
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  static const int* const first = In(call);
  if (In(call) == first) Double(call);
}
