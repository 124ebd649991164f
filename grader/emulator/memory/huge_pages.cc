// Tested by tests/emulator/global_memory_test.cc.
#include "grader/emulator/memory/huge_pages.h"

#include <sys/mman.h>

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;

// Failure is no harm: the system may be built without huge pages.
void Advise(void* from, uint64_t bytes, int advice) {
  const uint64_t start = reinterpret_cast<uint64_t>(from);
  const uint64_t first = (start + kHugePage - 1) / kHugePage, past = (start + bytes) / kHugePage;
  if (past > first) madvise(reinterpret_cast<void*>(first * kHugePage), (past - first) * kHugePage, advice);
}

}  // namespace

void PreferHugePages(void* from, uint64_t bytes) { Advise(from, bytes, MADV_HUGEPAGE); }
void PreferSmallPages(void* from, uint64_t bytes) { Advise(from, bytes, MADV_NOHUGEPAGE); }

}  // namespace warpgrade::emulator
