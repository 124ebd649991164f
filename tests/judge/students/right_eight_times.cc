// Takes 20 ms, and is right in its first eight calls only. So it tells how often it is called.
#include <unistd.h>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  static int calls = 0;
  if (++calls <= 8) Double(call);
  usleep(20'000);
}
