// Chooses the advice by the cause of a race: a read-modify-write wants an atomic; blocks want a fence or two launches;
// threads of a block want a barrier, and program/barrier_place.h says where. A __syncwarp() is advised only where no
// other warp was seen to take part and a __syncthreads() could not stand. Tested by
// tests/emulator/exec/race_advice_test.cc.
#include "grader/emulator/checks/race_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "grader/emulator/program/barrier_place.h"

namespace warpgrade::emulator {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

// The two accesses of a race, in the function that contains both.
struct Site {
  const Function* function = nullptr;  // null: they are in two functions
  int32_t a = -1, b = -1;              // indices in its body
  const Instruction& A() const { return function->body[static_cast<size_t>(a)]; }
  const Instruction& B() const { return function->body[static_cast<size_t>(b)]; }
};

Site SiteOf(const Program& program, uint32_t inst_a, uint32_t inst_b) {
  Site site;
  const InstOrigin& a = program.origins[inst_a];
  const InstOrigin& b = program.origins[inst_b];
  if (a.instruction == nullptr || b.instruction == nullptr || a.function != b.function) return site;
  const Function* function = program.functions[static_cast<size_t>(a.function)].function;
  if (function == nullptr) return site;
  const Instruction* body = function->body.data();
  const auto inside = [&](const Instruction* i) { return i >= body && i < body + function->body.size(); };
  if (!inside(a.instruction) || !inside(b.instruction)) return site;
  site.function = function;
  site.a = static_cast<int32_t>(a.instruction - body);
  site.b = static_cast<int32_t>(b.instruction - body);
  return site;
}

// --- read-modify-write

const Operand* AddressOf(const Instruction& i) {
  for (const Operand& o : i.operands) {
    if (o.kind == OperandKind::kAddress) return &o;
  }
  return nullptr;
}
bool SameAddress(const Operand* a, const Operand* b) {
  return a != nullptr && b != nullptr && a->reg == b->reg && a->name == b->name && a->variable == b->variable &&
         a->offset == b->offset && a->bits == b->bits;
}
bool Writes(const Instruction& i, int32_t reg) {
  return !i.Is(ptx::kStores) && !i.operands.empty() && i.operands[0].kind == OperandKind::kRegister &&
         i.operands[0].reg == reg;
}

const char* AtomicLike(const Instruction& i) {
  static constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"add", "atomicAdd()"}, {"fma", "atomicAdd()"}, {"mad", "atomicAdd()"}, {"min", "atomicMin()"},
      {"max", "atomicMax()"}, {"and", "atomicAnd()"}, {"or", "atomicOr()"},   {"xor", "atomicXor()"},
  };
  for (const auto& [opcode, name] : kNames) {
    if (i.opcode == opcode) return name;
  }
  if (i.opcode == "sub") return i.Has("f32") || i.Has("f64") ? "atomicAdd()" : "atomicSub()";
  return "an atomic function, or a loop around atomicCAS(),";
}

// The atomic that can replace the load, the arithmetic and the store that `store` ends. Null: there is no such load.
const char* AtomicFor(const Function& f, int32_t store) {
  constexpr int kFarthest = 64;  // instructions
  const Instruction& st = f.body[static_cast<size_t>(store)];
  const Operand* address = AddressOf(st);
  if (!st.Is(ptx::kStores) || st.operands.size() < 2 || address == nullptr) return nullptr;
  int32_t value = st.operands[1].reg;
  std::vector<int32_t> wanted = {value};  // registers that the stored value comes from
  const char* name = nullptr;
  for (int32_t k = store - 1; k >= 0 && k >= store - kFarthest; --k) {
    const Instruction& i = f.body[static_cast<size_t>(k)];
    if (i.Is(ptx::kBranches | ptx::kBranchesByIndex | ptx::kEndsFunction)) return nullptr;
    if (address->reg >= 0 && Writes(i, address->reg)) return nullptr;
    const auto found = std::find_if(wanted.begin(), wanted.end(), [&](int32_t r) { return r >= 0 && Writes(i, r); });
    if (found == wanted.end()) continue;
    if (i.Is(ptx::kReads)) {
      if (SameAddress(AddressOf(i), address)) return name == nullptr ? "atomicExch()" : name;
      continue;
    }
    const bool converts = i.opcode == "cvt" || i.opcode == "mov";
    if (name == nullptr && !converts) name = AtomicLike(i);
    wanted.erase(found);
    for (size_t o = 1; o < i.operands.size(); ++o) wanted.push_back(i.operands[o].reg);
  }
  return nullptr;
}

