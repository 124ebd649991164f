// Tested by tests/cudart/call_site_test.cc and, with programs, by tests/programs/faulty.
#include "grader/cudart/call_site.h"

#include <link.h>

#include <algorithm>
#include <cstddef>

#include "grader/cudart/default_stream.h"

namespace warpgrade::cudart {
namespace {

// Where the code of the program's own file is in memory.
struct ProgramCode {
  uintptr_t begin = UINTPTR_MAX, end = 0;
  uintptr_t moved_by = 0;  // from where it was linked
};

// The loader names the program first.
int ReadFirst(dl_phdr_info* object, size_t, void* to) {
  auto* const code = static_cast<ProgramCode*>(to);
  code->moved_by = object->dlpi_addr;
  for (size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    code->begin = std::min(code->begin, begin);
    code->end = std::max(code->end, begin + part.p_memsz);
  }
  return 1;
}

ProgramCode FindCode() {
  ProgramCode code;
  dl_iterate_phdr(ReadFirst, &code);
  return code;
}

// The last byte of the call itself.
uint64_t BeforeReturn(const void* return_address) {
  return PlaceInProgram(static_cast<const char*>(return_address) - 1);
}

}  // namespace

uint64_t PlaceInProgram(const void* instruction) {
  static const ProgramCode kCode = FindCode();
  const auto address = reinterpret_cast<uintptr_t>(instruction);
  return address >= kCode.begin && address < kCode.end ? address - kCode.moved_by : 0;
}

uint64_t PlaceOfCall(const void* return_address) {
  const uint64_t place = BeforeReturn(return_address);
  return place == 0 && PerThreadCall::IsRunning() ? BeforeReturn(PerThreadCall::caller()) : place;
}

uint64_t PlaceOfAccess(const void* instruction, const void* top_of_stack) {
  const uint64_t place = PlaceInProgram(instruction);
  return place == 0 ? BeforeReturn(top_of_stack) : place;
}

}  // namespace warpgrade::cudart
