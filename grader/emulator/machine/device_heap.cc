#include "grader/emulator/machine/device_heap.h"

#include <algorithm>
#include <cstring>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/memory/global_memory.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

const Frame& CallersFrame(const Exec& x) {
  const Warp& w = *x.warp;
  return w.frames[static_cast<size_t>(w.fragments[static_cast<size_t>(w.current)].frame)];
}
uint8_t* Slot(Exec& x, const Frame& frame, int lane, uint32_t offset) {
  return x.warp->local.data() + static_cast<size_t>(lane) * x.warp->local_stride + frame.local_base + offset;
}
uint64_t Argument(Exec& x, const Frame& frame, const CallSite& site, int lane) {
  uint64_t v = 0;
  if (!site.arguments.empty()) {
    std::memcpy(&v, Slot(x, frame, lane, site.arguments[0].from), std::min<size_t>(sizeof(v), site.arguments[0].bytes));
  }
  return v;
}

}  // namespace

void DeviceMalloc(Exec& x, const Inst& i) {
  const Frame& frame = CallersFrame(x);
  const CallSite& site = frame.code->calls[i.call];
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const uint64_t bytes = Argument(x, frame, site, lane);
    const uint64_t address = x.launch->memory->AllocateInKernel(bytes, x.launch->options->heap_bytes);
    x.owed += kHeapCosts + (address != 0 ? bytes / kBytesPerInstruction : 0);
    if (site.returns.empty()) continue;
    const size_t size = std::min<size_t>(sizeof(address), site.returns[0].bytes);
    uint8_t* const to = Slot(x, frame, lane, site.returns[0].to);
    std::memcpy(to, &address, size);
    Warp& w = *x.warp;
    if (!w.local_valid.empty()) std::memset(w.local_valid.data() + (to - w.local.data()), 1, size);
  }
}

void DeviceFree(Exec& x, const Inst& i) {
  const Frame& frame = CallersFrame(x);
  const CallSite& site = frame.code->calls[i.call];
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const uint64_t address = Argument(x, frame, site, lane);
    if (address == 0) continue;
    x.owed += kHeapCosts;
    Status freed = x.launch->memory->FreeInKernel(address);
    if (freed) continue;
    const bool twice = x.launch->memory->WasFreed(address);
    Report(x, i, twice ? FindingKind::kDoubleFree : FindingKind::kInvalidFree, lane, address, 0, freed.error().message);
  }
  x.allocation = AllocationCache{};  // it may describe the freed allocation
}

}  // namespace warpgrade::emulator
