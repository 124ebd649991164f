// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab1/cases.h"

namespace lab1 {

std::vector<Problem> PublicCases() {
#define LAB1_CASE(n, element, operation, values, front, back) \
  {n, {Element::element, Operation::operation}, Values::values, front, back},
  return {
#include "lab1_cases.inc"
  };
#undef LAB1_CASE
}

std::string Name(const Problem& p) {
  constexpr const char* kElements[] = {"int", "float", "double"};
  constexpr const char* kOperations[] = {"sum", "max"};
  std::string name = "n = " + std::to_string(p.n) + ", " + kElements[static_cast<int>(p.variant.element)] + ", " +
                     kOperations[static_cast<int>(p.variant.operation)];
  if (*Info(p.values).words != '\0') name += std::string(", ") + Info(p.values).words;
  if (p.front != 0) name += ", d_in " + std::to_string(p.front) + " past a 16-byte boundary";
  return name;
}

}  // namespace lab1
