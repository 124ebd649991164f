// Reads points, numbers, durations and sizes. The rules are strict: "8 points", "1,5", "0x10" and ".inf" are mistakes,
// and not 8, 1, 16 and infinity.
// Tests: tests/config/quantity_test.cc.
#include "grader/config/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "grader/config/problems.h"

namespace warpgrade::config {
namespace {

Error Wrong(std::string message) { return {ErrorKind::kUsage, std::move(message)}; }

bool IsDigits(std::string_view text) {
  if (text.empty()) return false;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

std::string Quoted(std::string_view text) { return fmt::format("'{}'", Shown(text)); }

// A whole number followed by one of the units; nullopt when it has another form.
struct UnitValue {
  uint64_t value = 0;
  std::string_view unit;
};
std::optional<UnitValue> SplitUnit(std::string_view text) {
  UnitValue result;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  std::string_view rest = text.substr(end - text.data());
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  result.unit = rest;
  return result;
}

}  // namespace

Result<Points> ParsePoints(std::string_view text) {
  std::string_view magnitude = text;
  const bool negative = !magnitude.empty() && magnitude.front() == '-';
  if (negative) magnitude.remove_prefix(1);
  const size_t dot = magnitude.find('.');
  const std::string_view whole = magnitude.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? "0" : magnitude.substr(dot + 1);
  if (!IsDigits(whole) || !IsDigits(fraction)) {
    return Wrong(Quoted(text) + " is not a number of points; write a number such as 8 or 2.5");
  }
  if (negative) return Wrong(Quoted(text) + " is negative; write 0 or more points");
  if (fraction.size() > 2) return Wrong(Quoted(text) + " has more than two decimals; round it to hundredths");
  int64_t points = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), points);
  if (error != std::errc() || points > kMostPoints) {
    return Wrong(fmt::format("{} is too large; write at most {} points", Quoted(text), kMostPoints));
  }
  const int tenths = fraction[0] - '0';
  const int hundredths = fraction.size() > 1 ? fraction[1] - '0' : 0;
  return Points::FromHundredths(points * 100 + int64_t{tenths} * 10 + hundredths);
}

Result<double> ParseNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    return Wrong(Quoted(text) + " is out of range; write a number between -1e300 and 1e300");
  }
  // from_chars reads "inf" and "nan"; YAML spells them ".inf" and ".nan".
  const bool whole_text = error == std::errc() && end == text.data() + text.size();
  if (text == ".inf" || text == "-.inf" || text == ".nan" || text == ".NaN" || text == ".Inf" ||
      (whole_text && !std::isfinite(value))) {
    return Wrong(Quoted(text) + " is not a finite number; write a decimal number such as 0.9");
  }
  if (!whole_text) return Wrong(Quoted(text) + " is not a number; write a decimal number such as 0.9");
  return value;
}

Result<int> ParseSeconds(std::string_view text) {
  const std::optional<UnitValue> split = SplitUnit(text);
  const uint64_t factor = !split                 ? 0
                          : split->unit == "s"   ? 1
                          : split->unit == "min" ? 60
                          : split->unit == "h"   ? 3600
                                                 : 0;
  if (factor == 0)
    return Wrong(Quoted(text) + " is not a duration; write a whole number with s, min or h, such as 60s");
  if (split->value < 1 || split->value > kMostSeconds / factor) {
    return Wrong(Quoted(text) + " is out of range; write a duration from 1s to 24h");
  }
  return static_cast<int>(split->value * factor);
}

Result<int64_t> ParseBytes(std::string_view text) {
  const std::optional<UnitValue> split = SplitUnit(text);
  const int shift = !split ? 0 : split->unit == "KB" ? 10 : split->unit == "MB" ? 20 : split->unit == "GB" ? 30 : 0;
  if (shift == 0) return Wrong(Quoted(text) + " is not a size; write a whole number with KB, MB or GB, such as 512MB");
  if (split->value < 1 || split->value > static_cast<uint64_t>(kMostBytes >> shift)) {
    return Wrong(Quoted(text) + " is out of range; write a size from 1KB to 16384GB");
  }
  return static_cast<int64_t>(split->value << shift);
}

Result<uint64_t> ParseCount(std::string_view text) {
  constexpr double kMost = 1e15;  // exact as a double, and years of emulation
  const Result<double> number = ParseNumber(text);
  if (!number) return number.error();
  if (*number != std::floor(*number)) return Wrong(Quoted(text) + " is not a whole number; write a number such as 2e9");
  if (*number < 1 || *number > kMost) return Wrong(Quoted(text) + " is out of range; write a number from 1 to 1e15");
  return static_cast<uint64_t>(*number);
}

std::string NumberText(double value) { return fmt::format("{:g}", value); }

}  // namespace warpgrade::config
