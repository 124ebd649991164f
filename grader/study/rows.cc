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

// The index of a name in a list, to which it is added if it is not there.
size_t IndexOf(std::vector<std::string>* names, const std::string& name) {
  const auto found = std::find(names->begin(), names->end(), name);
  if (found != names->end()) return static_cast<size_t>(found - names->begin());
  names->push_back(name);
  return names->size() - 1;
}

template <typename Named>
Named& FindOrAdd(std::vector<Named>* list, const std::string& name) {
  for (Named& one : *list) {
    if (one.name == name) return one;
  }
  list->push_back(Named{.name = name});
  return list->back();
}

// False if the line is neither a row nor a bar.
bool AddRow(const std::vector<std::string>& fields, Rows* rows) {
  const bool is_bar = fields[0] == "bar";
  if (fields.size() != 7 || (!is_bar && fields[0] != "row")) return false;
  double numbers[4] = {};
  for (size_t i = is_bar ? 1 : 0; i < 4; ++i) {
    const std::optional<double> number = Number(fields[3 + i]);
    if (!number) return false;
    numbers[i] = *number;
  }
  Table& table = FindOrAdd(&rows->tables, fields[1]);
  if (is_bar) numbers[0] = static_cast<double>(IndexOf(&table.categories, fields[3]));
  FindOrAdd(&table.series, fields[2]).points.push_back({numbers[0], numbers[1], numbers[2], numbers[3], false});
  return true;
}

}  // namespace

const char* const kNoTimes = "Times: skipped: no GPU. The emulator has no times.";

const plot::Series* Table::Find(const std::string& series_name) const {
  for (const plot::Series& one : series) {
    if (one.name == series_name) return &one;
  }
  return nullptr;
}

std::optional<double> Table::Bar(const std::string& series_name, const std::string& category) const {
  const plot::Series* found = Find(series_name);
  if (found == nullptr) return std::nullopt;
  for (const plot::Point& point : found->points) {
    const auto index = static_cast<size_t>(point.x);
    if (index < categories.size() && categories[index] == category) return point.y;
  }
  return std::nullopt;
}

const Table& Rows::Of(const std::string& table) const {
  static const Table kNone;
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.name == table; });
  return found == tables.end() ? kNone : *found;
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
    } else if (!AddRow(fields, &rows)) {
      return Error{ErrorKind::kMachine, fmt::format("the study's program printed a line that is no row: {}", line)};
    }
  }
  if (rows.device.empty()) return Error{ErrorKind::kMachine, "the study's program did not name its device"};
  return rows;
}

Result<Rows> RunForRows(Machine& machine, std::string_view program, const std::vector<std::string>& arguments) {
  const Result<std::string> printed = machine.RunProgram(program, arguments);
  if (!printed) return printed.error();
  return ReadRows(*printed);
}

plot::Chart ChartOf(const Table& table, const std::string& title, const plot::Axis& x, const plot::Axis& y) {
  return {.id = table.name,
          .title = title,
          .x = x,
          .y = y,
          .categories = table.categories,
          .series = table.series,
          .sentences = {}};
}

plot::Plot BeginPlot(const std::string& title, const Rows& rows, const std::string& sizes) {
  plot::Plot plot;
  plot.title = title;
  plot.facts = {{"Device", rows.has_times ? rows.device : "the emulator"}, {"Sizes", sizes}};
  if (!rows.has_times) plot.facts.emplace_back("Times", "skipped: no GPU");
  return plot;
}

}  // namespace warpgrade::study
