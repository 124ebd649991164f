// Tests: tests/judge/second_opinion_test.cc.
#include "grader/judge/second_opinion.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/judge/correctness.h"
#include "grader/judge/timed_samples.h"

namespace warpgrade::judge {

std::vector<Case> CasesBeforeGpu(const std::vector<Case>& cases) {
  std::vector<Case> before = cases;
  std::erase_if(before, [](const Case& c) { return c.many_blocks; });
  return before.empty() ? cases : before;
}

std::vector<Case> CasesAfterGpu(const std::vector<Case>& cases, const score::RungMeasurement& on_gpu) {
  std::vector<Case> after = cases;
  std::erase_if(after, [&on_gpu](const Case& c) {
    const auto is_this = [&c](const score::CaseFailure& failure) { return failure.case_name == c.name; };
    return !c.many_blocks || std::none_of(on_gpu.failures.begin(), on_gpu.failures.end(), is_this);
  });
  return after;
}

bool SettlesTheVerdict(const score::RungMeasurement& opinion, bool unsupported) {
  return !unsupported && !StillPassing(opinion);
}

void AddSecondOpinion(score::RungMeasurement opinion, bool unsupported, score::RungMeasurement* measurement) {
  if (unsupported) {
    measurement->messages.push_back("technique was not measured: the emulator cannot run this program");
    for (const std::string& message : opinion.messages) measurement->messages.push_back(message);
    for (const score::CaseFailure& failure : opinion.failures) measurement->messages.push_back(failure.message);
    return;
  }
  // Keeps the whole opinion and copies the few fields of the GPU into it, so that a new field cannot be forgotten.
  opinion.cases += measurement->cases;
  opinion.cases_run += measurement->cases_run;
  opinion.cases_passed += measurement->cases_passed;
  opinion.cases_faulty += measurement->cases_faulty;
  opinion.messages.insert(opinion.messages.begin(), measurement->messages.begin(), measurement->messages.end());
  opinion.out_of_time |= measurement->out_of_time;
  opinion.throughput = std::move(measurement->throughput);
  *measurement = std::move(opinion);
}

void AddExplanation(score::RungMeasurement emulated, score::RungMeasurement* on_gpu) {
  for (score::CaseFailure& failure : on_gpu->failures) {
    const auto same = std::find_if(
        emulated.failures.begin(), emulated.failures.end(),
        [&failure](const score::CaseFailure& candidate) { return candidate.case_name == failure.case_name; });
    if (same != emulated.failures.end()) failure = *same;
  }
  std::move(emulated.findings.begin(), emulated.findings.end(), std::back_inserter(on_gpu->findings));
}

void FlagUnwatched(score::ThroughputMeasurement* throughput) {
  Flag(
      "the emulator cannot run this program, so nothing was checked for races and for work of the host; it gives no "
      "points until a person has looked at it and accepted it with warpgrade accept",
      throughput);
}

}  // namespace warpgrade::judge
