// Sorts the ways from one access to the other that have no barrier: within one iteration of a loop, from one iteration
// to the next, or from one call of an inlined function to the next. Each kind of way needs its own barrier. Lines are
// those of the innermost function that contains both accesses, so that the advice names two lines of one function.
// Tested by tests/emulator/exec/race_advice_test.cc.
#include "grader/emulator/checks/barrier_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace warpgrade::emulator {
namespace {

// A way without a barrier.
struct Gap {
  int32_t first = -1, second = -1;  // from this access to that one
  bool unrolled = false;            // the next iteration of a loop that the compiler has unrolled
};

class BarrierWords {
 public:
  BarrierWords(const BarrierPlaces& places, const ptx::Function& function, bool warp)
      : places_(places), function_(function), warp_(warp) {}

  void Add(const RacePair& pair) {
    const LinePair lines = places_.LinesOf(pair.a, pair.b);
    const bool one_line = lines.first == lines.second;
    OpenWay ab = WayOf(pair.a, pair.b), ba = WayOf(pair.b, pair.a);
    // One line that reads and then writes, in a loop without any barrier: the next iteration reads what was written.
    const bool a_in_iteration = ab == OpenWay::kSameIteration && !NextIterationByLines(pair.a, pair.b);
    const bool b_in_iteration = ba == OpenWay::kSameIteration && !NextIterationByLines(pair.b, pair.a);
    const bool a_next = ab != OpenWay::kNone && !a_in_iteration, b_next = ba != OpenWay::kNone && !b_in_iteration;
    if (one_line && a_in_iteration && b_next) ab = OpenWay::kNone;
    if (one_line && b_in_iteration && a_next) ba = OpenWay::kNone;
    if (ab != OpenWay::kNone) Add(pair.a, pair.b, ab, a_in_iteration);
    if (ba != OpenWay::kNone) Add(pair.b, pair.a, ba, b_in_iteration);
  }

  BarrierAdvice Make() {
    // A barrier in the loop most often orders what comes before the loop as well.
    if (!in_iteration_ && !next_iteration_ && !call_) in_iteration_ = into_loop_;
    // With two calls, the barrier can stand between them. With more, it belongs into the function.
    if (calls_.size() == 1) {
      if (!in_iteration_) in_iteration_ = call_;
      call_.reset();
    }
    BarrierAdvice made;
    made.reads_first = !reads_written_ && (in_iteration_ || next_iteration_ || call_);
    const char* between = in_iteration_ || (!next_iteration_ && !call_) ? "the two"
                          : next_iteration_                             ? "one iteration of the loop and the next"
                                                                        : "one call of the function and the next";
    made.lacks = fmt::format(", with no {} between {}", Name(), between);
    if (!in_iteration_ && !next_iteration_ && !call_) made.advice = Put() + "between the two accesses" + Everybody();
    if (in_iteration_) made.advice = InIteration(*in_iteration_, &made);
    if (next_iteration_) AddPlace(AfterIteration(*next_iteration_, &made), "iteration", &made);
    if (call_) AddPlace(AfterCall(*call_), "call", &made);
    const bool one_barrier = static_cast<int>(in_iteration_.has_value()) +
                                 static_cast<int>(next_iteration_.has_value()) + static_cast<int>(call_.has_value()) ==
                             1;
    if (!one_barrier) made.line = 0, made.at = -1;
    made.advice += why_apart_;
    // The write may belong elsewhere.
    const bool write_behind =
        made.line > 0 && in_iteration_ && !Stores(in_iteration_->first) && Stores(in_iteration_->second);
    if (write_behind && !warp_ && places_.LoopOf(in_iteration_->first, in_iteration_->second).last > 0) {
      made.advice += ", or write to a buffer that no thread reads in this iteration";
    }
    made.advice += before_loop_;
    return made;
  }

 private:
  const char* Name() const { return warp_ ? "__syncwarp()" : "__syncthreads()"; }
  std::string Put() const { return fmt::format("put a {} ", Name()); }
  const char* Everybody() const {
    return warp_ ? ", because the lanes of a warp do not run in lockstep"
                 : ", where every thread of the block reaches it";
  }
  bool Stores(int32_t at) const { return function_.body[static_cast<size_t>(at)].Is(ptx::kStores); }

  BarrierReach Reach() const { return warp_ ? BarrierReach::kWarp : BarrierReach::kBlock; }
  OpenWay WayOf(int32_t from, int32_t to) const { return places_.Way(from, to, Reach()); }
  // An unrolled loop is straight code in which the lines of the next iteration come again.
  bool NextIterationByLines(int32_t from, int32_t to) const {
    const LinePair lines = places_.LinesOf(from, to);
    return lines.second < lines.first || (lines.second == lines.first && Stores(from) && !Stores(to));
  }

  void Add(int32_t from, int32_t to, OpenWay way, bool in_iteration) {
    reads_written_ |= function_.body[static_cast<size_t>(to)].Is(ptx::kReads);
    const Gap gap{from, to, way == OpenWay::kSameIteration};
    if (!in_iteration) {
      if (!next_iteration_ || (next_iteration_->unrolled && !gap.unrolled)) next_iteration_ = gap;
    } else if (places_.EntersLoop(from, to)) {
      if (!into_loop_) into_loop_ = gap;
    } else if (places_.InTwoCallsOfOneFunction(from, to)) {
      const LinePair lines = places_.LinesOf(from, to);
      calls_.emplace(lines.first, lines.second);
      if (!call_) call_ = gap;
    } else if (!in_iteration_) {
      in_iteration_ = gap;
    }
  }

