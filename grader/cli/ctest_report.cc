// Makes the table after a ctest run. It collects the records of all tests into one row for each rung, and then lays the
// rows out in columns. Tests: tests/cli/ctest_report_test.cc.
#include "grader/cli/ctest_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "grader/report/words.h"
#include "grader/score/counting.h"
#include "grader/score/score.h"

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

// What counts of the rungs of each lab, and what does not.
std::vector<score::LabScore> CountLabs(const Rows& rows, const std::map<std::string, config::CountingRule>& counting) {
  std::map<std::string, score::LabScore, NaturalOrder> labs;
  for (const auto& [name, row] : rows) {
    const std::string lab = name.substr(0, name.find('.'));
    score::RungScore rung;
    rung.rung = name.substr(std::min(name.size(), lab.size() + 1));
    // A wrong answer earns nothing, whatever its technique.
    if (row.correct) rung.points = row.points;
    rung.max_points = rung.measurable_points = row.max_points;
    labs[lab].lab = lab;
    score::AddRung(std::move(rung), &labs[lab]);
  }
  std::vector<score::LabScore> counted;
  for (auto& [name, lab] : labs) {
    if (const auto rule = counting.find(name); rule != counting.end()) score::CountPoints(rule->second, &lab);
    counted.push_back(std::move(lab));
  }
  return counted;
}

// As the tests are named: "lab1.v3_sequential".
std::string NameIn(const score::LabScore& lab, const score::RungScore& rung) {
  return rung.rung.empty() ? lab.lab : lab.lab + "." + rung.rung;
}

}  // namespace

std::string FormatTestTable(const Records& records, const std::map<std::string, config::CountingRule>& counting) {
  if (records.empty()) return "";
  Rows rows = CollectRows(records);
  const std::vector<score::LabScore> labs = CountLabs(rows, counting);
  for (const score::LabScore& lab : labs) {
    for (const score::RungScore& rung : lab.rungs) rows.try_emplace(NameIn(lab, rung));
  }
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
  std::string notes;
  std::set<std::string> devices;
  for (const score::LabScore& lab : labs) {
    for (const score::RungScore& rung : lab.rungs) {
      const std::string name = NameIn(lab, rung);
      const RungRow& cells = rows.at(name);
      const bool known = rung.max_points != config::Points();
      line(name, cells.correctness, cells.technique, cells.throughput,
           known ? report::PointsWords(rung.points, rung.max_points) : "-");
      for (const std::string& words : rung.measurement.messages) notes += fmt::format("  {}: {}\n", lab.lab, words);
    }
    total += lab.points;
    max_total += lab.max_points;
  }
  if (max_total.hundredths() > 0) line("", "", "", "total", total.ToString() + "/" + max_total.ToString());
  if (!notes.empty()) text += "\n" + notes;
  for (const auto& [test, record] : records) {
    if (!record.device.empty()) devices.insert(record.device);
  }
  std::string where;
  for (const std::string& device : devices) where += (where.empty() ? "" : " and ") + device;
  return fmt::format("\n{}{}", where.empty() ? "" : "Tests ran on " + where + ".\n\n", text);
}

}  // namespace warpgrade::cli
