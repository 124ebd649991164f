// Makes the table after a ctest run. It collects the records of all tests into one row for each rung, and then lays the
// rows out in columns. Tests: tests/cli/ctest_report_test.cc.
#include "grader/cli/ctest_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace warpgrade::cli {
namespace {

struct RungRow {
  std::string correctness = "-", technique = "-", throughput = "-";
  bool correct = true;
  config::Points points, max_points;
};

using Rows = std::map<std::string, RungRow, NaturalOrder>;

// What one column shows of a record.
std::string Cell(const TestRecord& record) {
  return record.note.empty() ? std::string(Text(record.outcome)) : record.note;
}

// "lab1.v3_sequential.technique" -> "lab1.v3_sequential", "technique".
std::pair<std::string, std::string> SplitTestName(const std::string& test) {
  const size_t dot = test.rfind('.');
  if (dot == std::string::npos) return {test, ""};
  return {test.substr(0, dot), test.substr(dot + 1)};
}

Rows CollectRows(const Records& records) {
  Rows rows;
  for (const auto& [test, record] : records) {
    const auto [rung, part] = SplitTestName(test);
    RungRow& row = rows[rung];
    if (part == "correctness") {
      row.correctness = Cell(record);
      row.correct = record.outcome == Outcome::kPassed;
    } else if (part == "technique") {
      row.technique = Cell(record);
    } else if (part == "throughput") {
      row.throughput = Cell(record);
    }
    if (row.max_points < record.max_points) row.max_points = record.max_points;
    if (row.points < record.points) row.points = record.points;
  }
  return rows;
}

}  // namespace

std::string FormatTestTable(const Records& records) {
  if (records.empty()) return "";
  const Rows rows = CollectRows(records);
  size_t rung_width = 4, correctness_width = 11, technique_width = 9, throughput_width = 10;
  for (const auto& [rung, row] : rows) {
    rung_width = std::max(rung_width, rung.size());
    correctness_width = std::max(correctness_width, row.correctness.size());
    technique_width = std::max(technique_width, row.technique.size());
    throughput_width = std::max(throughput_width, row.throughput.size());
  }
  std::string text;
  const auto line = [&](const std::string& rung, const std::string& correctness, const std::string& technique,
                        const std::string& throughput, const std::string& points) {
    text += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {:>7}\n", rung, rung_width, correctness, correctness_width,
                        technique, technique_width, throughput, throughput_width, points);
  };
  line("rung", "correctness", "technique", "throughput", "points");
  config::Points total, max_total;
  std::set<std::string> devices;
  for (const auto& [rung, row] : rows) {
    // A wrong answer earns nothing, whatever its technique.
    const config::Points points = row.correct ? row.points : config::Points();
    const bool known = row.max_points.hundredths() > 0;
    line(rung, row.correctness, row.technique, row.throughput,
         known ? points.ToString() + "/" + row.max_points.ToString() : "-");
    total += points;
    max_total += row.max_points;
  }
  if (max_total.hundredths() > 0) line("", "", "", "total", total.ToString() + "/" + max_total.ToString());
  for (const auto& [test, record] : records) {
    if (!record.device.empty()) devices.insert(record.device);
  }
  std::string where;
  for (const std::string& device : devices) where += (where.empty() ? "" : " and ") + device;
  return fmt::format("\n{}{}", where.empty() ? "" : "Tests ran on " + where + ".\n\n", text);
}

}  // namespace warpgrade::cli
