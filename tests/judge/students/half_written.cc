// Small sizes are done, large ones not yet.
#include "labs/not_written.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (Count(call) > 100) NOT_WRITTEN_YET();
  Double(call);
}
