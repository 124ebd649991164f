// A starter.
#include "labs/not_written.h"

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall*) { NOT_WRITTEN_YET(); }
