// Tests: tests/plot/roofs_test.cc.
#include "grader/plot/roofs.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade::plot {

double Roofs::At(double flops_per_byte) const { return std::min(gflop_s, gb_s * flops_per_byte); }

Chart RooflineChart(const std::string& title) {
  Chart chart;
  chart.id = "roofline";
  chart.title = title;
  chart.x = {"operations per byte that kernels ask of global memory", Scale::kPowersOf10};
  chart.y = {"GFLOP/s", Scale::kPowersOf10};
  return chart;
}

Series RoofSeries(const Roofs& roofs, double low, double high) {
  Series series{.name = "roofs"};
  series.is_bound = true;
  const double ridge = roofs.Ridge();
  for (const double x : {std::min(low, ridge) / 2, ridge, std::max(high, ridge) * 2}) {
    series.points.push_back(Exact(x, roofs.At(x)));
  }
  return series;
}

std::string RoofWords(const std::string& name, double flops_per_byte, const Roofs& roofs) {
  return fmt::format("{} does {:.3g} operations per byte, so {} bounds it at {:.0f} GFLOP/s", name, flops_per_byte,
                     flops_per_byte < roofs.Ridge() ? "memory" : "arithmetic", roofs.At(flops_per_byte));
}

}  // namespace warpgrade::plot
