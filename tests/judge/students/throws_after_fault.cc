// A kernel that faults, and a host function that notices and throws.
#include <stdexcept>
#include <string>

#include "tests/judge/fake/fake_cudart.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  static bool faulted = false;
  faulted = faulted || Count(call) == 100 || Count(call) == 777;
  if (!faulted) return;
  fake_cudart::next_synchronize_error = cudaErrorIllegalAddress;
  if (Count(call) == 777) throw std::runtime_error("no luck");
  throw std::runtime_error(std::string("the kernel stopped: ") + cudaGetErrorString(cudaErrorIllegalAddress));
}
