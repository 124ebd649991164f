// Does what it should, with the workspace as scratch.
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  for (uint64_t i = 0; i < Count(call); ++i) Work(call)[i] = In(call)[i];
  for (uint64_t i = 0; i < Count(call); ++i) Out(call)[i] = 2 * Work(call)[i];
}
