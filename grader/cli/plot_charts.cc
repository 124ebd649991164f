// The plots of measured rungs. A rung that failed has no points, and a fact says why; so has a size that could not be
// timed. Tests: tests/cli/plot_charts_test.cc.
#include "grader/cli/plot_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "grader/plot/crossovers.h"
#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

using plot::Chart;
using plot::Exact;
using plot::Plot;
using plot::Point;
using plot::Scale;
using plot::Series;
using score::SizeMeasurement;
using score::ThroughputMeasurement;

constexpr size_t kMostNamed = 3;  // of rungs or sizes in one fact

Plot Begin(const PlotSubject& subject, const std::string& what) {
  Plot plot;
  plot.title = subject.lab + ": " + what;
  std::string device = subject.device.name;
  if (!subject.device.driver.empty()) device += ", driver " + subject.device.driver;
  if (!subject.on_gpu()) device = "the emulator, which counts and has no times";
  plot.facts = {{"Device", device}, {"Date", subject.date}, {"Program", subject.program}};
  return plot;
}

// `percent`: of the uncertainty of y.
Point Uncertain(double x, double y, double percent, bool doubtful) {
  const double share = std::min(percent, 99.0) / 100;
  return {x, y, y * (1 - share), y * (1 + share), doubtful};
}

bool IsTimed(const ThroughputMeasurement& throughput) {
  return throughput.status != ThroughputMeasurement::Status::kNotMeasured && throughput.seconds &&
         *throughput.seconds > 0 && throughput.value > 0;
}

bool IsDoubtful(const ThroughputMeasurement& throughput) {
  return throughput.status == ThroughputMeasurement::Status::kFlagged;
}

std::string WhyFailed(const score::RungMeasurement& measurement) {
  std::string why = score::Name(measurement.status);
  std::replace(why.begin(), why.end(), '_', ' ');
  if (!measurement.failures.empty()) why += ", " + measurement.failures[0].message;
  return why.substr(0, why.find('\n'));
}

std::string Listed(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), kMostNamed);
  std::string list = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
  if (names.size() > shown) list += fmt::format(" and {} more", names.size() - shown);
  return list;
}

// Says which rungs and sizes have no point, and why.
void AddLeftOut(const std::vector<PlottedRung>& rungs, bool on_gpu, Plot* plot) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const PlottedRung& rung : rungs) {
    if (rung.measurement.status != score::RungStatus::kPassed) {
      plot->facts.emplace_back("Left out", rung.name + ": " + WhyFailed(rung.measurement));
    }
    for (const SizeMeasurement& size : rung.measurement.sizes) {
      if (!on_gpu || IsTimed(size.throughput)) continue;
      by_reason[size.throughput.reason].push_back(
          rung.name + " at " + plot::NumberOn(Scale::kPowersOf2, static_cast<double>(size.elements)));
    }
  }
  for (const auto& [reason, places] : by_reason) plot->facts.emplace_back("Left out", Listed(places) + ": " + reason);
}

std::string SizesWords(const std::vector<PlottedRung>& rungs) {
  std::set<uint64_t> sizes;
  for (const PlottedRung& rung : rungs) {
    for (const SizeMeasurement& size : rung.measurement.sizes) sizes.insert(size.elements);
  }
  if (sizes.empty()) return "none";
  const auto words = [](uint64_t n) { return plot::NumberOn(Scale::kPowersOf2, static_cast<double>(n)); };
  if (sizes.size() == 1) return words(*sizes.begin()) + " elements";
  return fmt::format("{} from {} to {} elements", sizes.size(), words(*sizes.begin()), words(*sizes.rbegin()));
}

// The larger of the spread of the samples and the error of the clock.
double UncertaintyOf(const SizeMeasurement& size) {
  return std::max(size.throughput.spread_percent, size.clock_error_percent);
}

