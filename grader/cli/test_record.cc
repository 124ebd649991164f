// A test record is one line of five fields with tabs between them, in a file named like the test. This file writes and
// reads them, and sorts names such as v2 and v10 by their numbers. Tests: tests/cli/test_record_test.cc.
#include "grader/cli/test_record.h"

#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace warpgrade::cli {
namespace {

struct OutcomeRow {
  Outcome outcome;
  std::string_view key, text;
};
constexpr std::array<OutcomeRow, 7> kOutcomes{{{Outcome::kPassed, "passed", "passed"},
                                               {Outcome::kFailed, "failed", "WRONG"},
                                               {Outcome::kNotWritten, "not_written", "not written yet"},
                                               {Outcome::kCompileError, "compile_error", "does not compile"},
                                               {Outcome::kMissing, "missing", "no such file"},
                                               {Outcome::kCrashed, "crashed", "CRASHED"},
                                               {Outcome::kSkipped, "skipped", "skipped"}}};

const OutcomeRow& RowOf(Outcome outcome) {
  for (const OutcomeRow& row : kOutcomes) {
    if (row.outcome == outcome) return row;
  }
  WARPGRADE_CHECK(false);
}

std::vector<std::string> SplitAtTabs(const std::string& line) {
  std::vector<std::string> fields(1);
  for (char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::optional<config::Points> ReadPoints(const std::string& text) {
  int64_t hundredths = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hundredths);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return config::Points::FromHundredths(hundredths);
}

std::optional<TestRecord> ParseRecord(const std::string& line) {
  const std::vector<std::string> fields = SplitAtTabs(line);
  if (fields.size() != 5) return std::nullopt;
  for (const OutcomeRow& row : kOutcomes) {
    if (row.key != fields[0]) continue;
    const auto points = ReadPoints(fields[2]);
    const auto max_points = ReadPoints(fields[3]);
    if (!points || !max_points) return std::nullopt;
    return TestRecord{row.outcome, fields[1], *points, *max_points, fields[4]};
  }
  return std::nullopt;
}

// The field as it can stand between tabs on one line.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace

std::string_view Text(Outcome outcome) { return RowOf(outcome).text; }

Status WriteRecord(const std::string& folder, const std::string& test, const TestRecord& record) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string path = folder + "/" + test;
  std::ofstream file(path, std::ios::trunc);
  file << RowOf(record.outcome).key << '\t' << OneLine(record.device) << '\t' << record.points.hundredths() << '\t'
       << record.max_points.hundredths() << '\t' << OneLine(record.note) << '\n';
  file.close();
  if (!file)
    return Error{ErrorKind::kMachine,
                 path + ": cannot be written; check the space on the disk and the permissions of the folder"};
  return {};
}

bool NaturalOrder::operator()(const std::string& a, const std::string& b) const {
  size_t i = 0, j = 0;
  const auto digit = [](const std::string& s, size_t at) {
    return at < s.size() && std::isdigit(static_cast<unsigned char>(s[at]));
  };
  while (i < a.size() && j < b.size()) {
    if (digit(a, i) && digit(b, j)) {
      size_t a_end = i, b_end = j;
      while (digit(a, a_end)) ++a_end;
      while (digit(b, b_end)) ++b_end;
      const std::string x = a.substr(i, a_end - i), y = b.substr(j, b_end - j);
      if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
      i = a_end;
      j = b_end;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

std::map<std::string, TestRecord, NaturalOrder> ReadRecords(const std::string& folder) {
  std::map<std::string, TestRecord, NaturalOrder> records;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    if (auto record = ParseRecord(line)) records[entry.path().filename().string()] = *record;
  }
  return records;
}

}  // namespace warpgrade::cli
