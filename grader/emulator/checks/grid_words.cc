// Looks for a signal: an atomic or a flag that one block sets after its access, and that the other block reads before
// its own. With a signal, a fence is missing on one of its sides, or a barrier before it, or the other block does not
// wait for the right value. Without a signal, no fence helps: the advice is a second launch, a last block, another
// array or an atomic. Tested by tests/emulator/exec/grid_advice_test.cc.
#include "grader/emulator/checks/grid_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;

constexpr const char* kNothing = "; blocks run in any order, and nothing orders these two";

bool IsDeviceFence(const Instruction& i) { return i.Is(ptx::kFences) && !i.Has("cta"); }
bool IsWrite(const Instruction& i) { return i.Is(ptx::kStores | ptx::kAtomic); }

// The accesses with which blocks tell each other how far they are: indices in a function's body, in order.
struct Signals {
  std::vector<int32_t> set;   // atomics, and stores that are at least volatile
  std::vector<int32_t> seen;  // atomics whose old value is used, and such loads whose value decides a branch
};

void AddSignals(const Program& program, const FunctionCode& f, Signals* signals) {
  for (const Inst& inst : f.code) {
    if ((inst.order & kStrong) == 0) continue;
    const Instruction* i = program.origins[inst.index].instruction;
    const Instruction* body = f.function->body.data();
    if (i == nullptr || i < body || i >= body + f.function->body.size() || i->Has("shared")) continue;
    const auto at = static_cast<int32_t>(i - body);
    const bool atomic = i->Is(ptx::kAtomic);
    if (atomic || i->Is(ptx::kStores)) signals->set.push_back(at);
    const bool decides = i->Is(ptx::kLoads) && (inst.order & kDecides) != 0;
    if (atomic ? (inst.order & kOldValue) != 0 : decides) signals->seen.push_back(at);
  }
}

// Functions that are not inlined may set and read a flag, too.
bool OtherFunctionsSignal(const Program& program, const RaceSite& site) {
  Signals signals;
  for (const FunctionCode& f : program.functions) {
    if (f.function != nullptr && f.function != site.function) AddSignals(program, f, &signals);
  }
  return !signals.set.empty() && !signals.seen.empty();
}

// How one block tells another that its access is done.
struct Signal {
  int32_t first = -1, second = -1;  // the two accesses
  int32_t set = -1, seen = -1;      // one atomic may be both; -1: there is no signal
};

class GridWords {
 public:
  GridWords(const LaunchShared& launch, const BarrierPlaces* places, const RaceSite& site)
      : launch_(launch), places_(places), site_(site), body_(site.function->body) {
    for (const FunctionCode& f : launch.program->functions) {
      if (f.function == site.function) AddSignals(*launch.program, f, &signals_);
    }
  }

  RaceWords Make() const {
    const bool a_atomic = site_.A().Is(ptx::kAtomic), b_atomic = site_.B().Is(ptx::kAtomic);
    if (a_atomic && b_atomic) {
      return {kNothing,
              "use the atomic function without `_block` in its name: the one with it is for threads of one block"};
    }
    if (IsOneStore()) return OneStore();
    const bool both_write = IsWrite(site_.A()) && IsWrite(site_.B());
    int32_t write = IsWrite(site_.A()) ? site_.a : site_.b;
    if (both_write) write = Earlier();
    const int32_t other = write == site_.a ? site_.b : site_.a;
    if (a_atomic != b_atomic && both_write) {
      if (!At(Earlier()).Is(ptx::kAtomic)) return StartValue();
      if (RaceWords words = Reset(); !words.advice.empty()) return words;
    }
    if (!both_write && IsFlag(other) && !Has(signals_.set, write)) return PlainFlag(write, other);
    if (launch_.grid_workspace != 0) {
      if (RaceWords words = GridBarrier(); !words.advice.empty()) return words;
    }
    for (const auto& [first, second] : {std::pair{write, other}, std::pair{other, write}}) {
      if (const Signal signal = FindSignal(first, second); signal.set >= 0) return WithSignal(signal);
    }
    if (OtherFunctionsSignal(*launch_.program, site_)) return Fences();
    if (!both_write && write < other) return HandedOver(write, other);
    return InPlace(a_atomic || b_atomic, both_write);
  }

  // A flag or counter is there, but it is not known where.
  static RaceWords Fences() {
    return {
        "; nothing orders the two blocks: between the first access and the flag or atomic that announces it there must "
        "be a __threadfence(), and the second block must read this flag before its access",
        "put a __threadfence() after the first access and before the flag or atomic that announces it, and another one "
        "in the second block, after it has read the flag"};
  }

 private:
  const Instruction& At(int32_t i) const { return body_[static_cast<size_t>(i)]; }
  int32_t Earlier() const { return std::min(site_.a, site_.b); }
  int32_t Later() const { return std::max(site_.a, site_.b); }
  static bool Has(const std::vector<int32_t>& all, int32_t i) {
    return std::find(all.begin(), all.end(), i) != all.end();
  }
  bool IsFlag(int32_t i) const { return At(i).Is(ptx::kLoads) && Has(signals_.seen, i); }

