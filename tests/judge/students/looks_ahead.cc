// Looks at its input during empty calls. When a call then brings no other, it could have begun before the clock did:
// it gives itself away by writing nothing.
#include <vector>

#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/students/student.h"

namespace {

const int* in = nullptr;
uint64_t count = 0;
std::vector<int> seen;
bool called = false;

void Look() {
  if (!called && in != nullptr) seen.assign(in, in + count);
  called = false;
}

const bool ready = (fake_cudart::at_synchronize = Look, true);

}  // namespace

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  in = In(call);
  count = Count(call);
  called = true;
  const bool knew = !seen.empty() && seen == std::vector<int>(in, in + count);
  if (!knew) Double(call);
}
