#include "grader/cli/report_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "grader/cli/exit_code.h"
#include "grader/cli/progress.h"
#include "grader/report/csv.h"
#include "grader/report/json.h"
#include "grader/report/junit.h"
#include "grader/report/leaderboard.h"
#include "grader/report/table.h"

namespace warpgrade::cli {

Status PrintReport(const score::GradingReport& report, bool details) {
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  report::TableOptions options;
  if (terminal) options.width = TerminalColumns(stdout);
  options.colour = terminal && (no_colour == nullptr || *no_colour == '\0');
  options.details = details;
  const std::string table = report::Table(report, options);
  if (std::fwrite(table.data(), 1, table.size(), stdout) == table.size() && std::fflush(stdout) == 0) return Status();
  return Error{ErrorKind::kMachine,
               fmt::format("the results cannot be printed: {}; send the output elsewhere, or have them written with "
                           "--json FILE",
                           std::strerror(errno))};
}

Status WriteReportFiles(const score::GradingReport& report, const ReportFiles& files) {
  Status first;
  const auto keep_first = [&first](const Status& status) {
    if (first.ok()) first = status;
  };
  if (!files.json.empty()) keep_first(report::WriteJson(report, files.json));
  if (!files.junit.empty()) keep_first(report::WriteJunit(report, files.junit));
  if (!files.csv.empty()) keep_first(report::WriteCsv(report, files.csv));
  if (!files.leaderboard.empty()) keep_first(report::WriteLeaderboardCsv(report, files.leaderboard));
  return first;
}

Status HandOut(const score::GradingReport& report, const ReportFiles& files, bool details) {
  const Status written = WriteReportFiles(report, files);
  const Status printed = PrintReport(report, details);
  return written.ok() ? printed : written;
}

int Conclude(const SessionResult& result) {
  for (const std::string& failure : result.failures) fmt::print(stderr, "warpgrade: {}\n", failure);
  if (result.interrupted) {
    fmt::print(stderr, "warpgrade: interrupted; what was finished is above\n");
    return kInterrupted;
  }
  if (!result.failures.empty()) {
    fmt::print(stderr, "warpgrade: the machine failed; the rungs concerned are not graded\n");
    return kMachineFailed;
  }
  return kDone;
}

}  // namespace warpgrade::cli