std::string SpreadWords(const std::vector<PlottedRung>& rungs) {
  struct Spread {
    double percent;
    std::string where;
  };
  std::vector<Spread> spreads;
  size_t doubtful = 0;
  for (const PlottedRung& rung : rungs) {
    for (const SizeMeasurement& size : rung.measurement.sizes) {
      if (!IsTimed(size.throughput)) continue;
      doubtful += IsDoubtful(size.throughput) ? 1 : 0;
      spreads.push_back({UncertaintyOf(size),
                         rung.name + " at " + plot::NumberOn(Scale::kPowersOf2, static_cast<double>(size.elements))});
    }
  }
  if (spreads.empty()) return "nothing was timed";
  std::sort(spreads.begin(), spreads.end(), [](const Spread& a, const Spread& b) { return a.percent < b.percent; });
  std::string words = fmt::format(
      "half the inter-quartile range of a point's samples, or the error of the clock where that is larger (the "
      "whiskers): {:.2g}% in the middle, at most {:.2g}% ({})",
      spreads[spreads.size() / 2].percent, spreads.back().percent, spreads.back().where);
  if (doubtful > 0) {
    words += fmt::format("; {} hollow: there the program's own events disagree with the grader's clock",
                         doubtful == 1 ? "1 point is" : fmt::format("{} points are", doubtful));
  }
  return words;
}

constexpr const char* kCounted = "none: the emulator counts exactly, and the same in every run";

Chart ChartOf(std::string id, std::string title, plot::Axis x, plot::Axis y) {
  Chart chart;
  chart.id = std::move(id);
  chart.title = std::move(title);
  chart.x = std::move(x);
  chart.y = std::move(y);
  return chart;
}

const plot::Axis kElements = {"elements", Scale::kPowersOf2};

// Milliseconds or microseconds, for people.
std::string TimeWords(double ns) {
  return ns < 1e6 ? fmt::format("{:.3g} us", ns / 1e3) : fmt::format("{:.3g} ms", ns / 1e6);
}

// What each rung takes for the largest size, from its time per element.
std::vector<std::string> TimesAtTheLargestSize(const Chart& time) {
  std::vector<std::string> sentences;
  for (const Series& series : time.series) {
    const Point& last = series.points.back();
    sentences.push_back(fmt::format("{} takes {} for {} elements.", series.name, TimeWords(last.y * last.x),
                                    plot::NumberOn(Scale::kPowersOf2, last.x)));
  }
  return sentences;
}

constexpr int kLargeWork = 30;  // log2 of the elements of the course's largest sum

// The instructions for 2^30 elements, of rungs whose count per element hardly changes from size to size any more.
std::vector<std::string> WorkOfLargeSize(const Chart& per_element) {
  constexpr double kMostChange = 0.01;
  std::vector<std::string> sentences;
  for (const Series& series : per_element.series) {
    if (series.points.size() < 2) continue;
    const Point &before = series.points[series.points.size() - 2], &last = series.points.back();
    if (std::fabs(last.y / before.y - 1) > kMostChange) continue;
    sentences.push_back(fmt::format(
        "{} executes {:.3g} instructions of warps per element at {}: about {:.0f} million for 2^{} elements.",
        series.name, last.y, plot::NumberOn(Scale::kPowersOf2, last.x), std::ldexp(last.y, kLargeWork) / 1e6,
        kLargeWork));
  }
  return sentences;
}

void AddTimed(const std::vector<PlottedRung>& rungs, Plot* plot) {
  std::string unit = "GB/s";
  Chart speed = ChartOf("throughput", "Throughput", kElements, {"", Scale::kPowersOf10});
  Chart time = ChartOf("time", "Time per element", kElements, {"ns per element", Scale::kPowersOf10});
  for (const PlottedRung& rung : rungs) {
    Series speeds{.name = rung.name}, times{.name = rung.name};
    for (const SizeMeasurement& size : rung.measurement.sizes) {
      if (!IsTimed(size.throughput)) continue;
      const auto x = static_cast<double>(size.elements);
      const double percent = UncertaintyOf(size);
      const bool doubtful = IsDoubtful(size.throughput);
      unit = size.throughput.unit;
      speeds.points.push_back(Uncertain(x, size.throughput.value, percent, doubtful));
      times.points.push_back(Uncertain(x, *size.throughput.seconds * 1e9 / x, percent, doubtful));
    }
    if (speeds.points.empty()) continue;
    speed.series.push_back(std::move(speeds));
    time.series.push_back(std::move(times));
  }
  speed.y.title = unit;
  speed.sentences = plot::Crossovers(speed.series, {plot::Better::kHigher, Scale::kPowersOf2, "elements"});
  time.sentences = TimesAtTheLargestSize(time);
  plot->charts = {std::move(speed), std::move(time)};
}

