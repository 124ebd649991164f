// Numbers, marks of axes and the CSV file. Tests: tests/plot/plot_test.cc.
#include "grader/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpgrade::plot {
namespace {

constexpr double kFirstPower = 1024;  // smaller ones are read faster as they are

// Marks at every `step`-th power.
std::vector<double> Powers(double base, double low, double high, int most) {
  constexpr double kRounding = 1e-9;
  const auto log = [base](double value) { return std::log(value) / std::log(base); };
  const int first = static_cast<int>(std::ceil(log(low) - kRounding));
  const int last = static_cast<int>(std::floor(log(high) + kRounding));
  const int step = std::max(1, (last - first + most) / most);
  std::vector<double> ticks;
  for (int power = first; power <= last; power += step) ticks.push_back(std::pow(base, power));
  return ticks;
}

std::vector<double> Multiples(double low, double high, int most) {
  if (high <= low) return {low};
  const double rough = (high - low) / most, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power < rough) continue;
    step = digit * power;
    break;
  }
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) ticks.push_back(i * step);
  return ticks;
}

// 1, 2 and 5 of each power of 10, or only the powers.
std::vector<double> PowersOf10(double low, double high, int most) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  for (int power = first; power <= last; ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10, power);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  if (ticks.size() < 3) return Multiples(low, high, most);  // within one power of 10
  return static_cast<int>(ticks.size()) <= most ? ticks : Powers(10, low, high, most);
}

std::string CsvQuoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string NumberOn(Scale scale, double value) {
  if (scale == Scale::kPowersOf2 && value >= kFirstPower) {
    const double power = std::log2(value);
    if (power == std::floor(power)) return fmt::format("2^{}", static_cast<int>(power));
  }
  if (std::abs(value) >= 1000 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value + 0.0);  // never "-0"
}

std::vector<double> Ticks(Scale scale, double low, double high, int most) {
  switch (scale) {
    case Scale::kPowersOf2:
      return Powers(2, low, high, most);
    case Scale::kPowersOf10:
      return PowersOf10(low, high, most);
    case Scale::kLinear:
      break;
  }
  return Multiples(low, high, most);
}

std::string CsvText(const Plot& plot) {
  std::string names, values;
  for (const auto& [name, value] : plot.facts) {
    std::string column = name;
    std::transform(column.begin(), column.end(), column.begin(), [](unsigned char c) { return std::tolower(c); });
    names += "," + CsvQuoted(column);
    values += "," + CsvQuoted(value);
  }
  std::string text = "chart,series,x,y,low,high,doubtful,x_axis,y_axis" + names + "\n";
  for (const Chart& chart : plot.charts) {
    for (const Series& series : chart.series) {
      for (const Point& point : series.points) {
        const std::string x = chart.categories.empty() ? fmt::format("{}", point.x)
                                                       : CsvQuoted(chart.categories.at(static_cast<size_t>(point.x)));
        text += fmt::format("{},{},{},{},{},{},{},{},{}{}\n", CsvQuoted(chart.id), CsvQuoted(series.name), x, point.y,
                            point.low, point.high, point.doubtful ? "yes" : "no", CsvQuoted(chart.x.title),
                            CsvQuoted(chart.y.title), values);
      }
    }
  }
  return text;
}

}  // namespace warpgrade::plot
