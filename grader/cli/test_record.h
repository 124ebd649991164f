// What became of one ctest test, kept in a small file, so that a table can follow ctest's own list (which knows passed,
// failed and skipped only): one line "OUTCOME<tab>DEVICE<tab>POINTS<tab>OUT OF<tab>NOTE" in a file named as the test.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "grader/config/points.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

enum class Outcome { kPassed, kFailed, kNotWritten, kCompileError, kMissing, kCrashed, kSkipped };

struct TestRecord {
  Outcome outcome = Outcome::kFailed;
  std::string device;                 // as people read it
  config::Points points, max_points;  // of the rung, as far as this test knows; 0 of 0: it knows nothing
  std::string note;                   // shown in place of the outcome: "skipped: no GPU"
};

// What a table shows: "passed", "WRONG", "not written yet".
std::string_view Text(Outcome outcome);

// A failure to write is a kMachine error: the table would be wrong in silence.
Status WriteRecord(const std::string& folder, const std::string& test, const TestRecord& record);
// By test name, in natural order of names ("v2" before "v10"). Unreadable files are left out.
struct NaturalOrder {
  bool operator()(const std::string& a, const std::string& b) const;
};
std::map<std::string, TestRecord, NaturalOrder> ReadRecords(const std::string& folder);

}  // namespace warpgrade::cli
