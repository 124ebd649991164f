// Closes the grader's socket and lives on.
#include <unistd.h>

#include <cstdlib>

#include "grader/worker/protocol.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall*) {
  close(std::atoi(std::getenv(warpgrade::protocol::kControlFdVariable)));
  sleep(60);
}
