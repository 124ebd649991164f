// The outcome of one ctest test in a small file, for the table after the tests. (ctest itself knows only passed, failed
// and skipped.) The file is named like the test and has one line: "OUTCOME<tab>DEVICE<tab>POINTS<tab>OUT OF<tab>NOTE".
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
  std::string device;                 // for people: "NVIDIA H200"
  config::Points points, max_points;  // of the rung, as far as this test knows them; 0 of 0: unknown
  std::string note;                   // the table shows it instead of the outcome: "skipped: no GPU"
};

// The words of the table: "passed", "WRONG", "not written yet".
std::string_view Text(Outcome outcome);

// Writes the record of `test`. Errors: kMachine.
Status WriteRecord(const std::string& folder, const std::string& test, const TestRecord& record);

// Sorts "v2" before "v10".
struct NaturalOrder {
  bool operator()(const std::string& a, const std::string& b) const;
};

// All records in `folder`, by the name of the test. Files that cannot be read are left out.
std::map<std::string, TestRecord, NaturalOrder> ReadRecords(const std::string& folder);

}  // namespace warpgrade::cli
