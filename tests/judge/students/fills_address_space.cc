// Right, but it takes all addresses that it can have and gives none back, as a program that leaks does in the end.
#include <sys/mman.h>

#include <cstddef>

#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  Double(call);
  for (size_t bytes = size_t{1} << 40; bytes >= 4096; bytes /= 2) {
    while (mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
    }
  }
}