  void AddPlace(const std::string& place, const char* what, BarrierAdvice* made) const {
    if (!why_apart_.empty()) {
      made->advice += fmt::format(", and then another {} {}", Name(), place);
      return;
    }
    if (!made->advice.empty()) {
      made->advice += ", and another one " + place;
      return;
    }
    made->advice = Put() + place;
    made->advice +=
        warp_ ? ", because the lanes of a warp do not run in lockstep"
              : fmt::format("; without it, some threads begin the next {} while others are still in this one", what);
  }

  std::string InIteration(const Gap& gap, BarrierAdvice* made) {
    const LinePair lines = places_.LinesOf(gap.first, gap.second);
    const bool apart = !warp_ && places_.Divergent(gap.first) && places_.Divergent(gap.second);
    if (lines.first == lines.second && lines.first > 0) {
      why_apart_ =
          fmt::format(": line {} reads what other threads write, unless an index in it is wrong{}", lines.first,
                      apart ? "; the barrier must stand where every thread of the block reaches it" : "");
      return fmt::format("read into a variable first, then {}, then write", Name());
    }
    if (const BarrierSpot spot = warp_ ? BarrierSpot{} : places_.SpotBefore(gap.first, gap.second); spot.line > 0) {
      made->at = spot.at;
      if (spot.unrolled == UnrolledLoop::kCertain) {
        return fmt::format("{}before the loop around line {}{}", Put(), spot.line, Everybody());
      }
      made->line = spot.line;
      if (spot.unrolled == UnrolledLoop::kPossible) {
        before_loop_ = fmt::format("; if line {} is in a loop that line {} is not in, put it before that loop",
                                   spot.line, lines.first);
      }
      return fmt::format("{}before line {}{}", Put(), spot.line, Everybody());
    }
    std::string between = "between the two accesses";
    if (lines.first > 0 && lines.second > lines.first) {
      between = fmt::format("between line {} and line {}", lines.first, lines.second);
      made->line = apart ? 0 : lines.second;
      made->at = apart ? -1 : places_.StartOfLine(gap.second, lines.depth);
    }
    if (!apart) return Put() + between + Everybody();
    return Put() + between +
           ", outside of the branch or loop that only some threads take: end the branch or loop before the barrier, "
           "and begin it again after the barrier";
  }

  std::string AfterIteration(const Gap& gap, BarrierAdvice* made) const {
    const LoopLines loop = gap.unrolled ? LoopLines{} : places_.LoopRound(gap.first, gap.second, Reach());
    const LinePair lines = places_.LinesOf(gap.first, gap.second);
    const int last = loop.call > 0 ? std::max(loop.last, loop.call) : std::max({loop.last, lines.first, lines.second});
    if (last == 0) return "at the end of the loop's body";
    made->line = last + 1;
    if (!warp_ && loop.uniform) made->at = loop.back;
    std::string place = fmt::format("at the end of the loop's body, after line {}", last);
    if (loop.first > 0 && (loop.first < last || loop.call > 0)) {
      place = fmt::format("at the end of the body of the loop in line {}, after line {}", loop.first, last);
    }
    if (loop.call > 0 && loop.call == last) place += ", which calls the function with both accesses";
    if (loop.call > 0 && loop.call != last) {
      place += fmt::format(" (line {} calls the function with both accesses)", loop.call);
    }
    if (!warp_ && loop.first > 0 && !loop.uniform) place += ", and let all threads of the block do every iteration";
    const bool diverges = loop.call > 0 ? loop.call_diverges : places_.Divergent(gap.first);
    const bool in_branch = diverges && (loop.first == 0 || loop.uniform);
    if (!warp_ && in_branch) place += " and outside of the `if`";
    if (gap.unrolled && lines.depth > 0) place += OrAfterCall(gap, lines.depth);
    return place;
  }

  // The lines of an unrolled loop do not tell whether the loop is in the inlined function or around its call.
  std::string OrAfterCall(const Gap& gap, size_t depth) const {
    return fmt::format(", or, if the loop is around the call in line {}, after that line",
                       places_.LineIn(gap.first, gap.first, depth - 1));
  }

  std::string AfterCall(const Gap& gap) const {
    const size_t inside = places_.LinesOf(gap.first, gap.second).depth + 1;
    const int last =
        std::max(places_.LineIn(gap.first, gap.first, inside), places_.LineIn(gap.second, gap.second, inside));
    std::string place = fmt::format("at the end of the function, after line {}", last);
    if (!warp_ && places_.Divergent(gap.first)) place += " and outside of the `if`";
    return place;
  }

  const BarrierPlaces& places_;
  const ptx::Function& function_;
  const bool warp_;
  std::optional<Gap> in_iteration_, next_iteration_, call_;  // the first of each kind
  std::optional<Gap> into_loop_;                             // from outside of a loop to its inside
  std::set<std::pair<int, int>> calls_;                      // the lines of the two calls, for gaps between calls
  std::string why_apart_;                                    // why one line is split; ends the advice
  std::string before_loop_;                                  // where else the barrier may belong; ends the advice
  bool reads_written_ = false;                               // some way leads to a read
};

}  // namespace

BarrierAdvice AdviseBarrier(const BarrierPlaces& places, const ptx::Function& function,
                            const std::vector<RacePair>& pairs, bool warp) {
  BarrierWords words(places, function, warp);
  for (const RacePair& pair : pairs) words.Add(pair);
  return words.Make();
}

}  // namespace warpgrade::emulator
