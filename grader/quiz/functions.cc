// The table of functions, put together from the rows of functions_*.cc, and the check of a call's values against the
// parameters of its row. Tested by tests/quiz/functions_test.cc.
#include "grader/quiz/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/config/nearest.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

Error Wrong(std::string message) { return {ErrorKind::kUsage, std::move(message)}; }

const char* KindWords(Kind kind) {
  switch (kind) {
    case Kind::kNumber:
      return "a number";
    case Kind::kWhole:
      return "a whole number";
    case Kind::kWord:
      return "a word";
    case Kind::kList:
      return "a list of numbers";
  }
  return "";
}

bool InRange(const Parameter& parameter, double number) {
  const std::vector<double>& only = parameter.only;
  if (!only.empty()) return std::find(only.begin(), only.end(), number) != only.end();
  return std::isfinite(number) && number >= parameter.min && number <= parameter.max;
}

bool Fits(const Parameter& parameter, const Value& value) {
  switch (parameter.kind) {
    case Kind::kNumber:
    case Kind::kWhole: {
      const double* number = std::get_if<double>(&value);
      return number && InRange(parameter, *number) &&
             (parameter.kind == Kind::kNumber || *number == std::floor(*number));
    }
    case Kind::kWord: {
      const std::string* word = std::get_if<std::string>(&value);
      return word && std::find(parameter.words.begin(), parameter.words.end(), *word) != parameter.words.end();
    }
    case Kind::kList: {
      const auto* list = std::get_if<std::vector<double>>(&value);
      return list && !list->empty() &&
             std::all_of(list->begin(), list->end(), [&](double number) { return InRange(parameter, number); });
    }
  }
  return false;
}

std::string Wanted(const Parameter& parameter) {
  if (parameter.kind == Kind::kWord) {
    return "one of " + config::ListNames(std::vector<std::string>(parameter.words.begin(), parameter.words.end()));
  }
  if (!parameter.only.empty()) {
    std::vector<std::string> numbers;
    for (const double number : parameter.only) numbers.push_back(ValueText(number));
    return "one of " + config::ListNames(numbers);
  }
  return fmt::format("{} from {} to {}", KindWords(parameter.kind), ValueText(parameter.min), ValueText(parameter.max));
}

std::vector<std::string> ParameterNames(const Function& function) {
  std::vector<std::string> names;
  for (const Parameter& parameter : function.parameters) names.emplace_back(parameter.name);
  return names;
}

}  // namespace

const std::vector<Function>& AllFunctions() {
  static const std::vector<Function> kAll = [] {
    std::vector<Function> rows;
    for (const auto& part : {LaunchFunctions(), MemoryFunctions(), ArithmeticFunctions(), AlgorithmFunctions()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return kAll;
}

const Function* FindFunction(std::string_view name) {
  for (const Function& function : AllFunctions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

Result<Arguments> Complete(const Function& function, const Values& values) {
  const std::vector<std::string> names = ParameterNames(function);
  for (const auto& [name, value] : values) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return Wrong(fmt::format("{} takes no '{}'; it takes {}", function.name, name, config::ListNames(names)));
  }
  Values complete;
  for (const Parameter& parameter : function.parameters) {
    const auto given = values.find(parameter.name);
    if (given == values.end() && !parameter.otherwise) {
      return Wrong(fmt::format("{} needs '{}'; add it, {}", function.name, parameter.name, Wanted(parameter)));
    }
    const Value& value = given == values.end() ? *parameter.otherwise : given->second;
    if (!Fits(parameter, value)) {
      return Wrong(fmt::format("{} of {} cannot be {}; give {}", parameter.name, function.name, ValueText(value),
                               Wanted(parameter)));
    }
    complete[parameter.name] = value;
  }
  return Arguments(std::move(complete));
}

Result<Value> Compute(const Function& function, const Values& values) {
  const Result<Arguments> arguments = Complete(function, values);
  if (!arguments) return arguments.error();
  return function.compute(*arguments);
}

}  // namespace warpgrade::quiz
