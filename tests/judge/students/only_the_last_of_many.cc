// Right while calls come one by one; of several that are carried out as one, only for the last.
#include <algorithm>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  static const int* last = nullptr;
  last = std::max(last, In(call));
  if (In(call) == last) Double(call);
}
