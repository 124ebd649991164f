// Builds the message of a race: which two accesses, to what, by which threads, and which synchronisation is missing.
// Tested by tests/emulator/exec/race_test.cc and global_race_test.cc.
#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <tuple>
#include <utility>

#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/checks/place_name.h"
#include "grader/emulator/checks/race_check.h"
#include "grader/emulator/checks/report.h"

namespace warpgrade::emulator {
namespace {

constexpr size_t kMostPairs = 512;  // for each host thread; later pairs are dropped

struct Party {
  AccessId id;
  uint32_t inst;
  uint64_t block;  // linear
  Dim3 block_id, thread;
};

// The full linear number of a block near `near`, of which an AccessId keeps only the low 24 bits.
uint64_t FullBlock(uint64_t near, uint32_t low) { return (near & ~uint64_t{0xFFFFFF}) | low; }

Party MakeParty(const Exec& x, AccessId id, uint32_t inst) {
  const Dim3& grid = x.launch->grid;
  const Dim3& shape = x.launch->block;
  Party p{id, inst, FullBlock(x.block->linear, BlockOf(id)), {}, {}};
  p.block_id = Dim3{static_cast<uint32_t>(p.block % grid.x), static_cast<uint32_t>(p.block / grid.x % grid.y),
                    static_cast<uint32_t>(p.block / grid.x / grid.y)};
  uint32_t t = WarpOf(id) * kLanes + LaneOf(id);
  p.thread = Dim3{t % shape.x, t / shape.x % shape.y, t / shape.x / shape.y};
  return p;
}

uint64_t OrderOf(const Party& p) { return p.block * 1024 + WarpOf(p.id) * kLanes + LaneOf(p.id); }

// The place of an instruction in the source, to find the later line of two.
std::tuple<int32_t, int, uint32_t> PlaceOf(const Exec& x, uint32_t inst) {
  const InstOrigin& o = x.launch->program->origins[inst];
  return {o.file, o.line, inst};
}

const char* Verb(const Exec& x, uint32_t inst) {
  const ptx::Instruction* i = x.launch->program->origins[inst].instruction;
  if (i == nullptr) return "accessed";
  if (i->Is(ptx::kAtomic)) return "did an atomic on";
  return i->Is(ptx::kReads) ? "read" : "wrote";
}

std::string File(const Exec& x, const InstOrigin& o) {
  const auto& files = x.launch->program->module->files;
  return o.file >= 0 && static_cast<size_t>(o.file) < files.size() ? files[static_cast<size_t>(o.file)] : "";
}

// `what`: the place in memory.
std::string Message(const Exec& x, const std::string& what, const Party& here, const Party& there,
                    bool one_instruction) {
  const InstOrigin& other = x.launch->program->origins[there.inst];
  std::string who = fmt::format("thread ({},{},{})", there.thread.x, there.thread.y, there.thread.z);
  if (here.block != there.block) {
    who += fmt::format(" of block ({},{},{})", there.block_id.x, there.block_id.y, there.block_id.z);
  }
  if (one_instruction) {
    return fmt::format(
        "wrote {} while {} writes another value there in the same instruction: it is undefined which value remains",
        what, who);
  }
  std::string where = other.line > 0 ? fmt::format(" in line {}", other.line) : "";
  if (other.line == 0 && other.instruction != nullptr) {
    where = fmt::format(" in line {} of the PTX", other.instruction->ptx_line);
  }
  // CompleteRaces() adds what is missing between the two.
  return fmt::format("{} {} that {} {}{}", Verb(x, here.inst), what, who, Verb(x, there.inst), where);
}

void SetParties(const Exec& x, const Party& here, const Party& there, Finding* f) {
  const InstOrigin& origin = x.launch->program->origins[here.inst];
  const InstOrigin& other = x.launch->program->origins[there.inst];
  f->file = File(x, origin);
  f->line = origin.line;
  f->ptx_line = origin.instruction != nullptr ? origin.instruction->ptx_line : 0;
  f->block = here.block_id;
  f->thread = here.thread;
  f->verb = Verb(x, here.inst);
  f->other_file = File(x, other);
  f->other_line = other.line > 0 ? other.line : (other.instruction != nullptr ? other.instruction->ptx_line : 0);
  f->other_block = there.block_id;
  f->other_thread = there.thread;
  f->other_verb = Verb(x, there.inst);
}

}  // namespace

void ReportRace(Exec& x, const Inst& inst, bool global, int lane, uint64_t address, int size,
                const RacePartner& before) {
  // An access by several lanes has the first of them as its lane, and the next one took part as well.
  AccessId me = WithLane(CurrentAccess(x), static_cast<uint32_t>(lane)), partner = before.id;
  if (ThreadBits(me) == ThreadBits(partner & ~kManyLanes)) {
    AccessId& many = IsMany(partner) ? partner : me;
    if (LaneOf(many) + 1 < kLanes) many += AccessId{1} << 1;
  }
  Party here = MakeParty(x, me, inst.index);
  Party there = MakeParty(x, partner, InstOf(before.meta));
  // The finding is reported at the later line, or at the later access if both are on one line.
  if (PlaceOf(x, there.inst) > PlaceOf(x, here.inst)) std::swap(here, there);
  const FindingKind kind = before.both_volatile ? FindingKind::kUnorderedVolatile
                           : global             ? FindingKind::kGlobalRace
                                                : FindingKind::kSharedRace;
  const uint64_t order = OrderOf(here);
  const bool same_block = here.block == there.block;
  const RaceReach reach = !same_block ? RaceReach::kGrid
                          : WarpOf(here.id) != WarpOf(there.id) || x.launch->program->wave_lanes != kLanes
                              ? RaceReach::kBlock
                              : RaceReach::kWarp;
  PendingFinding* known = nullptr;
  for (PendingFinding& seen : *x.findings) {
    if (seen.inst == here.inst && seen.other_inst == there.inst && seen.finding.kind == kind) known = &seen;
  }
  if (known != nullptr) {
    ++known->finding.count;
    if (reach < known->finding.reach ||
        (reach == known->finding.reach && std::tie(order, address) >= std::tie(known->order, known->finding.address))) {
      return;
    }
  } else {
    if (x.findings->size() >= kMostPairs) return;
    known = &x.findings->emplace_back();
  }
  known->order = order;
  known->one_instruction = before.one_instruction;
  known->inst = here.inst;
  known->other_inst = there.inst;
  Finding& f = known->finding;
  f.kind = kind;
  f.reach = reach;
  f.kernel = x.launch->kernel_name;
  f.block_size = x.launch->block;
  f.address = address;
  f.access_bytes = size;
  SetParties(x, here, there, &f);
  const int element = size / std::max<int>(1, inst.vector);
  f.place = global ? GlobalPlace(*x.launch->memory, address, element) : SharedPlace(*x.launch, address, element);
  f.message = Message(x, f.place, here, there, before.one_instruction);
}

}  // namespace warpgrade::emulator
