// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab5/cases.h"

namespace lab5 {
namespace {

enum Type { kInt, kFloat };
enum Kind { kInclusive, kExclusive };

struct Row {
  size_t n;
  Type type;
  Kind kind;
  Pattern pattern;
};

#define LAB5_CASE(n, type, kind, pattern) {n, type, kind, pattern},
constexpr Row kRows[] = {
#include "lab5_cases.inc"
};
#undef LAB5_CASE

}  // namespace

std::vector<Problem> PublicCases() {
  std::vector<Problem> problems;
  for (const Row& row : kRows) {
    problems.push_back({.n = row.n, .variant = 2 * row.type + row.kind, .pattern = row.pattern});
  }
  return problems;
}

std::string Name(const Problem& p) {
  return Size(p) + (p.pattern == kRandom ? "" : std::string(", ") + Name(p.pattern));
}

}  // namespace lab5
