// Starts a process.
#include <unistd.h>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (fork() == 0) pause();
  sleep(5);
}
