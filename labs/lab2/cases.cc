// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab2/cases.h"

#include "labs/lab2/lab2.h"

namespace lab2 {

Shape MatrixCase::shape() const { return {.rows = rows, .columns = columns, .element_bytes = ElementBytes(variant)}; }

const std::vector<MatrixCase>& PublicCases() {
#define LAB2_CASE(rows, columns, variant, pattern) {rows, columns, variant, pattern},
  static const std::vector<MatrixCase> kCases = {
#include "lab2_cases.inc"
  };
#undef LAB2_CASE
  return kCases;
}

std::string Name(const MatrixCase& c) {
  std::string name = std::to_string(c.rows) + " x " + std::to_string(c.columns) + ", " + Name(c.variant);
  if (c.pattern == kAwkward) name += ", awkward values";
  if (c.pattern == kEqualRows) name += ", equal rows";
  return name;
}

}  // namespace lab2
