#include "grader/report/table.h"

#include <algorithm>

#include "grader/report/batch_table.h"
#include "grader/report/leaderboard.h"
#include "grader/report/rung_table.h"

namespace warpgrade::report {

std::string Table(const score::GradingReport& report, const TableOptions& options) {
  TableOptions usable = options;
  usable.width = std::clamp(options.width, 60, 400);  // narrower than 60 nothing lines up
  const bool single = report.submissions.size() == 1;
  std::string text;
  if (single || usable.details) {
    for (const score::SubmissionScore& submission : report.submissions) {
      text += SubmissionTable(submission, report, usable) + "\n";
    }
  }
  if (single) {
    text.pop_back();  // the empty line that parts it from a next one
  } else {
    text += BatchTable(report, usable);
    for (const score::Leaderboard& leaderboard : report.leaderboards) {
      text += "\n";
      text += LeaderboardTable(leaderboard, usable);
    }
  }
  return text;
}

}  // namespace warpgrade::report
