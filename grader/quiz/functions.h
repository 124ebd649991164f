// The functions that compute the answers of a quiz: a table with each function's parameters and their ranges. quiz.yaml
// names one of them after `compute:`. No answer is stored anywhere.
//
// To add a function:
//   1. Write it in the file of its subject: functions_launch.cc, functions_memory.cc, functions_arithmetic.cc or
//      functions_algorithm.cc. It takes Arguments, which are in range, and returns a Value, or an Error (kUsage) when
//      the parameters make no sense together.
//   2. Add its row at the end of that file: name, description in one line, kind of answer, parameters, function.
//   3. Add a test to tests/quiz/functions_*_test.cc that gets the same answers in another way: from the emulator's
//   counters
//      where something runs, else by doing the task itself. QuizFunctionsTest.EveryFunctionIsTested fails without one.
//   4. Write its arithmetic for staff in the file of its subject, explain_*.cc. ExplainTest.EveryFunctionIsExplained
//   fails
//      without it.
//   5. cmake --build build --target quiz_test && ctest --test-dir build/tests -R Quiz
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/config/quiz.h"
#include "grader/result/result.h"

namespace warpgrade::quiz {

using Value = config::QuizValue;
using Values = std::map<std::string, Value>;  // by parameter name

enum class Kind { kNumber, kWhole, kWord, kList };  // kWhole: a number without a fraction

struct Parameter {
  const char* name;
  Kind kind = Kind::kWhole;
  double min = 0, max = 0;         // of a number, and of each number in a list
  std::vector<const char*> words;  // kWord: these
  std::vector<double> only;        // of a number: these, in place of a range
  std::optional<Value> otherwise;  // the value when quiz.yaml gives none
};

// The parameters of one call, all present and in range.
class Arguments {
 public:
  explicit Arguments(Values values) : values_(std::move(values)) {}
  // REQUIRES: a parameter of that name and kind.
  double Number(const char* name) const { return std::get<double>(values_.at(name)); }
  int Whole(const char* name) const { return static_cast<int>(Number(name)); }
  const std::string& Word(const char* name) const { return std::get<std::string>(values_.at(name)); }
  const std::vector<double>& List(const char* name) const { return std::get<std::vector<double>>(values_.at(name)); }

 private:
  Values values_;
};

struct Function {
  const char* name;
  const char* description;  // what it gives, in one line
  Kind gives = Kind::kNumber;
  std::vector<Parameter> parameters;
  Result<Value> (*compute)(const Arguments&);  // errors: parameters that make no sense together
};

// All rows, by subject.
const std::vector<Function>& AllFunctions();
// nullptr when there is none of that name.
const Function* FindFunction(std::string_view name);

// Checks `values` against the function's parameters, and adds the values that they leave out. Errors (kUsage): "what;
// what to do".
Result<Arguments> Complete(const Function& function, const Values& values);

// The same, and computes. Errors (kUsage): "what; what to do".
Result<Value> Compute(const Function& function, const Values& values);

// The rows of functions_launch.cc, functions_memory.cc and so on.
std::vector<Function> LaunchFunctions();
std::vector<Function> MemoryFunctions();
std::vector<Function> ArithmeticFunctions();
std::vector<Function> AlgorithmFunctions();

}  // namespace warpgrade::quiz
