// Work of the host while a kernel runs: the total is the longer of the two times, not their sum. Tested by
// tests/study/program_charts_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "grader/study/programs.h"
#include "grader/study/rows.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

// How far the points are off a bound, at most, in percent.
double MostOff(const plot::Series& series, const plot::Series& bound) {
  double most = 0;
  for (size_t i = 0; i < std::min(series.points.size(), bound.points.size()); ++i) {
    most = std::max(most, 100 * (series.points[i].y / bound.points[i].y - 1));
  }
  return most;
}

plot::Chart Totals(const Table& table) {
  plot::Chart chart = ChartOf(table, "Until both are done", {"work of the host, us"}, {"us"});
  const plot::Series* first = table.Find("waits first");
  const plot::Series* at_end = table.Find("waits at the end");
  if (first == nullptr || at_end == nullptr || first->points.empty()) return chart;
  const double kernel_us = first->points.front().y;  // without work of the host
  plot::Series sum{.name = "the sum", .is_bound = true}, longer{.name = "the longer one", .is_bound = true};
  for (const plot::Point& p : first->points) {
    sum.points.push_back(plot::Exact(p.x, p.x + kernel_us));
    longer.points.push_back(plot::Exact(p.x, std::max(p.x, kernel_us)));
  }
  chart.sentences = {fmt::format("The kernel alone takes {:.0f} us, with its launch.", kernel_us),
                     fmt::format("If the host waits first, the total is the sum of both times: at most {:.0f}% more.",
                                 MostOff(*first, sum)),
                     fmt::format("If it waits at the end, the total is the longer one of them: at most {:.0f}% more.",
                                 MostOff(*at_end, longer))};
  chart.series.push_back(sum);
  chart.series.push_back(longer);
  return chart;
}

}  // namespace

Result<plot::Plot> StudyOverlap(Machine& machine) {
  const Result<Rows> rows = RunForRows(machine, kOverlapProgram);
  if (!rows) return rows.error();
  plot::Plot plot =
      BeginPlot("Overlap: the host works while a kernel runs", *rows,
                rows->has_times ? "a kernel of one thread; median and quartiles of 11 runs" : "a kernel of one thread");
  const std::string managed =
      "The answer is in a __managed__ variable. The host reads it by its name, after cudaDeviceSynchronize().";
  if (rows->has_times) {
    plot.charts = {Totals(rows->Of("total"))};
    plot.charts.back().sentences.push_back(managed);
    return plot;
  }
  plot.charts = {
      ChartOf(rows->Of("answers"), "Answers of the kernel that are right", {"work of the host, us"}, {"of 1"})};
  plot.charts.back().sentences = {managed, kNoTimes};
  return plot;
}

}  // namespace warpgrade::study