  // One store of the source may be several instructions of an unrolled loop.
  bool IsOneStore() const {
    if (site_.a == site_.b) return true;
    if (places_ == nullptr || !site_.A().Is(ptx::kStores) || !site_.B().Is(ptx::kStores)) return false;
    const LinePair lines = places_->LinesOf(site_.a, site_.b);
    return lines.first > 0 && lines.first == lines.second;
  }

  // The lines of two instructions, if they are two lines of one function. Both 0: they are not.
  LinePair TwoLines(int32_t first, int32_t second) const {
    if (places_ == nullptr) return {};
    const LinePair lines = places_->LinesOf(first, second);
    return lines.first > 0 && lines.second > lines.first ? lines : LinePair{};
  }

  // --- without a signal

  RaceWords OneStore() const {
    return {kNothing,
            "let each element be written by one block: does the index contain blockIdx.x? If several blocks must write "
            "one element, use an atomic, or split the kernel into two launches"};
  }

  // An atomic, after a plain store that most often sets it to 0.
  RaceWords StartValue() const {
    return {kNothing,
            "set the start value before the launch, with cudaMemsetAsync on the same stream: no block can know that "
            "another block has not begun yet"};
  }

  // A plain store after an atomic on the same value: the last block sets a counter back. "": it is no counter.
  RaceWords Reset() const {
    const LinePair lines = TwoLines(Earlier(), Later());
    if (lines.first == 0 || !Has(signals_.seen, Earlier())) return {};
    return {fmt::format("; nothing orders the two blocks: line {} is a plain write", lines.second),
            fmt::format("set the value in line {} with atomicExch(), or put a __threadfence() before line {} and "
                        "another one between line {} and line {}",
                        lines.second, lines.first, lines.first, lines.second)};
  }

  RaceWords HandedOver(int32_t write, int32_t read) const {
    const LinePair lines = TwoLines(write, read);
    const std::string after = lines.first > 0 ? fmt::format("after line {}", lines.first) : "after the write";
    std::string advice = fmt::format("end the kernel {}, and read in a second launch", after);
    advice += fmt::format(
        "; or let only the last block read: each block executes a __threadfence() {} and then counts with atomicAdd(), "
        "and the block that counts last executes another __threadfence() and then reads",
        after);
    if (!At(write).Is(ptx::kAtomic)) advice += "; or, for one sum, let each block add its value with atomicAdd()";
    if (launch_.program->has_fences) advice += "; a __threadfence() alone makes no block wait";
    return {kNothing, advice};
  }

  RaceWords InPlace(bool atomic, bool both_write) const {
    std::string advice = "let no block write data that another block uses: write to another array, ";
    if (!atomic && both_write) advice += "use an atomic, ";
    advice += "or split the kernel into two launches";
    const LoopLines loop = places_ == nullptr ? LoopLines{} : places_->LoopOf(site_.a, site_.b);
    if (loop.first > 0 && !both_write) {
      advice += fmt::format(
          "; if an iteration of the loop in line {} needs what other blocks wrote in the one before, let each "
          "iteration be a launch of its own",
          loop.first);
    }
    if (atomic) advice += "; an atomic makes no block wait";
    if (!atomic && launch_.program->has_fences) advice += "; a __threadfence() makes no block wait";
    return {kNothing, advice};
  }

  // All blocks of a cooperative launch run at the same time. "": it is not known where grid.sync() belongs.
  RaceWords GridBarrier() const {
    const LinePair lines = TwoLines(Earlier(), Later());
    if (lines.first == 0) return {};
    const bool between = std::any_of(signals_.seen.begin(), signals_.seen.end(),
                                     [&](int32_t k) { return Earlier() < k && k < Later(); });
    if (!between) {
      return {"; there is no grid.sync() between the two",
              fmt::format("put a grid.sync() between line {} and line {}, where all threads of all blocks reach it: a "
                          "__syncthreads() waits for one block only",
                          lines.first, lines.second)};
    }
    const LoopLines loop = places_->LoopOf(site_.a, site_.b);
    if (loop.first == 0 || loop.call > 0) return {};
    return {"; there is no grid.sync() between one iteration of the loop and the next",
            fmt::format("put a grid.sync() at the end of the body of the loop in line {}, after line {}", loop.first,
                        loop.last)};
  }

  // --- with a signal

  RaceWords PlainFlag(int32_t write, int32_t read) const {
    const int set = places_ == nullptr ? 0 : places_->LineOf(write);
    const int seen = places_ == nullptr ? 0 : places_->LineOf(read);
    if (set == 0 || seen == 0) return Fences();
    return {fmt::format("; line {} reads this value as a flag, but line {} is a plain write", seen, set),
            fmt::format("set the flag in line {} with atomicExch(), or through a pointer to volatile; the data that it "
                        "announces needs a __threadfence() before line {} and another one after line {}",
                        set, set, seen)};
  }

