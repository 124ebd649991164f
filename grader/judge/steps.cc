// Tests: tests/judge/steps_test.cc, and tests/course/steps_test.cc for the course's trees.
#include "grader/judge/steps.h"

#include <algorithm>

#include "grader/judge/findings.h"

namespace warpgrade::judge {
namespace {

using ptx::Type;

score::Triple TripleOf(const emulator::Dim3& d) { return {d.x, d.y, d.z}; }

score::StepArray::Type TypeOf(Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kF32:
    case Type::kF64:
      return score::StepArray::Type::kFloat;
    case Type::kS8:
    case Type::kS16:
    case Type::kS32:
    case Type::kS64:
      return score::StepArray::Type::kSigned;
    case Type::kU8:
    case Type::kU16:
    case Type::kU32:
    case Type::kU64:
      return score::StepArray::Type::kUnsigned;
    default:
      return score::StepArray::Type::kBits;
  }
}

score::StepArray ToScore(const emulator::StepColumn& from) {
  using Space = score::StepArray::Space;
  const Space space = from.space == emulator::StepSpace::kShared   ? Space::kShared
                      : from.space == emulator::StepSpace::kGlobal ? Space::kGlobal
                                                                   : Space::kRegisters;
  return {from.name, space, TypeOf(from.type), static_cast<int>(from.bytes), from.elements};
}

score::StepValue ToScore(const emulator::StepValue& from) { return {from.column, from.element, from.value}; }

score::StepWrite ToScore(const emulator::StepWrite& from) {
  using Does = score::StepWrite::Does;
  score::StepWrite to;
  to.thread = from.thread;
  to.does = from.does == emulator::StepDoes::kShuffle  ? Does::kShuffle
            : from.does == emulator::StepDoes::kAtomic ? Does::kAtomic
                                                       : Does::kStore;
  to.what = ToScore(from.what);
  for (const emulator::StepValue& source : from.sources) to.sources.push_back(ToScore(source));
  to.more_sources = from.more_sources;
  return to;
}

size_t ValuesIn(const emulator::Step& step) {
  size_t values = step.reads.size();
  for (const emulator::StepWrite& write : step.writes) values += 1 + write.sources.size();
  return values;
}

score::BlockStep CountsOf(const emulator::Step& from, const std::string& rung) {
  score::BlockStep to;
  to.interval = from.number.interval;
  to.part = from.number.part;
  for (size_t i = 0; i < from.lines.size(); ++i) {
    if (from.lines[i] > 0 && ShortFile(from.files[i], rung) == rung + ".cu") to.lines.push_back(from.lines[i]);
  }
  std::sort(to.lines.begin(), to.lines.end());
  to.lines.erase(std::unique(to.lines.begin(), to.lines.end()), to.lines.end());
  to.shared_loads = from.counts.shared_load_requests;
  to.shared_stores = from.counts.shared_store_requests;
  to.shared_atomics = from.counts.shared_atomic_requests;
  to.shuffles = from.counts.shuffles;
  to.shared_load_lanes = from.counts.shared_load_lanes;
  to.shared_store_lanes = from.counts.shared_store_lanes;
  return to;
}

}  // namespace

std::vector<score::BlockSteps> ToScore(const emulator::StepsOfLaunches& recorded, const std::string& rung) {
  if (recorded.chosen().empty()) return {};
  const emulator::BlockSteps& from = recorded.chosen()[0];
  score::BlockSteps to;
  to.kernel = from.kernel;
  to.launch = from.launch;
  to.launches = recorded.launches();
  to.grid = TripleOf(from.grid);
  to.block_size = TripleOf(from.block_size);
  to.block = TripleOf(from.block);
  to.left_out = from.left_out;
  for (const emulator::StepColumn& column : from.columns) to.arrays.push_back(ToScore(column));
  size_t values = 0;
  bool is_full = false;
  for (const emulator::Step& step : from.steps) {
    score::BlockStep& kept = to.steps.emplace_back(CountsOf(step, rung));
    const size_t in_step = ValuesIn(step);
    is_full = is_full || values + in_step > kMostStepValues;
    if (is_full) {
      to.left_out += in_step;
      continue;
    }
    values += in_step;
    for (const emulator::StepRead& read : step.reads) kept.reads.push_back({read.thread, ToScore(read.what)});
    for (const emulator::StepWrite& write : step.writes) kept.writes.push_back(ToScore(write));
  }
  return {std::move(to)};
}

}  // namespace warpgrade::judge
