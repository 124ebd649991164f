// Chooses the advice by the cause of a race: a read-modify-write wants an atomic; grid_words.h says what two blocks
// want; threads of a block want a barrier, and barrier_words.h says where. A __syncwarp() is advised only where no
// other warp can take part and a __syncthreads() could not stand. Races that one barrier ends get one advice. A barrier
// that not all threads reach gets its place in a loop. Tested by tests/emulator/exec/race_advice_test.cc.
#include "grader/emulator/checks/race_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "grader/emulator/checks/barrier_words.h"
#include "grader/emulator/checks/grid_words.h"
#include "grader/emulator/checks/race_site.h"
#include "grader/emulator/program/barrier_place.h"

namespace warpgrade::emulator {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

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

const char* AtomicFor(const RaceSite& site) {
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

// --- a barrier that not all threads reach

// Out of the loop as well, the barrier would leave a race of its iterations. "": it is in no such loop.
std::string BarrierInLoop(const BarrierPlaces& places, const RaceSite& site) {
  if (!places.Divergent(site.a)) return "";
  const LoopLines loop = places.LoopOf(site.a, site.a);
  if (loop.first == 0 || !loop.uniform) return "";
  const std::string call = loop.call > 0 ? fmt::format(", which calls this function in line {}", loop.call) : "";
  return fmt::format(
      "move the barrier out of the branch, and leave it in the loop in line {}{}: all threads of the block must reach "
      "it in each iteration",
      loop.first, call);
}

// --- all races of a launch

// Races in the same two lines.
struct Group {
  std::vector<PendingFinding*> races;
  std::vector<RacePair> pairs;
  RaceSite site;  // of the first race
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
    const RaceSite site = SiteOf(*launch_.program, race->other_inst, race->inst);
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
    const RaceSite site = SiteOf(*launch_.program, divergence->inst, divergence->inst);
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
    const RaceSite site = SiteOf(*launch_.program, race.other_inst, race.inst);
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
    const RaceSite& site = group->site;
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
    const RaceSite site = SiteOf(*launch_.program, race->other_inst, race->inst);
    RaceWords words = race->one_instruction ? RaceWords{"", "let one thread write, or use an atomic"} : WordsOf(group);
    if (site.a == site.b && site.function != nullptr && group.reach != RaceReach::kGrid && !race->one_instruction) {
      words.advice = "let one thread write each element, or use an atomic";
    } else if (group.wants_barrier) {
      race->finding.barrier_line = group.leader == nullptr ? group.barrier.line : group.leader->barrier.line;
      // In global memory a thread often has elements of its own, such as the pair that it sorts.
      const bool is_global = race->finding.kind == FindingKind::kGlobalRace;
      if (is_global) words.advice += "; if no two threads should use the same element, an index is wrong instead";
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

  RaceWords WordsOf(const Group& group) const {
    if (group.reach == RaceReach::kGrid) return WordsAcrossBlocks(launch_, group.places, group.site);
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

  const BarrierPlaces* PlacesOf(const RaceSite& site) {
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
