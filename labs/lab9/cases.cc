// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab9/cases.h"

namespace lab9 {

std::vector<Problem> PublicCases() {
#define LAB9_CASE(rows_, columns_, nonzeros_, lengths_, values_) \
  {.rows = rows_, .columns = columns_, .nonzeros = nonzeros_, .lengths = lengths_, .values = values_},
  return {
#include "lab9_cases.inc"
  };
#undef LAB9_CASE
}

std::string Name(const Problem& p) {
  std::string name = Size(p);
  if (p.lengths != kUneven) name += std::string(", ") + Name(p.lengths);
  if (p.values != kExact) name += std::string(", ") + Name(p.values);
  return name;
}

}  // namespace lab9
