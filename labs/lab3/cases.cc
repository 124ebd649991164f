// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab3/cases.h"

namespace lab3 {
namespace {

enum class Rungs { kAll, kSimple };

struct Row {
  size_t m, k, n;
  Pattern pattern;
  Rungs rungs;
};

#define LAB3_CASE(m, k, n, pattern, rungs) {m, k, n, pattern, Rungs::rungs},
constexpr Row kRows[] = {
#include "lab3_cases.inc"
};
#undef LAB3_CASE

}  // namespace

Variant VariantOf(std::string_view rung) { return rung == "v7_tensor" ? kHalf : kFloat; }

std::vector<Problem> PublicCases(std::string_view rung) {
  const bool simple = rung.empty() || rung == "v1_naive" || rung == "v2_coalesced";
  std::vector<Problem> problems;
  for (const Row& row : kRows) {
    if (row.rungs == Rungs::kSimple && !simple) continue;
    problems.push_back({.m = row.m, .k = row.k, .n = row.n, .variant = VariantOf(rung), .pattern = row.pattern});
  }
  return problems;
}

std::string Name(const Problem& p) {
  std::string name = Size(p);
  if (p.variant == kHalf) name += ", half";
  if (p.pattern != kExact) name += std::string(", ") + Name(p.pattern) + (p.pattern == kSpoiled ? " values" : "");
  return name;
}

}  // namespace lab3
