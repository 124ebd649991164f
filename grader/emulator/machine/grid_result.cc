// Merges the counts and findings of the host threads of one launch. Tested by tests/emulator/exec/schedule_test.cc,
// which compares the results of one and of several host threads.
#include "grader/emulator/machine/grid_result.h"

#include <algorithm>
#include <utility>

#include "grader/emulator/checks/finding.h"
#include "grader/emulator/checks/race_advice.h"

namespace warpgrade::emulator {

uint64_t AddUpTo(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? ~uint64_t{0} : sum;
}

uint64_t AddSquare(uint64_t a, uint64_t b) {
  uint64_t square = 0;
  return __builtin_mul_overflow(b, b, &square) ? ~uint64_t{0} : AddUpTo(a, square);
}

GridMerge::GridMerge(const LaunchShared& launch) : launch_(launch) {
  result_.stats.resize(launch.program->origins.size());
  if (launch.options->wave64 && launch.program->wave_lanes == kLanes) result_.wave64.resize(result_.stats.size());
}

void GridMerge::Add(const ThreadResult& thread) {
  for (size_t k = 0; k < result_.stats.size(); ++k) result_.stats[k].Add(thread.stats[k]);
  for (size_t k = 0; k < result_.wave64.size(); ++k) result_.wave64[k] += thread.wave64->issued()[k];
  if (thread.requests != nullptr) {
    for (const auto& [key, requests] : thread.requests->all()) result_.requests[key].Add(requests);
  }
  if (thread.branches != nullptr) {
    for (const auto& [inst, branches] : thread.branches->Take()) result_.branches[inst].Add(branches);
  }
  if (thread.steps != nullptr) {
    if (RecordedSteps steps = thread.steps->Take(); steps.ran) result_.steps = std::move(steps);
  }
  result_.host_visible_bytes += thread.host_visible_bytes;
  result_.instruction_squares = AddUpTo(result_.instruction_squares, thread.instruction_squares);
  for (const PendingFinding& p : thread.findings) {
    auto [it, added] = findings_.try_emplace({p.inst, p.other_inst, p.finding.kind}, p);
    if (added) continue;
    PendingFinding& kept = it->second;
    const uint64_t count = kept.finding.count + p.finding.count;
    if (p.Precedes(kept)) kept = p;
    kept.finding.count = count;
  }
}

GridResult GridMerge::Finish() {
  for (auto& [key, p] : findings_) result_.findings.push_back(std::move(p));
  std::stable_sort(result_.findings.begin(), result_.findings.end(),
                   [](const PendingFinding& a, const PendingFinding& b) { return a.order < b.order; });
  CompleteRaces(launch_, &result_.findings);
  result_.status = static_cast<LaunchStatus>(launch_.fatal.load());
  for (const PendingFinding& p : result_.findings) {
    if (result_.status == LaunchStatus::kOk && IsFatal(p.finding.kind)) result_.status = StatusOf(p.finding.kind);
  }
  if (launch_.options->cancel != nullptr && launch_.options->cancel->load()) result_.status = LaunchStatus::kCancelled;
  return std::move(result_);
}

}  // namespace warpgrade::emulator
