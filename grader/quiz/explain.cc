// Puts an explanation together from the row of explain_*.cc and the answer. Tested by tests/quiz/explain_test.cc.
#include "grader/quiz/explain.h"

#include "grader/quiz/explanations.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

const Explanation* FindExplanation(std::string_view function) {
  static const std::vector<Explanation> kAll = [] {
    std::vector<Explanation> rows;
    for (const auto& part :
         {LaunchExplanations(), MemoryExplanations(), ArithmeticExplanations(), AlgorithmExplanations()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  for (const Explanation& row : kAll) {
    if (row.function == function) return &row;
  }
  return nullptr;
}

}  // namespace

bool IsExplained(std::string_view function) { return FindExplanation(function) != nullptr; }

std::string Explain(const Function& function, const Values& values) {
  const Result<Arguments> arguments = Complete(function, values);
  WARPGRADE_CHECK(arguments.ok());
  const Result<Value> answer = function.compute(*arguments);
  WARPGRADE_CHECK(answer.ok());
  return FindExplanation(function.name)->text(*arguments) + " = " + ValueText(*answer);
}

}  // namespace warpgrade::quiz
