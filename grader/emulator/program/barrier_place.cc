// Searches the flow graph for ways without a barrier. A loop is found by its back edge, to a block that dominates the
// edge's source. A branch is taken for divergent if its condition may depend on the thread: on %tid, on what a
// divergent address holds, or on what other lanes hold. Tested by tests/emulator/exec/race_advice_test.cc.
#include "grader/emulator/program/barrier_place.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "grader/emulator/program/decode.h"
#include "grader/emulator/program/operand_registers.h"

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

size_t At(int32_t i) { return static_cast<size_t>(i); }

bool IsBarrier(const Instruction& i, BarrierReach reach) {
  if (i.opcode != "bar" && i.opcode != "barrier") return false;
  if (i.Has("warp")) return reach == BarrierReach::kWarp;
  return !i.Has("arrive");
}

// Its result differs between threads that have the same operands.
bool DependsOnThread(const Instruction& i) {
  for (const Operand& o : i.operands) {
    if (o.kind != OperandKind::kSpecial) continue;
    if (o.name.starts_with("tid") || o.name.starts_with("lane") || o.name.starts_with("warpid")) return true;
  }
  return i.opcode == "atom" || i.opcode == "shfl" || i.opcode == "match" || i.opcode == "activemask" ||
         i.opcode == "elect" || i.Is(ptx::kVotes | ptx::kCalls);
}

// Which registers depend on nothing but the thread's number in its block.
class NumberOfThread {
 public:
  explicit NumberOfThread(const ptx::Function& function) : writer_(function.registers.size(), nullptr) {
    std::vector<char> many(function.registers.size(), 0);
    for (const Instruction& i : function.body) {
      for (size_t o = 0; o < Destinations(i) && o < i.operands.size(); ++o) {
        ForRegisters(i.operands[o], [&](int32_t reg) {
          many[At(reg)] = many[At(reg)] || writer_[At(reg)] != nullptr;
          writer_[At(reg)] = many[At(reg)] ? nullptr : &i;
        });
      }
    }
  }

  bool Decides(int32_t reg, int depth) const {
    constexpr int kDeepest = 6;
    static constexpr std::string_view kPure[] = {"mov", "cvt", "add", "sub", "mul", "mad",
                                                 "shl", "shr", "and", "or",  "setp"};
    const Instruction* const writer = writer_[At(reg)];
    if (writer == nullptr || depth == kDeepest || writer->guard >= 0) return false;
    if (std::find(std::begin(kPure), std::end(kPure), writer->opcode) == std::end(kPure)) return false;
    bool of_thread = false;
    for (size_t o = 1; o < writer->operands.size(); ++o) {
      const Operand& operand = writer->operands[o];
      if (operand.kind == OperandKind::kImmediate) continue;
      const bool is_special = operand.kind == OperandKind::kSpecial;
      if (is_special && operand.name.starts_with("ntid")) continue;
      const bool is_tid = is_special && operand.name.starts_with("tid");
      if (!is_tid && (operand.kind != OperandKind::kRegister || !Decides(operand.reg, depth + 1))) return false;
      of_thread = true;
    }
    return of_thread;
  }

 private:
  std::vector<const Instruction*> writer_;  // by register; null if there is none, or more than one
};

}  // namespace

BarrierPlaces::BarrierPlaces(const ptx::Module& module, const ptx::Function& function) : function_(function) {
  if (function.body.empty() || function.body.size() > kMostInstructions) return;
  graph_ = BuildFlowGraphWithoutEarlyExits(function);
  dominator_ = ImmediateDominators(graph_);
  post_dominator_ = ImmediatePostDominators(graph_);
  for (const Instruction& i : function.body) {
    lines_.push_back(PickFrame(module, i.location).line);
    Frames& frames = frames_.emplace_back();
    if (i.location < 0 || At(i.location) >= module.locations.size()) continue;
    const Frames& chain = module.locations[At(i.location)];
    std::copy_if(chain.rbegin(), chain.rend(), std::back_inserter(frames),
                 [&](const ptx::SourceFrame& f) { return f.file == chain.back().file; });
  }
  FindLoops();
  FindDivergence();
  FindExitsByNumber();
}

