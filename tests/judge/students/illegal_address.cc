// A kernel that faults. Its process can do nothing on the device afterwards.
#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  static bool faulted = false;
  faulted = faulted || Count(call) == 100;
  if (faulted) fake_cudart::next_synchronize_error = cudaErrorIllegalAddress;
}
