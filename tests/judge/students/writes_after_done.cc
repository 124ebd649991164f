// Right, and a thread of its own spoils the answer for ever after.
#include <thread>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) != 1000) return;
  int* const out = Out(call);
  std::thread([out] {
    for (volatile int* spoiled = out;; *spoiled = *spoiled + 1) {
    }
  }).detach();
}
