// Writes to the control socket itself.
#include <unistd.h>

#include <cstdlib>

#include "grader/worker/protocol.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall*) {
  const int control = std::atoi(std::getenv(warpgrade::protocol::kControlFdVariable));
  if (write(control, "PASSED", 6) != 6) std::abort();
}
