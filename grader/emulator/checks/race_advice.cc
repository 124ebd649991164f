// Chooses the advice by the cause of a race: a read-modify-write wants an atomic; blocks want a fence, a counter that
// starts at 0, or two launches; threads of a block want a barrier, and barrier_words.h says where. A __syncwarp() is
// advised only where no other warp can take part and a __syncthreads() could not stand. Races that one barrier ends get
// one advice. A barrier that not all threads reach gets its place in a loop. Tested by
// tests/emulator/exec/race_advice_test.cc.
#include "grader/emulator/checks/race_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "grader/emulator/checks/barrier_words.h"
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

struct Words {
  std::string lacks;   // ends the message
  std::string advice;  // what to do
};

// Some thread takes a lock.
bool HasLock(const Program& program) {
  return std::any_of(program.polls.begin(), program.polls.end(), [&](uint32_t inst) {
    const Instruction* i = program.origins[inst].instruction;
    return i != nullptr && i->Is(ptx::kAtomic);
  });
}

// --- blocks

bool IsDeviceFence(const Instruction& i) { return i.Is(ptx::kFences) && !i.Has("cta"); }

// The atomic with which blocks count how many of them have arrived, if all that it needs is there: the writer executes
// a fence and then counts, and the reader counts and then executes a fence. -1: there is none.
int32_t FencedCounter(const BarrierPlaces& places, const Site& site) {
  const bool a_writes = site.A().Is(ptx::kStores), b_writes = site.B().Is(ptx::kStores);
  if (a_writes == b_writes) return -1;
  const int32_t write = a_writes ? site.a : site.b, read = a_writes ? site.b : site.a;
  const auto& body = site.function->body;
  for (int32_t k = write + 1; static_cast<size_t>(k) < body.size(); ++k) {
    if (!body[static_cast<size_t>(k)].Is(ptx::kAtomic)) continue;
    bool before = false, after = false;
    for (int32_t f = write + 1; f < read; ++f) {
      if (!IsDeviceFence(body[static_cast<size_t>(f)]) || !places.Together(f, k)) continue;
      before = before || (f < k && places.Together(write, f));
      after = after || f > k;
    }
    if (before && after && k < read) return k;
  }
  return -1;
}

// Some access besides these two could tell another block that the first one is done.
bool HasFlag(const Program& program, const Site& site) {
  if (site.function == nullptr || program.watches_flags) return true;
  return std::any_of(program.origins.begin(), program.origins.end(), [&](const InstOrigin& origin) {
    const Instruction* i = origin.instruction;
    if (i == nullptr || i == &site.A() || i == &site.B() || i->Has("shared")) return false;
    return i->Is(ptx::kAtomic | ptx::kCalls) || i->Has("volatile") || i->Has("relaxed") || i->Has("acquire") ||
           i->Has("release");
  });
}

// What helps where no flag announces anything.
Words NoFlag(const LaunchShared& launch, const Site& site) {
  // An atomic lets several blocks write one element. It does not make one of them wait.
  const char* const lacks = "; blocks run in any order, and nothing orders these two";
  const bool known = site.function != nullptr;
  if (known && site.A().Is(ptx::kAtomic) && site.B().Is(ptx::kAtomic)) {
    return {lacks, "use the atomic function without `_block` in its name: the one with it is for threads of one block"};
  }
  const bool atomic = known && (site.A().Is(ptx::kAtomic) || site.B().Is(ptx::kAtomic));
  const bool both_write = known && site.A().Is(ptx::kStores) && site.B().Is(ptx::kStores);
  if (both_write && site.a == site.b) {
    return {lacks,
            "let each element be written by one block: does the index contain blockIdx.x? If several blocks must write "
            "one element, use an atomic, or split the kernel into two launches"};
  }
  std::string advice = "let no block write data that another block uses: write to another array, ";
  if (!atomic && (both_write || !known)) advice += "use an atomic, ";
  advice += "or split the kernel into two launches";
  if (atomic) advice += "; an atomic makes no block wait";
  if (!atomic && launch.sync != nullptr) advice += "; a __threadfence() makes no block wait";
  return {lacks, advice};
}

Words AcrossBlocks(const LaunchShared& launch, const BarrierPlaces* places, const Site& site) {
  if (launch.sync == nullptr || !HasFlag(*launch.program, site)) return NoFlag(launch, site);
  const int32_t counter = places == nullptr ? -1 : FencedCounter(*places, site);
  if (counter >= 0 && places->LineOf(counter) > 0) {
    const int line = places->LineOf(counter);
    return {fmt::format("; the fences are there, but the reading block went on before the other block had counted in "
                        "line {}: the counter did not begin at 0, or it is compared with a wrong number",
                        line),
            fmt::format("set the counter of line {} to 0 before each launch, or let the last block set it back to 0; "
                        "compare it with the number of blocks",
                        line)};
  }
  return {
      "; nothing orders the two blocks: between the first access and the flag or atomic that announces it there must "
      "be a __threadfence(), and the second block must read this flag before its access",
      "put a __threadfence() after the first access and before the flag or atomic that announces it, and another one "
      "in the second block, after it has read the flag"};
}

