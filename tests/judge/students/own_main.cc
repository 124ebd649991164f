// Has a main of its own, left over from trying things out.
#include <cstdio>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) { Double(call); }

int main() { std::printf("Test PASSED\n"); }
