// Never reaches main.
#include <unistd.h>

#include "tests/judge/students/student.h"

static const int kWaiting = (pause(), 1);

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (kWaiting) Double(call);
}