const char* AtomicFor(const Site& site) {
  if (site.function == nullptr || !SameAddress(AddressOf(site.A()), AddressOf(site.B()))) return nullptr;
  const bool stores = site.A().Is(ptx::kStores) || site.B().Is(ptx::kStores);
  const bool others = site.A().Is(ptx::kAtomic) || site.B().Is(ptx::kAtomic);
  if (!stores || others) return nullptr;
  return AtomicFor(*site.function, site.B().Is(ptx::kStores) ? site.b : site.a);
}

// Some thread takes a lock.
bool HasLock(const Program& program) {
  return std::any_of(program.polls.begin(), program.polls.end(), [&](uint32_t inst) {
    const Instruction* i = program.origins[inst].instruction;
    return i != nullptr && i->Is(ptx::kAtomic);
  });
}

// --- barriers

struct Words {
  std::string lacks;   // ends the message
  std::string advice;  // "": that of the kind
};

class BarrierWords {
 public:
  BarrierWords(const BarrierPlaces& places, const Site& site, bool warp) : places_(places), site_(site), warp_(warp) {}

  Words Make() const {
    Order ab = OrderOf(site_.a, site_.b), ba = OrderOf(site_.b, site_.a);
    const bool one_line = places_.LineOf(site_.a) == places_.LineOf(site_.b);
    // A line that reads and then writes: in a loop without any barrier, it is the next turn that reads what was
    // written.
    if (one_line && ab == OpenWay::kSameTurn && ba == OpenWay::kNextTurn) ab = OpenWay::kNone;
    if (one_line && ba == OpenWay::kSameTurn && ab == OpenWay::kNextTurn) ba = OpenWay::kNone;
    const bool same_turn = ab == OpenWay::kSameTurn || ba == OpenWay::kSameTurn;
    const bool next_turn = ab == OpenWay::kNextTurn || ba == OpenWay::kNextTurn;
    Words words;
    words.lacks = fmt::format(", with no {} between {}", Name(),
                              next_turn && !same_turn ? "one turn of the loop and the next" : "the two");
    if (same_turn) words.advice = InTurn(ab == OpenWay::kSameTurn, one_line);
    if (next_turn) words.advice += same_turn ? ", and another one " + AfterTurn() : Put() + AfterTurn() + Why();
    if (!same_turn && !next_turn) words.advice = Put() + "between the two accesses" + Everybody();
    return words;
  }

 private:
  using Order = OpenWay;

  const char* Name() const { return warp_ ? "__syncwarp()" : "__syncthreads()"; }
  std::string Put() const { return fmt::format("put a {} ", Name()); }
  const char* Everybody() const {
    return warp_ ? ", because the lanes of a warp do not run in lockstep"
                 : ", where every thread of the block reaches it";
  }
  const char* Why() const {
    return warp_ ? ", because the lanes of a warp do not run in lockstep"
                 : "; without it, some threads begin the next turn while others are still in this one";
  }

  // An unrolled loop is straight code in which the next turn's lines come again.
  Order OrderOf(int32_t from, int32_t to) const {
    const OpenWay way = places_.Way(from, to, warp_ ? BarrierReach::kWarp : BarrierReach::kBlock);
    if (way != OpenWay::kSameTurn) return way;
    const int first = places_.LineOf(from), second = places_.LineOf(to);
    const bool stored = site_.function->body[static_cast<size_t>(from)].Is(ptx::kStores);
    const bool stores = site_.function->body[static_cast<size_t>(to)].Is(ptx::kStores);
    return second < first || (second == first && stored && !stores) ? OpenWay::kNextTurn : way;
  }

  std::string InTurn(bool a_first, bool one_line) const {
    const int32_t first = a_first ? site_.a : site_.b, second = a_first ? site_.b : site_.a;
    const bool apart = !warp_ && places_.Divergent(first) && places_.Divergent(second);
    if (one_line && places_.LineOf(first) > 0) {
      return fmt::format("read into a variable first, then {}, then write: line {} reads what other threads write{}",
                         Name(), places_.LineOf(first),
                         apart ? "; the barrier must stand where every thread of the block reaches it" : "");
    }
    const int line = places_.LineBefore(first, second);
    if (!warp_ && line > 0) return fmt::format("put a {} before line {}{}", Name(), line, Everybody());
    std::string between = "between the two accesses";
    if (places_.LineOf(first) > 0 && places_.LineOf(second) > places_.LineOf(first)) {
      between = fmt::format("between line {} and line {}", places_.LineOf(first), places_.LineOf(second));
    }
    if (!apart) return Put() + between + Everybody();
    return Put() + between +
           ", outside of the branch or loop that only some threads take: end it before the barrier and begin it again "
           "after it";
  }

