// Right, and a thread of its own spoils the answer for ever after.
#include <thread>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) != 1000) return;
  volatile int* const out = Out(call);
  std::thread([out] {
    for (;;) {
      const int spoiled = *out + 1;
      *out = spoiled;
    }
  }).detach();
}