int32_t BarrierPlaces::End(int32_t block) const {
  return At(block) + 1 < graph_.block_start.size() ? graph_.block_start[At(block) + 1]
                                                   : static_cast<int32_t>(function_.body.size());
}

bool BarrierPlaces::Dominates(int32_t a, int32_t b) const {
  for (int32_t d = b;; d = dominator_[At(d)]) {
    if (d == a) return true;
    if (d < 0 || dominator_[At(d)] == d) return false;
  }
}

bool BarrierPlaces::PostDominates(int32_t a, int32_t b) const {
  for (int32_t d = b; d >= 0; d = post_dominator_[At(d)]) {
    if (d == a) return true;
    if (post_dominator_[At(d)] == d) return false;
  }
  return false;
}

bool BarrierPlaces::IsBack(int32_t from, int32_t to) const {
  return std::any_of(loops_.begin(), loops_.end(),
                     [&](const Loop& loop) { return loop.header == to && loop.blocks[At(from)]; });
}

bool BarrierPlaces::HasBarrier(int32_t begin, int32_t end, const Search& search) const {
  return (begin <= search.extra && search.extra < end) ||
         std::any_of(function_.body.begin() + begin, function_.body.begin() + end,
                     [&](const Instruction& i) { return IsBarrier(i, search.reach); });
}

bool BarrierPlaces::Reaches(int32_t from, int32_t to, const Search& search) const {
  const int32_t first = BlockOf(from), last = BlockOf(to);
  const int32_t start = graph_.block_start[At(last)];
  const bool before_to = search.extra == to;  // no other range has this place in it
  if (first == last && from < to && !before_to && !HasBarrier(from + 1, to, search)) return true;
  if (before_to || HasBarrier(from + 1, End(first), search) || HasBarrier(start, to, search)) return false;
  std::vector<char> seen(graph_.successors.size(), 0);
  std::vector<int32_t> open = {first};
  while (!open.empty()) {
    const int32_t b = open.back();
    open.pop_back();
    for (int32_t s : graph_.successors[At(b)]) {
      if (At(s) >= graph_.block_start.size() || (!search.round_loops && IsBack(b, s))) continue;
      if (s == last) return true;
      if (seen[At(s)] || HasBarrier(graph_.block_start[At(s)], End(s), search)) continue;
      seen[At(s)] = 1;
      open.push_back(s);
    }
  }
  return false;
}

OpenWay BarrierPlaces::Way(int32_t from, int32_t to, BarrierReach reach, int32_t extra) const {
  if (Reaches(from, to, {reach, false, extra})) return OpenWay::kSameIteration;
  return Reaches(from, to, {reach, true, extra}) ? OpenWay::kNextIteration : OpenWay::kNone;
}

const BarrierPlaces::Loop* BarrierPlaces::InnermostLoop(int32_t block_a, int32_t block_b) const {
  const Loop* best = nullptr;
  for (const Loop& loop : loops_) {
    if (!loop.blocks[At(block_a)] || !loop.blocks[At(block_b)]) continue;
    if (best == nullptr || loop.size < best->size) best = &loop;
  }
  return best;
}

void BarrierPlaces::FindLoops() {
  constexpr size_t kMostLoops = 64;
  const size_t n = graph_.successors.size();
  std::vector<std::vector<int32_t>> predecessors(n);
  for (size_t b = 0; b < n; ++b) {
    for (int32_t s : graph_.successors[b]) predecessors[At(s)].push_back(static_cast<int32_t>(b));
  }
  for (int32_t b = 0; At(b) < graph_.block_start.size(); ++b) {
    for (int32_t s : graph_.successors[At(b)]) {
      if (s > b || dominator_[At(b)] < 0 || !Dominates(s, b)) continue;  // compilers put a loop's header first
      auto loop = std::find_if(loops_.begin(), loops_.end(), [s](const Loop& l) { return l.header == s; });
      if (loop == loops_.end()) {
        if (loops_.size() == kMostLoops) return;
        loop = loops_.insert(loops_.end(), Loop{s, std::vector<char>(n, 0), 1});
        loop->blocks[At(s)] = 1;
      }
      std::vector<int32_t> open = {b};
      while (!open.empty()) {
        const int32_t k = open.back();
        open.pop_back();
        if (loop->blocks[At(k)]) continue;
        loop->blocks[At(k)] = 1;
        ++loop->size;
        open.insert(open.end(), predecessors[At(k)].begin(), predecessors[At(k)].end());
      }
    }
  }
}

