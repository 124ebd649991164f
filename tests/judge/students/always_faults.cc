// A kernel that faults whatever its input.
#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall*) {
  fake_cudart::next_synchronize_error = cudaErrorIllegalAddress;
}
