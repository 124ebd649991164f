// Reads the lines of a program, and begins its plot. Tested by tests/study/rows_test.cc.
#include "grader/study/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace warpgrade::study {
namespace {

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::optional<double> Number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

template <typename List, typename NameOf, typename Make>
auto& FindOrAdd(List& list, const std::string& name, NameOf name_of, Make make) {
  for (auto& one : list) {
    if (name_of(one) == name) return one;
  }
  list.push_back(make());
  return list.back();
}

// False if the line is not a row.
bool AddRow(const std::vector<std::string>& fields, Rows* rows) {
  if (fields.size() != 7) return false;
  double numbers[4];
  for (size_t i = 0; i < 4; ++i) {
    const std::optional<double> number = Number(fields[3 + i]);
    if (!number) return false;
    numbers[i] = *number;
  }
  using Table = std::pair<std::string, std::vector<plot::Series>>;
  Table& table = FindOrAdd(
      rows->tables, fields[1], [](const Table& t) { return t.first; }, [&] { return Table(fields[1], {}); });
  plot::Series& series = FindOrAdd(
      table.second, fields[2], [](const plot::Series& s) { return s.name; },
      [&] { return plot::Series{.name = fields[2]}; });
  series.points.push_back({numbers[0], numbers[1], numbers[2], numbers[3], false});
  return true;
}

}  // namespace

const char* const kNoTimes = "Times: skipped: no GPU. The emulator has no times.";

const std::vector<plot::Series>& Rows::Of(const std::string& table) const {
  static const std::vector<plot::Series> kNone;
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.first == table; });
  return found == tables.end() ? kNone : found->second;
}

const plot::Series* Rows::Find(const std::string& table, const std::string& series) const {
  for (const plot::Series& one : Of(table)) {
    if (one.name == series) return &one;
  }
  return nullptr;
}

Result<Rows> ReadRows(const std::string& printed) {
  Rows rows;
  size_t begin = 0;
  while (begin < printed.size()) {
    const size_t end = std::min(printed.find('\n', begin), printed.size());
    const std::string line = printed.substr(begin, end - begin);
    begin = end + 1;
    const std::vector<std::string> fields = Fields(line);
    if (fields[0] == "device" && fields.size() == 3) {
      rows.device = fields[1];
      rows.has_times = fields[2] == "1";
    } else if (fields[0] != "row" || !AddRow(fields, &rows)) {
      return Error{ErrorKind::kMachine, fmt::format("the study's program printed a line that is no row: {}", line)};
    }
  }
  if (rows.device.empty()) return Error{ErrorKind::kMachine, "the study's program did not name its device"};
  return rows;
}

plot::Plot BeginPlot(const std::string& title, const Rows& rows, const std::string& sizes) {
  plot::Plot plot;
  plot.title = title;
  plot.facts = {{"Device", rows.has_times ? rows.device : "the emulator"}, {"Sizes", sizes}};
  if (!rows.has_times) plot.facts.emplace_back("Times", "skipped: no GPU");
  return plot;
}

}  // namespace warpgrade::study
