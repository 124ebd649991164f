// Tested by tests/emulator/exec/counters_test.cc.
#include "grader/emulator/counters/kept_launches.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace warpgrade::emulator {
namespace {

// Adds the counters of each line of `more` to the same line of `*to`. Both are sorted.
void AddLines(std::vector<LineCounters> more, std::vector<LineCounters>* to) {
  const auto before = [](const LineCounters& a, const LineCounters& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  };
  std::vector<LineCounters> fresh;
  auto at = to->begin();
  for (LineCounters& line : more) {
    at = std::lower_bound(at, to->end(), line, before);
    if (at != to->end() && at->line == line.line && at->file == line.file) {
      at->counters.Add(line.counters);
    } else {
      fresh.push_back(std::move(line));
    }
  }
  if (fresh.empty()) return;
  const auto middle = static_cast<std::ptrdiff_t>(to->size());
  std::move(fresh.begin(), fresh.end(), std::back_inserter(*to));
  std::inplace_merge(to->begin(), to->begin() + middle, to->end(), before);
}

}  // namespace

void KeptLaunches::Add(uint32_t kernel, LaunchRecord record) {
  const auto [first, is_first] = first_of_.try_emplace(kernel, launches_.size());
  if (is_first || kept_lines_ + record.lines.size() <= most_lines_) {
    kept_lines_ += record.lines.size();
  } else {
    AddLines(std::exchange(record.lines, {}), &launches_[first->second].lines);
  }
  launches_.push_back(std::move(record));
}

void KeptLaunches::Clear() {
  launches_.clear();
  first_of_.clear();
  kept_lines_ = 0;
}

}  // namespace warpgrade::emulator
