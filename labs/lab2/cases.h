// The public cases, for the judge and for the tests: the rows of cases.yaml.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "labs/lab2/reference.h"
#include "labs/lab2/values.h"

namespace lab2 {

struct MatrixCase {
  size_t rows = 0, columns = 0;
  int32_t variant = 0;  // lab2.h
  Pattern pattern = kOrdinary;

  Shape shape() const;
};

// In the order of cases.yaml.
const std::vector<MatrixCase>& PublicCases();

// "1000 x 33, float", "100 x 200, int, awkward values".
std::string Name(const MatrixCase& c);

}  // namespace lab2
