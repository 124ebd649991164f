// Throws for one size, with text that no terminal should see raw.
#include <stdexcept>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (Count(call) == 100) throw std::runtime_error("bad \x1b[31mluck");
  if (Count(call) == 777) throw 7;
  Double(call);
}