  std::string AfterTurn() const {
    const LoopLines loop = places_.LoopOf(site_.a, site_.b);
    const int last = std::max({loop.last, places_.LineOf(site_.a), places_.LineOf(site_.b)});
    if (last == 0) return "at the end of the loop's body";
    std::string place = fmt::format("at the end of the loop's body, after line {}", last);
    if (loop.first > 0 && loop.first < last) {
      place = fmt::format("at the end of the body of the loop in line {}, after line {}", loop.first, last);
    }
    if (!warp_ && loop.first > 0 && !loop.uniform) place += ", and let all threads of the block take every turn";
    if (!warp_ && places_.Divergent(site_.a) && (loop.first == 0 || loop.uniform)) place += " and outside of the `if`";
    return place;
  }

  const BarrierPlaces& places_;
  const Site& site_;
  const bool warp_;
};

// --- blocks

Words AcrossBlocks(const LaunchShared& launch) {
  if (launch.sync != nullptr) {
    return {
        "; the two blocks are not ordered: a __threadfence() must stand between the first access and the flag or "
        "atomic that announces it, which the second must read",
        "put a __threadfence() after the first access and before the flag or atomic that announces it, and another "
        "one after the other block has read that"};
  }
  return {"; blocks run in any order, and nothing orders these two",
          "let no block write what another one uses: write to another array, use an atomic, or split the kernel into "
          "two launches"};
}

class RaceAdviser {
 public:
  explicit RaceAdviser(const LaunchShared& launch) : launch_(launch) {}

  Words WordsFor(const PendingFinding& race, RaceReach reach) {
    const Site site = SiteOf(*launch_.program, race.other_inst, race.inst);
    Words words = race.one_instruction ? Words{"", "let one thread write, or use an atomic"} : Missing(site, reach);
    if (const char* atomic = AtomicFor(site)) {
      words.advice =
          fmt::format("use {}: between this thread's read and its write, another thread changes the value", atomic);
      if (HasLock(*launch_.program)) {
        words.advice +=
            "; or, if a lock protects it, put a __threadfence() after the lock is taken and before it is "
            "given back";
      }
    }
    return words;
  }

 private:
  Words Missing(const Site& site, RaceReach reach) {
    if (reach == RaceReach::kGrid) return AcrossBlocks(launch_);
    const bool one_warp = launch_.block.Count() <= kLanes;
    const BarrierPlaces* places = PlacesOf(site);
    if (places == nullptr) {
      const bool warp = reach == RaceReach::kWarp && one_warp;
      const char* name = warp ? "__syncwarp()" : "__syncthreads()";
      return {fmt::format(", with no {} between the two", name), ""};
    }
    const bool apart = (places->Divergent(site.a) && places->Divergent(site.b)) ||
                       (places->AfterExitByNumber(site.a) && places->AfterExitByNumber(site.b));
    const bool warp = reach == RaceReach::kWarp && (one_warp || apart);
    Words words = BarrierWords(*places, site, warp).Make();
    if (site.a == site.b) words.advice = "let one thread write each element, or use an atomic";
    return words;
  }

  const BarrierPlaces* PlacesOf(const Site& site) {
    if (site.function == nullptr) return nullptr;
    std::unique_ptr<BarrierPlaces>& places = places_[site.function];
    if (places == nullptr) places = std::make_unique<BarrierPlaces>(*launch_.program->module, *site.function);
    return places->known() ? places.get() : nullptr;
  }

  const LaunchShared& launch_;
  std::map<const Function*, std::unique_ptr<BarrierPlaces>> places_;
};

bool IsRace(const PendingFinding& p) {
  return p.finding.kind == FindingKind::kSharedRace || p.finding.kind == FindingKind::kGlobalRace ||
         p.finding.kind == FindingKind::kUnorderedVolatile;
}

}  // namespace

void CompleteRaces(const LaunchShared& launch, std::vector<PendingFinding>* findings) {
  // Of several pairs of instructions in the same two lines, the farthest reach counts for all.
  using Lines = std::tuple<std::string, int, int>;
  std::map<Lines, RaceReach> reach;
  const auto lines_of = [](const Finding& f) { return Lines(f.file, f.line, f.other_line); };
  for (const PendingFinding& p : *findings) {
    if (!IsRace(p)) continue;
    RaceReach& farthest = reach.try_emplace(lines_of(p.finding), p.reach).first->second;
    farthest = std::max(farthest, p.reach);
  }
  RaceAdviser adviser(launch);
  for (PendingFinding& p : *findings) {
    if (!IsRace(p)) continue;
    Words words = adviser.WordsFor(p, reach[lines_of(p.finding)]);
    p.finding.message += words.lacks;
    p.finding.advice = std::move(words.advice);
  }
}

}  // namespace warpgrade::emulator
