// A host loop that never ends.
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  volatile bool forever = Count(call) == 100;
  while (forever) {
  }
}