bool BarrierPlaces::SpreadTaint(std::vector<char>* tainted) const {
  bool changed = false;
  for (size_t k = 0; k < function_.body.size(); ++k) {
    const Instruction& i = function_.body[k];
    const size_t destinations = Destinations(i);
    bool taint = divergent_[At(graph_.block_of[k])] || DependsOnThread(i) || (i.guard >= 0 && (*tainted)[At(i.guard)]);
    for (size_t o = destinations; o < i.operands.size(); ++o) {
      ForRegisters(i.operands[o], [&](int32_t r) { taint = taint || (*tainted)[At(r)]; });
    }
    // What a function got from its caller, or gets from one that it called, may differ.
    if (i.Is(ptx::kLoads) && i.Has("param") && !function_.is_entry) taint = true;
    if (!taint) continue;
    for (size_t o = 0; o < destinations && o < i.operands.size(); ++o) {
      ForRegisters(i.operands[o], [&](int32_t r) {
        changed = changed || !(*tainted)[At(r)];
        (*tainted)[At(r)] = 1;
      });
    }
  }
  return changed;
}

void BarrierPlaces::MarkBranch(int32_t block, std::vector<char>* marks) const {
  std::vector<int32_t> open = graph_.successors[At(block)];
  while (!open.empty()) {
    const int32_t k = open.back();
    open.pop_back();
    if (k == post_dominator_[At(block)] || At(k) >= graph_.block_start.size() || (*marks)[At(k)]) continue;
    (*marks)[At(k)] = 1;
    open.insert(open.end(), graph_.successors[At(k)].begin(), graph_.successors[At(k)].end());
  }
}

void BarrierPlaces::SpreadDivergence(const std::vector<char>& tainted) {
  for (int32_t b = 0; At(b) < graph_.block_start.size(); ++b) {
    const Instruction& branch = function_.body[At(End(b)) - 1];
    bool diverges = branch.guard >= 0 && tainted[At(branch.guard)];
    if (branch.Is(ptx::kBranchesByIndex) && !branch.operands.empty())
      ForRegisters(branch.operands[0], [&](int32_t r) { diverges |= tainted[At(r)]; });
    if (!diverges || graph_.successors[At(b)].size() < 2) continue;
    MarkBranch(b, &divergent_);
  }
}

void BarrierPlaces::FindDivergence() {
  constexpr int kMostRounds = 100;
  divergent_.assign(graph_.successors.size(), 0);
  std::vector<char> tainted(function_.registers.size(), 0);
  for (int round = 0; round < kMostRounds && SpreadTaint(&tainted); ++round) SpreadDivergence(tainted);
}

bool BarrierPlaces::Divergent(int32_t at) const { return divergent_[At(BlockOf(at))] != 0; }

bool BarrierPlaces::AfterExitByNumber(int32_t at) const {
  const int32_t block = BlockOf(at);
  for (int32_t b = 0; At(b) < exit_by_number_.size(); ++b) {
    if (exit_by_number_[At(b)] && b != block && Dominates(b, block)) return true;
  }
  return false;
}