// --- a barrier that not all threads reach

// Out of the loop as well, the barrier would leave a race of its iterations. "": it is in no such loop.
std::string BarrierInLoop(const BarrierPlaces& places, const Site& site) {
  if (!places.Divergent(site.a)) return "";
  const LoopLines loop = places.LoopOf(site.a, site.a);
  if (loop.first == 0 || !loop.uniform) return "";
  return fmt::format(
      "move the barrier out of the branch, and leave it in the loop in line {}: all threads of the block must reach it "
      "in each iteration",
      loop.first);
}

// --- all races of a launch

// Races in the same two lines.
struct Group {
  std::vector<PendingFinding*> races;
  std::vector<RacePair> pairs;
  Site site;  // of the first race
  const BarrierPlaces* places = nullptr;
  RaceReach reach = RaceReach::kWarp;  // the farthest
  bool warp = false;                   // a __syncwarp() is enough
  bool wants_barrier = false;
  BarrierAdvice barrier;
  const Group* leader = nullptr;  // whose barrier ends these races, too
};

class RaceAdviser {
 public:
  explicit RaceAdviser(const LaunchShared& launch) : launch_(launch) {}

  void Add(PendingFinding* race) {
    Group& group = groups_[LinesOf(race->finding)];
    const Site site = SiteOf(*launch_.program, race->other_inst, race->inst);
    if (group.races.empty()) {
      group.site = site;
      group.places = PlacesOf(site);
    }
    // Template arguments differ between kernels, not within one: all pairs are in one function, or are left out.
    if (site.function != nullptr && site.function == group.site.function) group.pairs.push_back({site.a, site.b});
    group.races.push_back(race);
    group.reach = std::max(group.reach, race->finding.reach);
    if (AtomicFor(site) == nullptr && !race->one_instruction && site.a != site.b) group.wants_barrier = true;
  }

  void CompleteDivergence(PendingFinding* divergence) {
    const Site site = SiteOf(*launch_.program, divergence->inst, divergence->inst);
    if (const BarrierPlaces* places = PlacesOf(site)) divergence->finding.advice = BarrierInLoop(*places, site);
  }

  void Complete() {
    for (auto& [lines, group] : groups_) FindBarrier(&group);
    FindLeaders();
    for (auto& [lines, group] : groups_) {
      for (PendingFinding* race : group.races) Complete(group, race);
    }
  }

  // Whether the barrier that another finding asks for ends this race, too.
  bool IsLed(const PendingFinding& race) const {
    const auto found = groups_.find(LinesOf(race.finding));
    return found != groups_.end() && found->second.leader != nullptr && found->second.leader != &found->second;
  }

  // Whether a branch comes to this race only because of what another race has read.
  bool Follows(const PendingFinding& race) {
    const Site site = SiteOf(*launch_.program, race.other_inst, race.inst);
    const BarrierPlaces* places = PlacesOf(site);
    if (places == nullptr || race.finding.reach != RaceReach::kGrid) return false;
    const auto decides = [&](int32_t load) {
      return site.function->body[static_cast<size_t>(load)].Is(ptx::kReads) &&
             (places->Decides(load, site.a) || places->Decides(load, site.b));
    };
    return std::any_of(groups_.begin(), groups_.end(), [&](const auto& entry) {
      const Group& group = entry.second;
      if (group.reach == RaceReach::kGrid || group.site.function != site.function) return false;
      return std::any_of(group.pairs.begin(), group.pairs.end(),
                         [&](const RacePair& pair) { return decides(pair.a) || decides(pair.b); });
    });
  }

 private:
  using Lines = std::tuple<std::string, int, int>;  // file, line, other line
  static Lines LinesOf(const Finding& f) { return {f.file, f.line, f.other_line}; }

  void FindBarrier(Group* group) {
    group->wants_barrier = group->wants_barrier && group->reach != RaceReach::kGrid;
    if (!group->wants_barrier || group->places == nullptr) return;
    const bool one_warp = launch_.block.Count() <= kLanes;
    const BarrierPlaces& places = *group->places;
    const Site& site = group->site;
    // The same threads come here in every block, so other warps that use the variable would have been seen. Of a branch
    // that depends on the data or the block, one block may have shown one warp only.
    const bool apart = places.ReachedByNumber(site.a) && places.ReachedByNumber(site.b);
    group->warp = group->reach == RaceReach::kWarp && (one_warp || apart);
    group->barrier = AdviseBarrier(places, *site.function, group->pairs, group->warp);
  }

