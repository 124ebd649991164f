// Tests: tests/judge/second_look_test.cc, tests/course/second_look_test.cc.
#include "grader/judge/second_look.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/emulator/checks/finding.h"

namespace warpgrade::judge {
namespace {

using score::Finding;

// What one case may take, as a share of the limits for all of them. A right kernel of the labs stays far below it in a
// small case, also without optimisation. The emulator takes some ten seconds for so many instructions.
constexpr uint64_t kShareOfInstructions = 50;
constexpr int kShareOfTime = 3;

constexpr char kOutside[] = "out-of-bounds", kUnwritten[] = "uninitialised-read", kMisaligned[] = "misaligned";
// Added to the message of a finding.
constexpr char kWhere[] =
    "This was seen in a second run, without optimisation. In the optimised program, which is graded, nvcc mostly "
    "keeps the array in registers, and an element outside of it, or one that was never written, can have any value";
constexpr char kOutsideAdvice[] =
    "compare the bounds of the loop with the number of elements of the local array, as in `i < 3` for `float a[3]`";
constexpr char kUnwrittenAdvice[] =
    "give the element a value on every path to this line; if all elements have one, the index is outside of the array, "
    "so compare the bounds of the loop with its number of elements";

bool IsKnown(const Finding& finding, const std::vector<Finding>& among) {
  return std::any_of(among.begin(), among.end(), [&finding](const Finding& other) {
    return other.in_local &&
           std::tie(other.kind, other.file, other.line) == std::tie(finding.kind, finding.file, finding.line);
  });
}

bool IsUnexplainedValue(const score::CaseFailure& failure) { return failure.index.has_value() && !failure.explained; }
// Hidden cases are drawn anew for each run, and have no number: they cannot be repeated.
bool CanBeRepeated(const score::CaseFailure& failure) { return failure.case_number > 0; }

// Whether `a` is the better case to repeat: one with elements, then a small one.
bool IsBetter(const score::CaseFailure& a, const score::CaseFailure& b) {
  return std::tuple(a.case_elements == 0, a.case_elements) < std::tuple(b.case_elements == 0, b.case_elements);
}

// The failed case that the second look repeats; nullptr if there is none.
const score::CaseFailure* CaseToRepeat(const score::RungMeasurement& measurement) {
  const bool crashed = measurement.status == score::RungStatus::kCrashed;
  if (crashed ? !measurement.findings.empty() : measurement.status != score::RungStatus::kFailed) return nullptr;
  const score::CaseFailure* best = nullptr;
  for (const score::CaseFailure& failure : measurement.failures) {
    if (!CanBeRepeated(failure) || (!crashed && !IsUnexplainedValue(failure))) continue;
    if (best == nullptr || IsBetter(failure, *best)) best = &failure;
  }
  return best;
}

}  // namespace

bool NeedsSecondLook(const score::RungMeasurement& measurement) { return CaseToRepeat(measurement) != nullptr; }

JudgeRequest RequestForSecondLook(JudgeRequest first, const score::RungMeasurement& measurement) {
  const score::CaseFailure* const failure = CaseToRepeat(measurement);
  WARPGRADE_CHECK(failure != nullptr);
  first.only_case = failure->case_number;
  first.parts = {};
  first.parts.hidden_cases = first.parts.technique = first.parts.throughput = false;
  first.delay_seed = 0;
  first.progress = nullptr;
  config::RunLimits& limits = first.limits;
  limits.total_instruction_budget = std::max<uint64_t>(1, limits.total_instruction_budget / kShareOfInstructions);
  limits.instruction_budget = std::min(limits.instruction_budget, limits.total_instruction_budget);
  limits.wall_s = std::max(1, limits.wall_s / kShareOfTime);
  limits.cpu_s = std::max(1, limits.cpu_s / kShareOfTime);
  return first;
}

void AddSecondLook(score::RungMeasurement look, score::RungMeasurement* measurement) {
  std::set<std::pair<std::string, int>> outside;
  bool stores_are_missing = false;  // the emulator leaves out a misaligned access
  for (const Finding& finding : look.findings) {
    if (!finding.in_local) continue;
    stores_are_missing |= finding.kind == kMisaligned;
    if (finding.kind == kOutside) outside.emplace(finding.file, finding.line);
  }
  for (Finding& finding : look.findings) {
    if (!finding.in_local || finding.line == 0) continue;  // in a header of CUDA: that is no line to change
    if (finding.message == emulator::kLocalAtomic) continue;
    if (finding.kind == kUnwritten) {
      // One index reaches both other elements and the end.
      if (stores_are_missing || outside.contains({finding.file, finding.line})) continue;
    } else if (finding.kind != kOutside) {
      continue;
    }
    if (IsKnown(finding, measurement->findings)) continue;
    finding.advice = finding.kind == kOutside ? kOutsideAdvice : kUnwrittenAdvice;
    finding.message += (finding.message.ends_with('?') ? " " : ". ") + std::string(kWhere);
    finding.cases = 0;
    measurement->findings.push_back(std::move(finding));
  }
}

}  // namespace warpgrade::judge