void BarrierPlaces::FindExitsByNumber() {
  const NumberOfThread number(function_);
  exit_by_number_.assign(graph_.block_start.size(), 0);
  by_number_.assign(graph_.successors.size(), 0);
  // The graph has no way for an early exit, so such a branch is a guarded one with a single way on.
  for (int32_t b = 0; At(b) < graph_.block_start.size(); ++b) {
    const Instruction& branch = function_.body[At(End(b)) - 1];
    if (!branch.Is(ptx::kBranches | ptx::kEndsFunction) || branch.guard < 0) continue;
    if (!number.Decides(branch.guard, 0)) continue;
    exit_by_number_[At(b)] = graph_.successors[At(b)].size() == 1;
    if (!exit_by_number_[At(b)]) MarkBranch(b, &by_number_);
  }
}

LinePair BarrierPlaces::LinesOf(int32_t a, int32_t b) const {
  const Frames &of_a = FramesOf(a), &of_b = FramesOf(b);
  if (of_a.empty() || of_b.empty()) return {LineOf(a), LineOf(b), 0};
  size_t depth = 0;
  while (depth + 1 < std::min(of_a.size(), of_b.size()) && of_a[depth] == of_b[depth]) ++depth;
  return {of_a[depth].line, of_b[depth].line, depth};
}

int BarrierPlaces::LineIn(int32_t at, int32_t of, size_t depth) const {
  const Frames &frames = FramesOf(at), &inside = FramesOf(of);
  if (frames.size() <= depth || inside.size() <= depth) return depth == 0 ? LineOf(at) : 0;
  const auto end = frames.begin() + static_cast<std::ptrdiff_t>(depth);
  return std::equal(frames.begin(), end, inside.begin()) ? frames[depth].line : 0;
}

// The compiler does not tell which function a line belongs to. But the other's line is in this call, too.
bool BarrierPlaces::InTwoCallsOfOneFunction(int32_t a, int32_t b) const {
  const size_t depth = LinesOf(a, b).depth + 1;
  if (FramesOf(a).size() <= depth || FramesOf(b).size() <= depth || FramesOf(a)[depth - 1] == FramesOf(b)[depth - 1]) {
    return false;
  }
  const int line = FramesOf(b)[depth].line;
  for (int32_t k = 0; At(k) < function_.body.size(); ++k) {
    if (LineIn(k, a, depth) == line) return true;
  }
  return false;
}

int32_t BarrierPlaces::StartOfLine(int32_t at, size_t depth) const {
  const int32_t begin = graph_.block_start[At(BlockOf(at))];
  const int line = LineIn(at, at, depth);
  int32_t start = at;
  while (start > begin && LineIn(start - 1, at, depth) == line) --start;
  return start;
}

// The turns of an unrolled loop follow each other, so the line of `to` comes again before that of `from` does. Behind a
// barrier this can only be another turn. Without one, it may also be a line with many accesses.
UnrolledLoop BarrierPlaces::EntersUnrolled(int32_t from, int32_t to) const {
  constexpr int kManyAccesses = 8;
  const LinePair lines = LinesOf(from, to);
  const auto is_again = [&](int32_t k, int32_t of, int line) {
    return function_.body[At(k)].opcode == function_.body[At(of)].opcode && LineIn(k, to, lines.depth) == line;
  };
  int accesses = 0;
  bool turn_is_over = false;
  for (int32_t k = from < to ? from + 1 : to; At(k) < function_.body.size(); ++k) {
    if (is_again(k, from, lines.first)) break;
    turn_is_over |= accesses > 0 && IsBarrier(function_.body[At(k)], BarrierReach::kBlock);
    if (!is_again(k, to, lines.second)) continue;
    if (turn_is_over) return UnrolledLoop::kCertain;
    ++accesses;
  }
  return accesses < kManyAccesses ? UnrolledLoop::kNone : UnrolledLoop::kPossible;
}

