// Gives the first answer of a size again: right only if the content were the same.
#include <map>
#include <vector>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  static std::map<uint64_t, std::vector<int>> answers;
  std::vector<int>& answer = answers[Count(call)];
  if (answer.empty()) {
    Double(call);
    answer.assign(Out(call), Out(call) + Count(call));
  }
  for (uint64_t i = 0; i < Count(call); ++i) Out(call)[i] = answer[i];
}
