// A source with its margin, as data for source.js. Tests: tests/report/html_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/html.h"
#include "grader/report/html_json.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {

using SourceViewJson = nlohmann::ordered_json;

SourceViewJson SourceJson(const std::string& source) {
  SourceViewJson lines = SourceViewJson::array();
  size_t shown = 0;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    if (shown + (end - at) > kMostSourceBytes) {
      lines.push_back("... (" + Counted(source.size() - at, "more byte") + " not shown)");
      break;
    }
    std::string line = source.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(Printable(line));
    shown += line.size() + 1;
    at = end + 1;
  }
  return lines;
}

SourceViewJson CountersJson(const std::vector<score::LineCounts>& counts, size_t lines) {
  using Counts = score::LineCounts;
  struct Column {
    const char* name;
    uint64_t Counts::*part;
    uint64_t Counts::*whole;  // nullptr: of all lines
  };
  constexpr Column kColumns[] = {{"instr. %", &Counts::instructions, nullptr},
                                 {"load", &Counts::load_sectors, &Counts::load_requests},
                                 {"store", &Counts::store_sectors, &Counts::store_requests},
                                 {"turns", &Counts::shared_turns, &Counts::shared_requests},
                                 {"diverg. %", &Counts::divergent_branches, &Counts::branches}};
  uint64_t all = 0;
  for (const Counts& line : counts) all += line.instructions;
  if (all == 0) return nullptr;
  SourceViewJson names = SourceViewJson::array(), rows = SourceViewJson::array();
  for (const Column& column : kColumns) names.push_back(column.name);
  for (const Counts& line : counts) {
    if (line.line < 1 || static_cast<size_t>(line.line) > lines) continue;
    SourceViewJson row = {line.line};
    for (const Column& column : kColumns) {
      const uint64_t whole = column.whole == nullptr ? all : line.*column.whole;
      const bool percent = std::string_view(column.name).ends_with('%');
      const double value = whole == 0 ? 0 : static_cast<double>(line.*column.part) / static_cast<double>(whole);
      row.push_back(whole == 0 ? "" : fmt::format("{:.{}f}", percent ? 100 * value : value, 1));
    }
    rows.push_back(row);
  }
  for (size_t column = names.size(); column > 0; --column) {
    const auto says_something = [column](const SourceViewJson& row) {
      return !row[column].is_string() || !row[column].get_ref<const std::string&>().empty();
    };
    if (std::any_of(rows.begin(), rows.end(), says_something)) continue;
    names.erase(column - 1);
    for (SourceViewJson& row : rows) row.erase(column);
  }
  return {{"names", names}, {"lines", rows}};
}

}  // namespace warpgrade::report
