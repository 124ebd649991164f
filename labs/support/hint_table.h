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

// The one of `rungs` whose name stands in a program's file name: "v3_padded" for "labs/lab2/v3_padded_test". "" when
// none does.
inline std::string FindRung(std::span<const std::string_view> rungs, std::string_view program) {
  const std::string_view file = program.substr(program.rfind('/') + 1);  // npos + 1 is 0: the whole name
  for (const std::string_view rung : rungs) {
    if (file.find(rung) != std::string_view::npos) return std::string(rung);
  }
  return "";
}

}  // namespace lab
