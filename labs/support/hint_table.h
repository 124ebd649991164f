// How a lab's table of hints is read.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lab {

// What to tell a student of `rung` who misses `what`: "correctness" or a name from metrics.def.
struct HintRow {
  std::string_view rung, what, hint;
};

inline constexpr std::string_view kAnyRung;  // empty

// The first row that fits, so rows for one rung stand before those for all; "" when none does.
inline std::string_view FindHint(std::span<const HintRow> rows, std::string_view rung, std::string_view what) {
  for (const HintRow& row : rows) {
    if (row.what == what && (row.rung == rung || row.rung == kAnyRung)) return row.hint;
  }
  return "";
}

}  // namespace lab