BarrierSpot BarrierPlaces::SpotBefore(int32_t from, int32_t to) const {
  const LinePair lines = LinesOf(from, to);
  const int32_t first = BlockOf(from);
  int32_t block = BlockOf(to);
  BarrierSpot spot{lines.second, StartOfLine(to, lines.depth)};
  if (!EntersLoop(from, to)) spot.unrolled = EntersUnrolled(from, to);
  while (true) {
    // A loop with `to` but without `from`: the barrier stands before it.
    const Loop* loop = nullptr;
    for (const Loop& l : loops_) {
      if (l.blocks[At(block)] && !l.blocks[At(first)] && (loop == nullptr || l.size > loop->size)) loop = &l;
    }
    if (loop == nullptr && (!divergent_[At(block)] || block == first)) break;
    if (loop != nullptr) {
      for (int32_t k = 0; At(k) < function_.body.size(); ++k) {
        const int line = loop->blocks[At(BlockOf(k))] ? LineIn(k, to, lines.depth) : 0;
        if (line > lines.first) spot.line = std::min(spot.line, line);
      }
      block = loop->header;
    }
    const int32_t above = dominator_[At(block)];
    if (above < 0 || above == block) return {};
    block = above;
    spot.at = End(block) - 1;
    if (loop == nullptr) spot.line = LineIn(spot.at, to, lines.depth);
    if (block != first && Dominates(block, first)) return {};
  }
  return divergent_[At(block)] || spot.line <= lines.first ? BarrierSpot{} : spot;
}

LoopLines BarrierPlaces::LoopOf(int32_t a, int32_t b) const {
  return LinesOfLoop(InnermostLoop(BlockOf(a), BlockOf(b)), a, b);
}

LoopLines BarrierPlaces::LoopRound(int32_t from, int32_t to, BarrierReach reach) const {
  const Loop* best = nullptr;
  for (const Loop& loop : loops_) {
    if (best != nullptr && best->size <= loop.size) continue;
    if (GoesRound(loop, from, to, reach)) best = &loop;
  }
  return best == nullptr ? LoopOf(from, to) : LinesOfLoop(best, from, to);
}

std::vector<char> BarrierPlaces::OpenFrom(const Loop& loop, int32_t block, BarrierReach reach) const {
  std::vector<char> reached(graph_.successors.size(), 0);
  std::vector<int32_t> open = {block};
  while (!open.empty()) {
    const int32_t b = open.back();
    open.pop_back();
    for (int32_t s : graph_.successors[At(b)]) {
      if (!loop.blocks[At(s)] || s == loop.header || reached[At(s)]) continue;
      reached[At(s)] = 1;
      if (!HasBarrier(graph_.block_start[At(s)], End(s), {reach, true, -1})) open.push_back(s);
    }
  }
  return reached;
}

bool BarrierPlaces::GoesRound(const Loop& loop, int32_t from, int32_t to, BarrierReach reach) const {
  const int32_t first = BlockOf(from), last = BlockOf(to);
  if (!loop.blocks[At(first)] || !loop.blocks[At(last)]) return false;
  const auto closed = [&](int32_t begin, int32_t end) { return HasBarrier(begin, end, {reach, true, -1}); };
  const auto start = [&](int32_t block) { return graph_.block_start[At(block)]; };
  if (closed(from + 1, End(first)) || closed(start(last), to)) return false;
  if (last != loop.header &&
      (closed(start(loop.header), End(loop.header)) || !OpenFrom(loop, loop.header, reach)[At(last)])) {
    return false;
  }
  const std::vector<char> reached = OpenFrom(loop, first, reach);
  for (int32_t b = 0; At(b) < graph_.block_start.size(); ++b) {
    const auto& next = graph_.successors[At(b)];
    if (std::find(next.begin(), next.end(), loop.header) == next.end() || !loop.blocks[At(b)]) continue;
    if (b == first || (reached[At(b)] && !closed(start(b), End(b)))) return true;
  }
  return false;
}

// The branch back has the line of the `for`, and an instruction moved into the loop may have any line.
size_t BarrierPlaces::DepthOf(const Loop& loop, int32_t at, size_t deepest) const {
  size_t depth = deepest;
  const Frames& inside = FramesOf(at);
  for (int32_t b = 0; At(b) < graph_.block_start.size(); ++b) {
    const auto& next = graph_.successors[At(b)];
    if (!loop.blocks[At(b)] || std::find(next.begin(), next.end(), loop.header) == next.end()) continue;
    const Frames& back = FramesOf(End(b) - 1);
    size_t common = 0;
    while (common + 1 < std::min(back.size(), inside.size()) && back[common] == inside[common]) ++common;
    if (!back.empty()) depth = std::min(depth, common);
  }
  return depth;
}

