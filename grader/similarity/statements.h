// Splits a source file into statements, without comments and layout, so that two files can be compared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::similarity {

// What stands up to a ";", "{" or "}", or a line of the preprocessor.
struct Statement {
  int first_line = 0, last_line = 0;  // in the file, from 1
  int tokens = 0;
  std::string text;   // its tokens with spaces between them: "float sum = 0 ;"
  std::string shape;  // the same with x for each name, 0 for each number and s for each string: "float x = 0 ;"
};

// A longer statement is cut: nobody reads it, and it takes time to compare.
inline constexpr int kMostTokensOfAStatement = 48;

// The statements of a C++ or CUDA source, in order. Any bytes are allowed; those that are no C++ are left out, and an
// open comment or string ends with the file. Keywords and CUDA's names (threadIdx, __syncthreads) stay in the shape.
// #include lines are left out.
std::vector<Statement> Statements(std::string_view source);

}  // namespace warpgrade::similarity
