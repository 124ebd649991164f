// Hands a report to the person and to files.
#pragma once

#include <string>

#include "grader/cli/grading_session.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct ReportFiles {
  std::string json, junit, csv, leaderboard;  // "": not wanted
};

// Prints the table to standard output, in colours on a terminal without NO_COLOR. Errors (kMachine): it is full.
Status PrintReport(const score::GradingReport& report, bool details);

// The error names the file and the reason; the other files are written all the same.
Status WriteReportFiles(const score::GradingReport& report, const ReportFiles& files);

// Writes the files, then prints: a reader of the output that goes away (`| head`) ends us, and the files are there. The
// first error of both.
Status HandOut(const score::GradingReport& report, const ReportFiles& files, bool details);

// What the command exits with: interrupted before failures before done. Failures and the interruption are said on
// standard error.
int Conclude(const SessionResult& result);

}  // namespace warpgrade::cli
