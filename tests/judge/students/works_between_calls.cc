// Right, and at work on the device from an empty call to the next that is none: looking for its input, say.
#include <unistd.h>

#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/fake/shared_region.h"
#include "tests/judge/students/student.h"

namespace {

bool called = false;

void Look() {
  if (!called) warpgrade::judge::fake::RunningKernels() = 1;
  called = false;
}

const bool ready = (fake_cudart::at_synchronize = Look, true);

}  // namespace

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  called = true;
  warpgrade::judge::fake::RunningKernels() = 0;
  usleep(100'000);  // beside which an empty call is short on a machine however busy
  Double(call);
}
