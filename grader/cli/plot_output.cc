// A plot for a terminal, as tables, and the files of --html, --svg and --csv. Tests: tests/cli/plot_command_test.cc.
#include "grader/cli/plot_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/report_output.h"
#include "grader/report/file.h"
#include "grader/report/html_plot.h"

namespace warpgrade::cli {
namespace {

// "v3" for v3_sequential, if that names every series.
std::vector<std::string> ShortNames(const plot::Chart& chart) {
  std::vector<std::string> names, whole;
  std::set<std::string> different;
  for (const plot::Series& series : chart.series) {
    whole.push_back(series.name);
    names.push_back(series.name.substr(0, series.name.find('_')));
    different.insert(names.back());
  }
  return different.size() == names.size() ? names : whole;
}

constexpr size_t kWidestHead = 30;  // a longer title would push the numbers away

// The numbers of a chart for a terminal: one row for each x, one column for each series. Over numbers stands what they
// are; categories say it themselves.
std::string TableText(const plot::Chart& chart) {
  std::map<double, std::map<size_t, double>> rows;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    for (const plot::Point& point : chart.series[i].points) rows[point.x][i] = point.y;
  }
  const auto head = [&chart](double x) {
    return chart.categories.empty() ? plot::NumberOn(chart.x.scale, x) : chart.categories.at(static_cast<size_t>(x));
  };
  const bool has_title = chart.categories.empty() && chart.x.title.size() <= kWidestHead;
  const std::string title = has_title ? chart.x.title : "";
  size_t first = std::max<size_t>(4, title.size()), width = 8;
  for (const auto& [x, row] : rows) first = std::max(first, head(x).size());
  const std::vector<std::string> names = ShortNames(chart);
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string text = fmt::format("  {:<{}}", title, first);
  for (const std::string& name : names) text += fmt::format("  {:>{}}", name, width);
  text += "\n";
  for (const auto& [x, row] : rows) {
    text += fmt::format("  {:<{}}", head(x), first);
    for (size_t i = 0; i < chart.series.size(); ++i) {
      const auto found = row.find(i);
      text += fmt::format("  {:>{}}", found == row.end() ? "-" : plot::NumberOn(plot::Scale::kLinear, found->second),
                          width);
    }
    text += "\n";
  }
  return text;
}

constexpr size_t kMostRowsOfATable = 40;  // more belong into a file

std::string PlotText(const plot::Plot& plot) {
  std::string text = plot.title + "\n\n";
  for (const auto& [name, value] : plot.facts) text += fmt::format("  {:<9} {}\n", name, value);
  for (const plot::Chart& chart : plot.charts) {
    text += fmt::format("\n{} ({})\n\n", chart.title, chart.y.title);
    size_t most = 0;
    for (const plot::Series& series : chart.series) most = std::max(most, series.points.size());
    if (most <= kMostRowsOfATable) text += TableText(chart) + "\n";
    for (const std::string& sentence : chart.sentences) text += "  " + sentence + "\n";
  }
  return text;
}

}  // namespace

Status CheckPlotFiles(const PlotFiles& files) {
  for (const auto& [file, flag] :
       {std::pair(files.html, "--html"), std::pair(files.svg, "--svg"), std::pair(files.csv, "--csv")}) {
    if (file.empty()) continue;
    if (Status can = CheckFile(file, flag); !can.ok()) return can;
  }
  return Status();
}

int HandOutPlot(const plot::Plot& plot, const PlotFiles& files, const std::string& command) {
  const auto write = [](const std::string& file, const std::function<std::string()>& text) {
    return file.empty() ? Status() : report::WriteFile(file, text());
  };
  const auto page = [&] { return report::PlotPage(plot, WARPGRADE_VERSION, command); };
  if (Status s = write(files.html, page); !s.ok()) return Fail(s.error());
  if (Status s = write(files.svg, [&plot] { return plot::SvgText(plot); }); !s.ok()) return Fail(s.error());
  if (Status s = write(files.csv, [&plot] { return plot::CsvText(plot); }); !s.ok()) return Fail(s.error());
  const Status printed = PrintText(PlotText(plot));
  return printed.ok() ? kDone : Fail(printed.error());
}

void AddPlotFiles(CLI::App& command, PlotFiles* files) {
  command.add_option("--html", files->html, "Write a page for a browser, with charts")->type_name("FILE");
  command.add_option("--svg", files->svg, "Write a picture of the charts")->type_name("FILE");
  command.add_option("--csv", files->csv, "Write the points, one in each row")->type_name("FILE");
}

}  // namespace warpgrade::cli
