// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab7/cases.h"

namespace lab7 {

std::vector<Problem> PublicCases() {
#define LAB7_CASE(n_, bins_, type_, values_) {.n = n_, .bins = bins_, .variant = type_, .pattern = values_},
  return {
#include "lab7_cases.inc"
  };
#undef LAB7_CASE
}

std::string Name(const Problem& p) { return p.pattern == kUniform ? Size(p) : Size(p) + ", " + Name(p.pattern); }

}  // namespace lab7
