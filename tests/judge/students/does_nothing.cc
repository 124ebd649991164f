// Returns at once; the outputs keep the poison.
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall*) {}
