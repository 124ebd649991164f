// Adds the attempts before they are graded, so that the time of handing in is that of the upload which is graded.
// Tests: tests/cli/inbox_command_test.cc.
#include "grader/cli/inbox_book.h"

#include <algorithm>
#include <utility>

#include "grader/cli/batch.h"
#include "grader/roster/match.h"

namespace warpgrade::cli {
namespace {

constexpr char kWhy[] = "inbox";

// The part of a submission's result that is about `lab`.
score::GradingReport Only(const score::GradingReport& report, const score::SubmissionScore& scored,
                          const score::LabScore& lab) {
  score::GradingReport one = report;
  one.leaderboards.clear();
  one.submissions = {scored};
  score::SubmissionScore& part = one.submissions[0];
  part.labs = {lab};
  part.points = lab.points;
  part.max_points = lab.max_points;
  part.measurable_points = lab.measurable_points;
  return one;
}

}  // namespace

Result<InboxBook::Plans> InboxBook::Plan(const SessionFacts& facts, const submission::Submission& one) {
  attempts_.clear();
  Plans plans;
  const Result<std::vector<roster::Student>> kept = KeptRoster(&book_);
  if (!kept) return kept.error();
  for (const config::Lab& lab : facts.labs) {
    if (!IsAbout(one, lab.name)) continue;
    const Result<gradebook::Conditions> conditions = ConditionsOf(facts, lab.name);
    if (!conditions) return conditions.error();
    const Result<roster::Matched> matched = roster::Match({one}, lab.name, kept->empty() ? nullptr : &*kept);
    if (!matched) return matched.error();
    for (const roster::Unmatched& nobody : matched->unmatched) plans.ownerless.push_back(nobody.why);
    for (const roster::Owned& owned : matched->owned) {
      const auto planned = book_.Plan({HandInOf(one, owned, lab.name)}, *conditions, /*again=*/false, kWhy);
      if (!planned) return planned.error();
      const auto same = std::find_if(plans.to_grade.begin(), plans.to_grade.end(),
                                     [&owned](const auto& planned_one) { return planned_one.id == owned.student; });
      const auto index = static_cast<size_t>(same - plans.to_grade.begin());
      if (same == plans.to_grade.end()) {
        plans.to_grade.push_back(one);
        plans.to_grade.back().id = plans.to_grade.back().student = owned.student;
      }
      plans.is_graded &= planned->at(0).is_graded;
      attempts_.push_back({index, lab.name, planned->at(0), *conditions});
    }
  }
  if (plans.to_grade.empty()) plans.to_grade.push_back(one);
  return plans;
}

Status InboxBook::Keep(const score::GradingReport& report) {
  for (const Attempt& attempt : attempts_) {
    if (attempt.planned.is_graded) continue;
    const score::SubmissionScore& scored = report.submissions.at(attempt.submission);
    for (const score::LabScore& lab : scored.labs) {
      if (lab.lab != attempt.lab) continue;
      // False if another process has graded it meanwhile: then that result counts.
      const Result<bool> added =
          book_.AddGrading(attempt.planned, attempt.conditions, Only(report, scored, lab), kWhy, "");
      if (!added) return added.error();
    }
  }
  return Status();
}

}  // namespace warpgrade::cli
