// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab10/cases.h"

namespace lab10 {

bool SortsWholeElements(std::string_view rung) { return rung.starts_with("v1_") || rung.starts_with("v2_"); }

std::vector<Problem> PublicCases(std::string_view rung) {
#define LAB10_CASE(n_, bits_, values_) {.n = n_, .bits = bits_, .pattern = values_},
  std::vector<Problem> problems = {
#include "lab10_cases.inc"
  };
#undef LAB10_CASE
  if (SortsWholeElements(rung)) std::erase_if(problems, [](const Problem& p) { return p.bits != kKeyBits; });
  return problems;
}

std::string Name(const Problem& p) { return p.pattern == kRandom ? Size(p) : Size(p) + ", " + Name(p.pattern); }

}  // namespace lab10