bool BarrierPlaces::CallDiverges(int32_t at, size_t depth) const {
  const Frames& call = FramesOf(at);
  for (int32_t k = 0; At(k) < function_.body.size(); ++k) {
    const Frames& frames = FramesOf(k);
    if (Divergent(k) || std::min(frames.size(), call.size()) <= depth + 1) continue;
    if (std::equal(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(depth) + 1, call.begin())) return false;
  }
  return Divergent(at);
}

LoopLines BarrierPlaces::LinesOfLoop(const Loop* loop, int32_t a, int32_t b) const {
  LoopLines lines;
  if (loop == nullptr) return lines;
  const size_t deepest = LinesOf(a, b).depth, depth = DepthOf(*loop, a, deepest);
  if (depth < deepest) {
    lines.call = LineIn(a, a, depth);
    lines.call_diverges = CallDiverges(a, depth);
  }
  for (int32_t k = 0; At(k) < function_.body.size(); ++k) {
    const int line = loop->blocks[At(BlockOf(k))] ? LineIn(k, a, depth) : 0;
    if (line == 0) continue;
    lines.first = lines.first == 0 ? line : std::min(lines.first, line);
    lines.last = std::max(lines.last, line);
  }
  lines.uniform = !divergent_[At(loop->header)];
  int ways_back = 0;
  for (int32_t k = 0; At(k) < graph_.block_start.size(); ++k) {
    const auto& successors = graph_.successors[At(k)];
    if (!loop->blocks[At(k)] || std::find(successors.begin(), successors.end(), loop->header) == successors.end())
      continue;
    lines.back = ++ways_back == 1 ? End(k) - 1 : -1;
  }
  // Instructions of lines above the loop may have been moved into it. The branch back has the line of the `for`.
  const int branch = lines.back < 0 ? 0 : LineIn(lines.back, a, depth);
  if (branch > 0 && branch <= std::min(LineIn(a, a, depth), LineIn(b, b, depth))) lines.first = branch;
  return lines;
}

bool BarrierPlaces::EntersLoop(int32_t from, int32_t to) const {
  return std::any_of(loops_.begin(), loops_.end(),
                     [&](const Loop& loop) { return loop.blocks[At(BlockOf(to))] && !loop.blocks[At(BlockOf(from))]; });
}

bool BarrierPlaces::Decides(int32_t load, int32_t at) const {
  std::vector<char> tainted(function_.registers.size(), 0);
  const Instruction& read = function_.body[At(load)];
  for (size_t o = 0; o < Destinations(read) && o < read.operands.size(); ++o) {
    ForRegisters(read.operands[o], [&](int32_t reg) { tainted[At(reg)] = 1; });
  }
  const int32_t block = BlockOf(at);
  for (int32_t k = load + 1; At(k) < function_.body.size(); ++k) {
    const Instruction& i = function_.body[At(k)];
    const bool branches = i.Is(ptx::kBranches | ptx::kEndsFunction) && i.guard >= 0 && tainted[At(i.guard)];
    if (branches && BlockOf(k) != block && Dominates(BlockOf(k), block)) {
      const bool leaves = graph_.successors[At(BlockOf(k))].size() == 1;  // the graph has no early exits
      if (leaves || !PostDominates(block, BlockOf(k))) return true;
    }
    bool uses = false;
    for (size_t o = Destinations(i); o < i.operands.size(); ++o) {
      ForRegisters(i.operands[o], [&](int32_t reg) { uses = uses || tainted[At(reg)]; });
    }
    for (size_t o = 0; uses && o < Destinations(i) && o < i.operands.size(); ++o) {
      ForRegisters(i.operands[o], [&](int32_t reg) { tainted[At(reg)] = 1; });
    }
  }
  return false;
}

}  // namespace warpgrade::emulator
