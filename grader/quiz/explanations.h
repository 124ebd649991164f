// The rows of explain_*.cc: for each function of the quiz its arithmetic in words.
#pragma once

#include <string>
#include <vector>

#include "grader/quiz/functions.h"

namespace warpgrade::quiz {

struct Explanation {
  const char* function;
  std::string (*text)(const Arguments&);  // without the answer, which Explain adds: "1000000 / 256, rounded up"
};

std::vector<Explanation> LaunchExplanations();
std::vector<Explanation> MemoryExplanations();
std::vector<Explanation> ArithmeticExplanations();
std::vector<Explanation> AlgorithmExplanations();

}  // namespace warpgrade::quiz
