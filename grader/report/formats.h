// The file formats of a report. Formats() is the only list of them: the options of `warpgrade grade`, `check` and
// `accept`, their help, the writing of the files and the tests of all formats are made from it.
//
// To add a format: write its writer in a new file in this folder (csv.h and csv.cc are an example), add its row to
// formats.cc, and write its test in tests/report/.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/sink.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"
#include "grader/score/visibility.h"

namespace warpgrade::report {

struct Format {
  std::string flag;  // the option that asks for it, "--csv"; its test is tests/report/csv_test.cc
  std::string help;  // of that option
  // Makes the whole content of the file; a plain std::string will do. An error of kind kUsage says why this report
  // cannot have this format, and what to do.
  std::function<Result<std::string>(const score::GradingReport&)> writer;
  // The same in pieces, for long files; may be empty.
  std::function<void(const score::GradingReport&, const Sink&)> write_pieces;
  // Who reads the file. TextOf gives the writer only what this reader may see.
  score::Reader reader = score::Reader::kStudents;
  // About several submissions it is for staff, whatever `reader` says.
  bool class_is_for_staff = false;
  // It is about several submissions, so `warpgrade check`, which has one, does not offer it.
  bool compares_submissions = false;
  // It can hold one submission only. Its writer gives an error for any other number, and `warpgrade grade` finds this
  // out before it grades (one_submission.h).
  bool one_submission = false;
  // In the file each rung is a test with points of its own, which the reader adds up (OnlyCounted in score/counting.h).
  bool adds_up_rungs = false;
  // The writer reads only points, statuses, counts of missed limits and of cases, times and leaderboards. Then `export`
  // need not read the rest of a gradebook, which takes time.
  bool marks_alone = false;
};

// What `warpgrade accept` reads (json_reader.h).
inline constexpr const char* kJsonFlag = "--json";

// Each format once, in the order of the help.
const std::vector<Format>& Formats();

// Who reads, and when.
struct View {
  int64_t now = 0;                      // in seconds since 1970; at 0 nothing is shown that waits for a date
  std::optional<score::Reader> reader;  // nullopt: each format's own
};

// The whole content of the file. Errors: the writer's.
Result<std::string> TextOf(const Format& format, const score::GradingReport& report, const View& view);
// The same for who does not need the report afterwards: spares a copy of it. It stays with the caller, who may never
// delete it: for a class that takes a while.
Result<std::string> TextOf(const Format& format, score::GradingReport&& report, const View& view);

// Writes `report` to the file at `path`. A reader sees the old file or the whole new one (see file.h). Errors: the
// writer's, or kMachine with the path and the reason.
Status WriteReport(const score::GradingReport& report, const Format& format, const View& view, const std::string& path);
// The same, as TextOf, for who does not need the report afterwards.
Status WriteReport(score::GradingReport&& report, const Format& format, const View& view, const std::string& path);

}  // namespace warpgrade::report
