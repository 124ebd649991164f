// A segmentation fault before main.
#include <csignal>

#include "tests/judge/students/student.h"

static const int kFallen = std::raise(SIGSEGV);

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (kFallen == 0) Double(call);
}
