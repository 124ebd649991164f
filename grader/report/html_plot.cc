// The data for the page of a plot. plot.js draws it, and computes nothing. Tests: tests/report/html_test.cc, and
// tests/report/html/ opens the page in a browser.
#include "grader/report/html_plot.h"

#include <nlohmann/json.hpp>

#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

using PlotJson = nlohmann::ordered_json;

const char* ScaleName(plot::Scale scale) {
  switch (scale) {
    case plot::Scale::kPowersOf2:
      return "powers of 2";
    case plot::Scale::kPowersOf10:
      return "powers of 10";
    case plot::Scale::kLinear:
      break;
  }
  return "linear";
}

PlotJson AxisJson(const plot::Axis& axis) {
  return {{"title", PrintableLine(axis.title)}, {"scale", ScaleName(axis.scale)}};
}

PlotJson SeriesJson(const plot::Series& series) {
  PlotJson json = {{"name", PrintableLine(series.name)}, {"joined", series.joined}, {"bound", series.is_bound}};
  json["points"] = PlotJson::array();
  for (const plot::Point& point : series.points) {
    json["points"].push_back({point.x, point.y, point.low, point.high, point.doubtful});
  }
  return json;
}

}  // namespace

PlotJson ChartJson(const plot::Chart& chart) {
  PlotJson json = {{"title", PrintableLine(chart.title)}, {"x", AxisJson(chart.x)}, {"y", AxisJson(chart.y)}};
  json["categories"] = PlotJson::array();
  for (const std::string& category : chart.categories) json["categories"].push_back(PrintableLine(category));
  json["series"] = PlotJson::array();
  for (const plot::Series& series : chart.series) json["series"].push_back(SeriesJson(series));
  json["sentences"] = PlotJson::array();
  for (const std::string& sentence : chart.sentences) json["sentences"].push_back(PrintableLine(sentence));
  return json;
}

std::string PlotPage(const plot::Plot& plot, const std::string& kit_version, const std::string& command) {
  PlotJson data = {{"kit", PrintableLine(kit_version)}, {"course", command}, {"title", PrintableLine(plot.title)}};
  data["facts"] = PlotJson::array();
  for (const auto& [name, value] : plot.facts) data["facts"].push_back({PrintableLine(name), PrintableLine(value)});
  data["charts"] = PlotJson::array();
  for (const plot::Chart& chart : plot.charts) data["charts"].push_back(ChartJson(chart));
  return PageOf(std::string(kChartsJs) + std::string(kPlotJs), ScriptSafe(data));
}

}  // namespace warpgrade::report
