#include "grader/emulator/machine/stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/state/execution.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

// a = bytes, imm = alignment. All lanes get the same offset, so the stack grows by the largest size that a lane asks
// for.
void Alloca(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  Frame& frame = CurrentFrame(*x.warp);
  uint64_t most = 0;
  for (LaneMask m = x.mask; m != 0; m &= m - 1) most = std::max(most, Row<uint64_t>(x, i.a)[__builtin_ctz(m)]);
  const uint64_t align = std::max<uint64_t>(16, static_cast<uint64_t>(i.imm));
  const uint64_t top = uint64_t{frame.local_base} + frame.code->local_bytes + frame.dynamic_bytes;
  const uint64_t at = (top + align - 1) / align * align, end = (std::min(most, uint64_t{1} << 40) + at + 15) / 16 * 16;
  if (!FitsLocalMemory(end, frame.guards)) {
    Report(x, i, FindingKind::kStackOverflow, __builtin_ctz(x.mask), 0, 0,
           fmt::format("the stack overflowed: alloca of {} bytes", most));
    return;
  }
  GrowLocal(*x.warp, static_cast<uint32_t>(end));
  if (!x.warp->local_valid.empty()) {  // nothing that an earlier call wrote there is valid now
    for (LaneMask m = x.mask; m != 0; m &= m - 1) {
      std::memset(x.warp->local_valid.data() + static_cast<size_t>(__builtin_ctz(m)) * x.warp->local_stride + at, 0,
                  end - at);
    }
    x.owed += static_cast<uint64_t>(kLanes) * (end - at) / kBytesPerInstruction;
  }
  frame.dynamic_bytes = static_cast<uint32_t>(end - frame.local_base - frame.code->local_bytes);
  for (LaneMask m = x.mask; m != 0; m &= m - 1) Row<uint64_t>(x, i.dst)[__builtin_ctz(m)] = at;
}
void StackSave(Exec& x, const Inst& i) {
  const uint64_t top = CurrentFrame(*x.warp).dynamic_bytes;
  for (LaneMask m = x.mask; m != 0; m &= m - 1) Row<uint64_t>(x, i.dst)[__builtin_ctz(m)] = top;
}
// Diverged lanes share the frame. It shrinks only when all of its lanes restore together, and only to the highest of
// their tops.
void StackRestore(Exec& x, const Inst& i) {
  Frame& frame = CurrentFrame(*x.warp);
  if (x.mask == 0 || x.mask != frame.lanes) return;
  uint64_t top = 0;
  for (LaneMask m = x.mask; m != 0; m &= m - 1) top = std::max(top, Row<uint64_t>(x, i.a)[__builtin_ctz(m)]);
  frame.dynamic_bytes = static_cast<uint32_t>(std::min<uint64_t>(top, frame.dynamic_bytes));
}

const HandlerEntry kHandlers[] = {{"alloca", Alloca}, {"stacksave", StackSave}, {"stackrestore", StackRestore}};

}  // namespace

HandlerSpan StackHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator
