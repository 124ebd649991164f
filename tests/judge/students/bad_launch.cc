// An invalid launch for one size; the next size works again.
#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  if (Count(call) == 0) fake_cudart::next_error = cudaErrorInvalidConfiguration;
}