  Signal FindSignal(int32_t first, int32_t second) const {
    Signal signal{first, second, -1, -1};
    for (int32_t k : signals_.seen) {
      if (k < second && k != first) signal.seen = k;
    }
    // The last atomic before the second access counts what is done. But in a loop it waits for a flag.
    const bool waits = places_ != nullptr && signal.seen >= 0 && places_->EntersLoop(first, signal.seen);
    if (first < signal.seen && Has(signals_.set, signal.seen) && !waits) {
      signal.set = signal.seen;
      return signal;
    }
    const auto set =
        std::find_if(signals_.set.begin(), signals_.set.end(), [&](int32_t k) { return k > first && k != second; });
    if (set != signals_.set.end() && signal.seen >= 0) signal.set = *set;
    return signal;
  }

  // A fence of the device between two places that every thread executes which comes to the `with` of them. -1: none.
  int32_t FenceBetween(int32_t from, int32_t to, int32_t with) const {
    for (int32_t f = from + 1; f < to; ++f) {
      if (IsDeviceFence(At(f)) && places_->Together(f, with)) return f;
    }
    return -1;
  }

  // Whether what all threads of the block did at `from` is done when one of them comes to `to`.
  bool AllAreDone(int32_t from, int32_t to) const {
    return places_->Together(from, to) || places_->ReachedByNumber(from) ||
           places_->Way(from, to, BarrierReach::kBlock) == OpenWay::kNone;
  }

  RaceWords WithSignal(const Signal& signal) const {
    const LinePair before = TwoLines(signal.first, signal.set), after = TwoLines(signal.seen, signal.second);
    if (before.first == 0 || after.first == 0) return Fences();
    const int32_t release = FenceBetween(signal.first, signal.set, signal.set);
    int32_t acquire = FenceBetween(signal.seen, signal.second, signal.seen);
    if (acquire < 0) acquire = FenceBetween(signal.seen, signal.second, signal.second);
    const bool done = AllAreDone(signal.first, release >= 0 ? release : signal.set);
    if (release >= 0 && acquire >= 0) return done ? WrongValue(signal) : NoBarrier(before);

    const bool counts = signal.set == signal.seen;
    const std::string set = fmt::format("{}line {}, which tells other blocks that line {} is done",
                                        counts ? "the atomic in " : "", before.second, before.first);
    const std::string seen = counts ? "it" : fmt::format("line {}, which waits for the other block", after.first);
    RaceWords words{"; nothing orders the two blocks: there is no __threadfence() ", "put "};
    if (release < 0) {
      words.lacks += "before " + set;
      if (acquire < 0) words.lacks += ", and none after " + seen;
      words.advice += fmt::format("{}a __threadfence() between line {} and line {}",
                                  done ? "" : "a __syncthreads() and then ", before.first, before.second);
    }
    if (acquire < 0) {
      if (release >= 0) words.lacks += fmt::format("after {}", counts ? set : seen);
      words.advice += fmt::format("{} between line {} and line {}",
                                  release < 0 ? ", and another one" : "a __threadfence()", after.first, after.second);
    }
    if (HasBlockFence()) words.advice += "; a __threadfence_block() orders threads of one block only";
    return words;
  }

  bool HasBlockFence() const {
    return std::any_of(body_.begin(), body_.end(),
                       [](const Instruction& i) { return i.Is(ptx::kFences) && i.Has("cta"); });
  }

  static RaceWords NoBarrier(const LinePair& before) {
    return {fmt::format("; nothing orders the two blocks: line {} tells other blocks that line {} is done, but not all "
                        "threads of the block need be there yet",
                        before.second, before.first),
            fmt::format("put a __syncthreads() between line {} and the __threadfence() before line {}", before.first,
                        before.second)};
  }

  RaceWords WrongValue(const Signal& signal) const {
    const int line = places_->LineOf(signal.set);
    if (signal.set == signal.seen) {
      return {fmt::format("; the fences are there, but the reading block went on before the other block had counted in "
                          "line {}: the counter did not begin at 0, or it is compared with a wrong number",
                          line),
              fmt::format("set the counter of line {} to 0 before each launch, or let the last block set it back to 0; "
                          "compare it with the number of blocks",
                          line)};
    }
    return {fmt::format("; the fences are there, but the second block went on before the first had set the flag in "
                        "line {}: the flag was set already, or it is another block's",
                        line),
            fmt::format("let the second block wait for the flag that line {} sets for this element, and set all flags "
                        "to 0 before each launch",
                        line)};
  }

  const LaunchShared& launch_;
  const BarrierPlaces* places_;
  const RaceSite& site_;
  const std::vector<Instruction>& body_;
  Signals signals_;
};

}  // namespace

RaceWords WordsAcrossBlocks(const LaunchShared& launch, const BarrierPlaces* places, const RaceSite& site) {
  if (site.function != nullptr) return GridWords(launch, places, site).Make();
  if (OtherFunctionsSignal(*launch.program, site)) return GridWords::Fences();
  return {kNothing,
          "let no block write data that another block uses: write to another array, use an atomic, or split the kernel "
          "into two launches"};
}

}  // namespace warpgrade::emulator
