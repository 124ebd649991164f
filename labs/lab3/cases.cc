// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab3/cases.h"

namespace lab3 {
namespace {

enum class Rungs { kAll, kV1, kV2, kV3 };

bool Includes(Rungs rungs, std::string_view rung) {
  if (rungs == Rungs::kAll || rung.empty()) return true;
  return rung == (rungs == Rungs::kV1 ? "v1_naive" : rungs == Rungs::kV2 ? "v2_coalesced" : "v3_tiled");
}

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
  std::vector<Problem> problems;
  for (const Row& row : kRows) {
    if (!Includes(row.rungs, rung)) continue;
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
