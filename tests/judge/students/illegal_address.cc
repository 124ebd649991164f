// A kernel that faults.
#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) == 100) fake_cudart::next_synchronize_error = cudaErrorIllegalAddress;
}
