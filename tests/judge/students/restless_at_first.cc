// Right. Its first 150 empty calls take 0 or 20 ms in turns, as on a host that is restless for a while.
#include <unistd.h>

#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/students/student.h"

namespace {

int calls = 0;

// An empty call that is timed comes after one that is not.
void Dawdle() {
  const int pair = calls++ / 2;
  if (pair < 150 && pair % 2 == 0) usleep(20'000);
}

const bool ready = (fake_cudart::at_synchronize = Dawdle, true);

}  // namespace

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) { Double(call); }
