// Looks up the values: those that are read lie in memory, those that are written lie in the registers of the warp.
// Tested by tests/emulator/exec/steps_test.cc.
#include "grader/emulator/machine/step_notes.h"

#include <algorithm>
#include <cstring>

#include "grader/emulator/checks/place_name.h"
#include "grader/emulator/recorders/step_recorder.h"

namespace warpgrade::emulator {
namespace {

// The value in memory at an address that the access may touch.
uint64_t InMemory(const Exec& x, RequestSpace space, uint64_t at, size_t bytes) {
  uint64_t value = 0;
  if (space == RequestSpace::kGlobal) {
    std::memcpy(&value, x.launch->memory->Host(at), bytes);
  } else if (at + bytes <= x.block->shared.size()) {
    std::memcpy(&value, x.block->shared.data() + at, bytes);
  }
  return value;
}

uint64_t InRegister(const Exec& x, uint32_t row, int lane, size_t bytes) {
  const uint8_t* const registers = x.frame + row;
  const size_t cell = bytes <= 4 ? 4 : 8;
  uint64_t value = 0;
  std::memcpy(&value, registers + static_cast<size_t>(lane) * cell, bytes);
  return value;
}

// Whether the handler of this instruction moves values between memory and registers as ld, st and atom do.
bool MovesValues(const Exec& x, const Inst& i) {
  const ptx::Instruction* const inst = x.launch->program->origins[i.index].instruction;
  return inst != nullptr && (inst->Is(ptx::kLoads | ptx::kStores | ptx::kAtomic));
}

}  // namespace

void NoteStep(Exec& x, const Inst& i, RequestSpace space, const uint64_t* a, uint64_t offset, LaneMask mask, int size,
              AccessKind kind) {
  StepRecorder& steps = *x.steps;
  if (!steps.IsOf(x.block->linear)) return;
  const int elements = std::max<int>(i.vector, 1);
  const auto bytes = static_cast<size_t>(size / elements);
  const bool is_known = MovesValues(x, i) && bytes >= 1 && bytes <= 8 &&
                        bytes * static_cast<size_t>(elements) == static_cast<size_t>(size);
  const StepDoes does = kind == AccessKind::kRead    ? StepDoes::kRead
                        : kind == AccessKind::kWrite ? StepDoes::kWrite
                                                     : StepDoes::kAtomic;
  steps.Request(i.index, x.warp->index, does, space == RequestSpace::kShared ? StepSpace::kShared : StepSpace::kGlobal,
                mask, x.block->shared);
  if (!is_known) {
    steps.LeaveOut(static_cast<uint64_t>(__builtin_popcount(mask)));
    return;
  }
  const uint32_t* const rows = elements == 1 ? &i.dst : x.vectors[i.vectors].rows;
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    for (int k = 0; k < elements; ++k) {
      StepRecorder::Value value{a[lane] + offset + static_cast<uint64_t>(k) * bytes, static_cast<uint8_t>(bytes),
                                static_cast<uint8_t>(k)};
      if (kind == AccessKind::kRead) {
        value.value = InMemory(x, space, value.at, bytes);
      } else if (kind == AccessKind::kWrite) {
        value.value = InRegister(x, rows[k], lane, bytes);
      } else if (space == RequestSpace::kShared) {
        value.other = InMemory(x, space, value.at, bytes);
      } else {
        value.value = InRegister(x, i.b, lane, bytes);
      }
      steps.Lane(lane, value);
    }
  }
}

void NoteShuffle(Exec& x, const Inst& i, const uint32_t* offered, const std::array<uint8_t, kLanes>& from) {
  StepRecorder& steps = *x.steps;
  if (!steps.IsOf(x.block->linear)) return;
  steps.Request(i.index, x.warp->index, StepDoes::kShuffle, StepSpace::kRegisters, x.mask, x.block->shared);
  const auto first = static_cast<uint64_t>(x.warp->index) * kLanes;
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const uint8_t source = from[static_cast<size_t>(lane)];
    steps.Lane(lane, {first + source, sizeof(uint32_t), 0, offered[source], offered[lane]});
  }
}

NameOfPlace NamesOfPlaces(const Program& program, const GlobalMemory& memory, uint64_t shared_bytes) {
  return [&program, &memory, shared_bytes](StepSpace space, uint64_t at) {
    const NamedArray array =
        space == StepSpace::kGlobal ? GlobalArrayAt(memory, at) : SharedArrayAt(program, at, shared_bytes);
    return StepArray{array.name, array.base, array.bytes};
  };
}

}  // namespace warpgrade::emulator