// A chart of a metric, divided by the elements if `per_element`.
Chart CountChart(const std::vector<PlottedRung>& rungs, const std::string& metric, const std::string& title,
                 const std::string& unit, bool per_element) {
  Chart chart = ChartOf(metric, title, kElements, {unit, Scale::kPowersOf10});
  for (const PlottedRung& rung : rungs) {
    Series series{.name = rung.name};
    for (const SizeMeasurement& size : rung.measurement.sizes) {
      const auto counted = size.metrics.find(metric);
      if (counted == size.metrics.end() || counted->second <= 0) continue;
      const auto x = static_cast<double>(size.elements);
      series.points.push_back(Exact(x, per_element ? counted->second / x : counted->second));
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  chart.sentences = plot::Crossovers(chart.series, {plot::Better::kLower, Scale::kPowersOf2, "elements"});
  return chart;
}

// "v2_shared is 1.9 times as fast as v1_naive." for each step.
std::vector<std::string> Steps(const Series& series, const std::vector<std::string>& names) {
  std::vector<std::string> sentences;
  for (size_t i = 1; i < series.points.size(); ++i) {
    const Point &before = series.points[i - 1], &now = series.points[i];
    const std::string &a = names.at(static_cast<size_t>(now.x)), &b = names.at(static_cast<size_t>(before.x));
    sentences.push_back(now.low <= before.high && before.low <= now.high
                            ? fmt::format("{} and {} differ by less than their spread.", a, b)
                            : fmt::format("{} is {:.2f} times as fast as {}.", a, now.y / before.y, b));
  }
  return sentences;
}

void AddTimedLadder(const std::vector<PlottedRung>& rungs, Plot* plot) {
  Chart speed = ChartOf("throughput", "Throughput", {}, {"GB/s"}), share = ChartOf("share", "", {}, {"percent"});
  Series speeds{.name = "throughput"}, ceilings{.name = "ceiling"}, shares{.name = "share of the ceiling"};
  double most = 0;
  bool of_solution = false;
  for (const PlottedRung& rung : rungs) {
    const ThroughputMeasurement& timed = rung.measurement.throughput;
    const auto x = static_cast<double>(speed.categories.size());
    speed.categories.push_back(rung.name);
    if (!IsTimed(timed)) continue;
    most = std::max(most, timed.spread_percent);
    speed.y.title = timed.unit;
    speeds.points.push_back(Uncertain(x, timed.value, timed.spread_percent, IsDoubtful(timed)));
    if (!timed.ceiling || *timed.ceiling <= 0) continue;
    of_solution = timed.ceiling_of == ThroughputMeasurement::Ceiling::kSolution;
    if (!of_solution && timed.unit != "GB/s") continue;  // a copy has no GFLOP/s
    ceilings.points.push_back(Exact(x, *timed.ceiling));
    shares.points.push_back(Uncertain(x, 100 * timed.value / *timed.ceiling, timed.spread_percent, IsDoubtful(timed)));
  }
  ceilings.name = of_solution ? "the course's solution" : "a copy in device memory";
  share.title = of_solution ? "Share of the solution's speed" : "Share of the bandwidth of a copy";
  share.categories = speed.categories;
  speed.sentences = Steps(speeds, speed.categories);
  if (!shares.points.empty()) {
    const auto best = std::max_element(shares.points.begin(), shares.points.end(),
                                       [](const Point& a, const Point& b) { return a.y < b.y; });
    share.sentences.push_back(fmt::format("{} comes nearest to {}: {:.1f}%.",
                                          share.categories.at(static_cast<size_t>(best->x)), ceilings.name, best->y));
  }
  plot->facts.emplace_back("Spread", speeds.points.empty()
                                         ? "nothing was timed"
                                         : fmt::format("half the inter-quartile range of a rung's samples (the "
                                                       "whiskers): at most {:.2g}%",
                                                       most));
  speed.series = {std::move(speeds)};
  if (!ceilings.points.empty()) speed.series.push_back(std::move(ceilings));
  plot->charts = {std::move(speed)};
  if (shares.points.empty()) return;
  share.series = {std::move(shares)};
  plot->charts.push_back(std::move(share));
}

void AddCountedLadder(const std::vector<PlottedRung>& rungs, const WorkOfRungs& work, Plot* plot) {
  Chart chart = ChartOf("traffic", "Traffic of global memory", {}, {"bytes per element"});
  Series counted{.name = "counted"}, ideal{.name = "ideal"};
  for (const PlottedRung& rung : rungs) {
    const auto x = static_cast<double>(chart.categories.size());
    chart.categories.push_back(rung.name);
    const auto bytes = rung.measurement.metrics.find("global_bytes_per_element");
    const auto of_rung = work.find(rung.name);
    if (bytes == rung.measurement.metrics.end() || of_rung == work.end()) continue;
    const double least = of_rung->second.ideal_bytes_per_element;
    counted.points.push_back(Exact(x, bytes->second));
    ideal.points.push_back(Exact(x, least));
    if (least > 0) {
      const double times = bytes->second / least;
      const std::string compared =
          times < 1.005 ? "which is the ideal" : fmt::format("{:.3g} times the ideal of {:.4g}", times, least);
      chart.sentences.push_back(
          fmt::format("{} moves {:.4g} bytes per element, {}.", rung.name, bytes->second, compared));
    }
  }
  plot->facts.emplace_back("Spread", kCounted);
  chart.series = {std::move(counted), std::move(ideal)};
  plot->charts = {std::move(chart)};
}

}  // namespace

Plot ShmooPlot(const PlotSubject& subject, const std::vector<PlottedRung>& rungs) {
  Plot plot = Begin(subject, subject.on_gpu() ? "time against size" : "work against size");
  plot.facts.emplace_back("Sizes", SizesWords(rungs));
  plot.facts.emplace_back("Spread", subject.on_gpu() ? SpreadWords(rungs) : kCounted);
  AddLeftOut(rungs, subject.on_gpu(), &plot);
  if (subject.on_gpu()) {
    plot.facts.emplace_back("Clock",
                            "the grader's own, without the cost of an empty call; caches are emptied before "
                            "each call");
    AddTimed(rungs, &plot);
    return plot;
  }
  plot.charts = {CountChart(rungs, "warp_instructions", "Instructions", "warp instructions per element", true),
                 CountChart(rungs, "global_bytes_per_element", "Traffic of global memory", "bytes per element", false)};
  for (std::string& sentence : WorkOfLargeSize(plot.charts[0])) {
    plot.charts[0].sentences.push_back(std::move(sentence));
  }
  return plot;
}

Plot LadderPlot(const PlotSubject& subject, const std::vector<PlottedRung>& rungs, const WorkOfRungs& work) {
  Plot plot = Begin(subject, "the ladder");
  std::set<std::string> sizes;
  for (const auto& [rung, of_rung] : work) sizes.insert(subject.on_gpu() ? of_rung.timed_size : of_rung.counted_size);
  plot.facts.emplace_back("Sizes", fmt::format("{}", fmt::join(sizes, "; ")));
  if (subject.on_gpu()) {
    AddTimedLadder(rungs, &plot);
  } else {
    AddCountedLadder(rungs, work, &plot);
  }
  AddLeftOut(rungs, subject.on_gpu(), &plot);
  return plot;
}

}  // namespace warpgrade::cli
