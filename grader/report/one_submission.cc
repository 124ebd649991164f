#include "grader/report/one_submission.h"

#include <fmt/format.h>

namespace warpgrade::report {

Error NotOneSubmission(const std::string& flag, size_t count) {
  if (count == 0) return {ErrorKind::kUsage, fmt::format("{} is about one submission, but there is none", flag)};
  return {ErrorKind::kUsage, fmt::format("{0} is about one submission, but there are {1}; grade each by itself: "
                                         "warpgrade grade SUBMISSION {0} FILE",
                                         flag, count)};
}

Result<const score::SubmissionScore*> OnlySubmission(const score::GradingReport& report, const std::string& flag) {
  if (report.submissions.size() != 1) return NotOneSubmission(flag, report.submissions.size());
  return &report.submissions.front();
}

}  // namespace warpgrade::report
