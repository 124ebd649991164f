#include "grader/quiz/value_text.h"

#include <fmt/format.h>

#include <cmath>

namespace warpgrade::quiz {
namespace {

std::string NumberText(double number) {
  constexpr double kMostDigits = 1e15;  // smaller whole numbers are exact, so all their digits are written
  if (number == std::floor(number) && std::fabs(number) < kMostDigits) return fmt::format("{:.0f}", number + 0.0);
  return fmt::format("{:.6g}", number);
}

}  // namespace

std::string ValueText(const config::QuizValue& value) {
  if (const double* number = std::get_if<double>(&value)) return NumberText(*number);
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  std::string text;
  for (const double number : std::get<std::vector<double>>(value)) {
    text += (text.empty() ? "" : ", ") + NumberText(number);
  }
  return "[" + text + "]";
}

}  // namespace warpgrade::quiz