  // A barrier that ends several races leads them all. The one that ends most is chosen first.
  void FindLeaders() {
    std::vector<std::pair<Group*, std::vector<Group*>>> leaders;
    for (auto& [lines, group] : groups_) {
      if (group.barrier.at < 0) continue;
      std::vector<Group*>& ended = leaders.emplace_back(&group, std::vector<Group*>()).second;
      for (auto& [other_lines, other] : groups_) {
        if (&other != &group && Ends(group, other)) ended.push_back(&other);
      }
    }
    std::stable_sort(leaders.begin(), leaders.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    for (const auto& [leader, ended] : leaders) {
      if (leader->leader != nullptr) continue;
      for (Group* group : ended) {
        if (group->leader == nullptr) group->leader = leader;
      }
      leader->leader = leader;
    }
  }

  static bool Ends(const Group& leader, const Group& group) {
    if (!group.wants_barrier || group.places == nullptr || group.places != leader.places) return false;
    if (leader.warp && !group.warp) return false;
    const BarrierReach reach = leader.warp ? BarrierReach::kWarp : BarrierReach::kBlock;
    return std::all_of(group.pairs.begin(), group.pairs.end(), [&](const RacePair& pair) {
      return group.places->Way(pair.a, pair.b, reach, leader.barrier.at) == OpenWay::kNone &&
             group.places->Way(pair.b, pair.a, reach, leader.barrier.at) == OpenWay::kNone;
    });
  }

  void Complete(const Group& group, PendingFinding* race) {
    const Site site = SiteOf(*launch_.program, race->other_inst, race->inst);
    Words words = race->one_instruction ? Words{"", "let one thread write, or use an atomic"} : WordsOf(group);
    if (site.a == site.b && site.function != nullptr && group.reach != RaceReach::kGrid && !race->one_instruction) {
      words.advice = "let one thread write each element, or use an atomic";
    } else if (group.wants_barrier) {
      race->finding.barrier_line = group.leader == nullptr ? group.barrier.line : group.leader->barrier.line;
    }
    if (const char* atomic = AtomicFor(site)) {
      race->finding.barrier_line = 0;
      words.advice =
          fmt::format("use {}: between this thread's read and its write, another thread changes the value", atomic);
      if (HasLock(*launch_.program)) {
        words.advice +=
            "; or, if a lock protects the value, put a __threadfence() after the code that takes the lock and another "
            "one before the code that releases it";
      }
    }
    race->finding.reach = group.reach;
    race->finding.warp_barrier = NeedsWarpBarrier(group);
    race->finding.reads_first = group.wants_barrier && group.barrier.reads_first;
    race->finding.message += words.lacks;
    race->finding.advice = std::move(words.advice);
  }

  bool NeedsWarpBarrier(const Group& group) const {
    if (!group.barrier.lacks.empty()) return group.warp;
    return group.reach == RaceReach::kWarp && launch_.block.Count() <= kLanes;
  }

  Words WordsOf(const Group& group) const {
    if (group.reach == RaceReach::kGrid) return AcrossBlocks(launch_, group.places, group.site);
    if (!group.barrier.lacks.empty()) {
      return {group.barrier.lacks, group.leader == nullptr ? group.barrier.advice : group.leader->barrier.advice};
    }
    if (NeedsWarpBarrier(group)) {
      return {", with no __syncwarp() between the two",
              "put a __syncwarp() between the two accesses, because the lanes of a warp do not run in lockstep"};
    }
    return {", with no __syncthreads() between the two",
            "put a __syncthreads() between the two accesses, where every thread of the block reaches it"};
  }

  const BarrierPlaces* PlacesOf(const Site& site) {
    if (site.function == nullptr) return nullptr;
    std::unique_ptr<BarrierPlaces>& places = places_[site.function];
    if (places == nullptr) places = std::make_unique<BarrierPlaces>(*launch_.program->module, *site.function);
    return places->known() ? places.get() : nullptr;
  }

  const LaunchShared& launch_;
  std::map<const Function*, std::unique_ptr<BarrierPlaces>> places_;
  std::map<Lines, Group> groups_;
};

bool IsRace(const PendingFinding& p) { return IsRace(p.finding.kind); }

}  // namespace

void CompleteRaces(const LaunchShared& launch, std::vector<PendingFinding>* findings) {
  RaceAdviser adviser(launch);
  for (PendingFinding& p : *findings) {
    if (IsRace(p)) adviser.Add(&p);
    if (p.finding.kind == FindingKind::kBarrierDivergence) adviser.CompleteDivergence(&p);
  }
  adviser.Complete();
  std::erase_if(*findings, [&](const PendingFinding& p) { return IsRace(p) && adviser.Follows(p); });
  std::stable_partition(findings->begin(), findings->end(),
                        [&](const PendingFinding& p) { return !IsRace(p) || !adviser.IsLed(p); });
}

}  // namespace warpgrade::emulator
