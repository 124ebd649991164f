// Calls a quiz function by name, as quiz.yaml does.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "grader/quiz/functions.h"

namespace warpgrade::quiz {

inline Value Ask(const std::string& function, const Values& values) {
  const Function* found = FindFunction(function);
  if (found == nullptr) {
    ADD_FAILURE() << "no function " << function;
    return 0.0;
  }
  const Result<Value> value = Compute(*found, values);
  EXPECT_TRUE(value.ok()) << value.error().message;
  return value.ok() ? *value : Value(0.0);
}

inline double Number(const std::string& function, const Values& values) {
  return std::get<double>(Ask(function, values));
}
inline std::string Word(const std::string& function, const Values& values) {
  return std::get<std::string>(Ask(function, values));
}
inline std::vector<double> List(const std::string& function, const Values& values) {
  return std::get<std::vector<double>>(Ask(function, values));
}

// Why it cannot be computed; "" when it can.
inline std::string Refusal(const std::string& function, const Values& values) {
  const Result<Value> value = Compute(*FindFunction(function), values);
  return value.ok() ? "" : value.error().message;
}

}  // namespace warpgrade::quiz
