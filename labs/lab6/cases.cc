// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab6/cases.h"

namespace lab6 {
namespace {

enum class Rungs { kAll, kV1 };

struct Row {
  size_t rows, columns;
  int steps, points;
  Pattern pattern;
  Rungs rungs;
};

#define LAB6_CASE(rows, columns, steps, points, pattern, rungs) {rows, columns, steps, points, pattern, Rungs::rungs},
constexpr Row kRows[] = {
#include "lab6_cases.inc"
};
#undef LAB6_CASE

}  // namespace

std::vector<Problem> PublicCases(std::string_view rung) {
  std::vector<Problem> problems;
  for (const Row& row : kRows) {
    const uint64_t weights = WeightsKey(row.pattern, problems.size());
    if (row.rungs == Rungs::kV1 && !rung.empty() && rung != "v1_naive") continue;
    problems.push_back({.rows = row.rows,
                        .columns = row.columns,
                        .steps = row.steps,
                        .points = row.points,
                        .pattern = row.pattern,
                        .weights = weights});
  }
  return problems;
}

std::string Name(const Problem& p) { return p.pattern == kExact ? Size(p) : Size(p) + ", " + Name(p.pattern); }

}  // namespace lab6
