// Several threads often make the same fault: they share one finding, which names the first of them in the order of the
// blocks, so that it does not depend on which host thread came first. Tested by
// tests/emulator/exec/local_access_test.cc, and by each test that expects a finding.
#include "grader/emulator/checks/report.h"

#include <algorithm>
#include <utility>

namespace warpgrade::emulator {

LaunchStatus StatusOf(FindingKind kind) {
  constexpr LaunchStatus kStatus[] = {
#define WARPGRADE_FINDING(kind, name, effect, status) LaunchStatus::status,
#include "grader/emulator/checks/finding_kinds.def"
#undef WARPGRADE_FINDING
  };
  return kStatus[static_cast<size_t>(kind)];
}

namespace {

// In block order.
uint64_t ThreadOf(const Exec& x, int lane) {
  return static_cast<uint64_t>(x.warp->index) * kLanes + static_cast<uint64_t>(lane);
}

uint64_t OrderOf(const Exec& x, int lane) { return x.block->linear * 1024 + ThreadOf(x, lane); }

PendingFinding* Known(const Exec& x, const Inst& inst, FindingKind kind) {
  const auto at = std::find_if(x.findings->begin(), x.findings->end(), [&](const PendingFinding& seen) {
    return seen.inst == inst.index && seen.finding.kind == kind;
  });
  return at != x.findings->end() ? &*at : nullptr;
}

// Where the instruction is for the student. If it is in a function of a header that is called, that is the nearest
// call outside of headers.
const InstOrigin& PlaceOf(const Exec& x, const Inst& inst) {
  const auto& origins = x.launch->program->origins;
  const InstOrigin* const own = &origins[inst.index];
  const Warp& w = *x.warp;
  if (!own->is_in_header || w.current < 0 || static_cast<size_t>(w.current) >= w.fragments.size()) return *own;
  const Frame* frame = &CurrentFrame(w);
  if (frame->code != &x.launch->program->functions[static_cast<size_t>(own->function)]) return *own;
  const InstOrigin* place = own;
  while (place->is_in_header && frame->return_join >= 0) {
    const Join& back = w.joins[static_cast<size_t>(frame->return_join)];
    frame = &w.frames[static_cast<size_t>(back.frame)];
    if (back.pc > 0) place = &origins[frame->code->code[static_cast<size_t>(back.pc - 1)].index];
  }
  return place->is_in_header ? *own : *place;
}

}  // namespace

bool CountAgain(Exec& x, const Inst& inst, FindingKind kind, int lane) {
  PendingFinding* const known = Known(x, inst, kind);
  if (known == nullptr || OrderOf(x, lane) < known->order) return false;
  ++known->finding.count;
  return true;
}

void Report(Exec& x, const Inst& inst, FindingKind kind, int lane, uint64_t address, int access_bytes,
            std::string message) {
  const LaunchShared& launch = *x.launch;
  if (StopsAtOnce(kind)) {
    int none = 0;
    x.launch->fatal.compare_exchange_strong(none, static_cast<int>(StatusOf(kind)));
    x.leave = true;
  }
  const uint64_t thread = ThreadOf(x, lane), order = OrderOf(x, lane);
  PendingFinding* known = Known(x, inst, kind);
  if (known != nullptr) {
    ++known->finding.count;
    if (order >= known->order) return;
  } else {
    known = &x.findings->emplace_back();
  }
  PendingFinding& p = *known;
  p.order = order;
  p.inst = inst.index;
  const InstOrigin& origin = PlaceOf(x, inst);
  p.finding.kind = kind;
  p.finding.kernel = launch.kernel_name;
  if (origin.file >= 0 && static_cast<size_t>(origin.file) < launch.program->module->files.size()) {
    p.finding.file = launch.program->module->files[static_cast<size_t>(origin.file)];
  }
  p.finding.line = origin.line;
  const ptx::Instruction* const instruction = launch.program->origins[inst.index].instruction;
  p.finding.ptx_line = instruction != nullptr ? instruction->ptx_line : 0;
  p.finding.block = x.block->id;
  const Dim3& shape = launch.block;
  uint32_t t = static_cast<uint32_t>(thread);
  p.finding.thread = Dim3{t % shape.x, t / shape.x % shape.y, t / shape.x / shape.y};
  p.finding.address = address;
  p.finding.access_bytes = access_bytes;
  p.finding.message = std::move(message);
}

}  // namespace warpgrade::emulator
