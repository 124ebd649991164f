// Tests: tests/cli/calibrate_command_test.cc.
#include "grader/cli/calibrate_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

using calibrate::Kind;
using calibrate::Outcome;
using calibrate::Proposal;
using config::Points;
using config::ThroughputScale;
using Unit = ThroughputScale::Unit;

const char* UnitWords(Unit unit) {
  switch (unit) {
    case Unit::kGigabytesPerSecond:
      return "GB/s";
    case Unit::kGigaflopsPerSecond:
      return "GFLOP/s";
    case Unit::kShareOfCopy:
      return "share of copy";
    case Unit::kShareOfSolution:
      return "share of solution";
  }
  return "";
}

std::string Range(const std::string& low, const std::string& high) { return low == high ? low : low + " to " + high; }

std::string SpeedRange(const Outcome& outcome) {
  return Range(calibrate::SpeedNumber(outcome.slowest), calibrate::SpeedNumber(outcome.fastest));
}

std::string PointsRange(const Outcome& outcome) { return Range(outcome.least.ToString(), outcome.most.ToString()); }

std::string Title(const Proposal& proposal) {
  return fmt::format("{} {}, {}", proposal.lab, proposal.rung, proposal.target);
}

// The earlier rungs, which follow the solution, the fastest first.
std::string EarlierWords(const Proposal& proposal) {
  std::string words;
  for (const Outcome& outcome : proposal.programs) {
    if (outcome.program.kind != Kind::kEarlier || !outcome.left_out.empty()) continue;
    const std::string number = outcome.program.name.substr(0, outcome.program.name.find('_'));
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", number, PointsRange(outcome));
  }
  return words.empty() ? "-" : words;
}

std::string RowOf(const Proposal& proposal) {
  std::string row =
      fmt::format("{} ({}, {} {}):\n", Title(proposal), UnitWords(proposal.unit), proposal.points.ToString(),
                  proposal.points == Points::FromHundredths(100) ? "point" : "points");
  if (!proposal.scale) return row + "  nothing is proposed\n";
  row += fmt::format("  {}{}", calibrate::Words(*proposal.scale), proposal.keeps ? " as now" : "");
  if (!proposal.keeps && proposal.now) row += fmt::format("; now {}", calibrate::Words(*proposal.now));
  const Outcome& solution = proposal.programs.front();
  row += fmt::format("\n  solution {}, {} by {:.2g}% or more; {}", SpeedRange(solution),
                     proposal.solution_margin >= 0 ? "which reaches all points" : "which misses all points",
                     100 * std::abs(proposal.solution_margin),
                     Counted(static_cast<uint64_t>(solution.gradings), "grading"));
  if (solution.gradings > 1) row += fmt::format(" within {:.2g}%", 100 * proposal.solution_range);
  return row + fmt::format("\n  earlier rungs handed in get: {}\n", EarlierWords(proposal));
}

std::string Remarks(const Proposal& proposal) {
  std::string text;
  for (const std::string& remark : proposal.remarks) text += "  - " + remark + "\n";
  if (!proposal.keeps) {
    for (const std::string& fault : proposal.faults) text += "  - with the thresholds of now, " + fault + "\n";
  }
  return text;
}

std::string LeftOut(const std::vector<Proposal>& proposals) {
  std::string text;
  for (const Proposal& proposal : proposals) {
    for (const Outcome& outcome : proposal.programs) {
      if (outcome.left_out.empty()) continue;
      text += fmt::format("  {} {}, {}: {}\n", proposal.lab, proposal.rung, Words(outcome.program), outcome.left_out);
    }
  }
  return text.empty() ? "" : "\nThese programs say nothing about thresholds:\n" + text;
}

// A line across the chart, from before the first grading to after the last one.
plot::Series Threshold(const std::string& name, double value, int gradings) {
  plot::Series series{.name = name};
  series.is_bound = true;
  for (const double x : {0.5, gradings + 0.5}) series.points.push_back({x, value, value, value});
  return series;
}

std::vector<plot::Series> Thresholds(const ThroughputScale& scale, int gradings) {
  if (scale.zero && scale.full)
    return {Threshold("zero", *scale.zero, gradings), Threshold("full", *scale.full, gradings)};
  std::vector<plot::Series> series;
  for (const ThroughputScale::Step& step : scale.steps) {
    series.push_back(Threshold(step.points.ToString() + " points", step.at, gradings));
  }
  return series;
}

plot::Chart ChartOf(const calibrate::Subject& subject, const Proposal& proposal) {
  plot::Chart chart;
  chart.id = subject.lab + " " + subject.rung;
  chart.title = Title(proposal);
  chart.x.title = "grading";
  chart.y.title = UnitWords(subject.unit);
  int gradings = 1;
  for (const Outcome& outcome : proposal.programs) {
    const auto speeds = std::find_if(subject.programs.begin(), subject.programs.end(),
                                     [&outcome](const auto& one) { return one.program == outcome.program; });
    if (speeds == subject.programs.end() || speeds->values.empty()) continue;
    plot::Series series{.name = Words(outcome.program)};
    series.joined = false;
    for (const double value : speeds->values) {
      const double half = value * speeds->spread_percent / 100;
      series.points.push_back({static_cast<double>(series.points.size() + 1), value, value - half, value + half});
    }
    gradings = std::max(gradings, outcome.gradings);
    chart.series.push_back(std::move(series));
    if (proposal.scale) {
      chart.sentences.push_back(fmt::format("{}: {} {}, which gives {} of {} points.", Words(outcome.program),
                                            SpeedRange(outcome), UnitWords(subject.unit), PointsRange(outcome),
                                            subject.points.ToString()));
    }
  }
  if (proposal.scale) {
    for (plot::Series& line : Thresholds(*proposal.scale, gradings)) chart.series.push_back(std::move(line));
    chart.sentences.insert(
        chart.sentences.begin(),
        fmt::format("{}{}.", proposal.keeps ? "As now: " : "Proposed: ", calibrate::Words(*proposal.scale)));
  }
  for (const std::string& remark : proposal.remarks) chart.sentences.push_back(remark + ".");
  return chart;
}

}  // namespace

std::string GpuWords(const calibrate::Measurements& measured) {
  double least = INFINITY, most = 0;
  for (const calibrate::Grading& grading : measured.gradings) {
    if (!grading.ShareOfCopy()) continue;
    least = std::min(least, *grading.speed.ceiling);
    most = std::max(most, *grading.speed.ceiling);
  }
  std::string words = fmt::format("{}, {}", measured.device.name, Counted(measured.gradings.size(), "grading"));
  if (most > 0) {
    words += fmt::format("; a copy in its memory reaches {} GB/s",
                         Range(calibrate::SpeedNumber(least), calibrate::SpeedNumber(most)));
  }
  return words;
}

std::string ProposalText(const std::vector<Proposal>& proposals) {
  std::string text;
  size_t kept = 0, proposed = 0;
  for (const Proposal& proposal : proposals) {
    text += RowOf(proposal) + Remarks(proposal);
    kept += proposal.keeps ? 1 : 0;
    proposed += proposal.scale && !proposal.keeps ? 1 : 0;
  }
  return text + LeftOut(proposals) +
         fmt::format("\n{}: {} proposed, {} as now\n", Counted(proposals.size(), "rung"), proposed, kept);
}

std::string CheckText(const std::vector<Proposal>& proposals, size_t* count) {
  std::string text;
  *count = 0;
  for (const Proposal& proposal : proposals) {
    std::vector<std::string> lines = proposal.faults;
    if (!proposal.now) lines.emplace_back("there is no scale");
    if (lines.empty()) continue;
    ++*count;
    text += Title(proposal) + ":\n";
    for (const std::string& line : lines) text += "  - " + line + "\n";
  }
  return text + fmt::format("{} of {} with thresholds that do what they should\n", proposals.size() - *count,
                            Counted(proposals.size(), "rung"));
}

plot::Plot CalibrationPlot(const std::string& device, const std::vector<calibrate::Measurements>& measured,
                           const std::vector<calibrate::Subject>& subjects, const std::vector<Proposal>& proposals) {
  plot::Plot plot;
  plot.title = "Thresholds for " + device;
  for (const calibrate::Measurements& one : measured) {
    plot.facts.emplace_back("Measured", fmt::format("{}; {}, warpgrade {}", GpuWords(one), one.began, one.kit_version));
  }
  plot.facts.emplace_back("Points",
                          "what a program gets at each speed that it may have on another host or day: some percent "
                          "around its gradings, and more where they vary more");
  for (size_t i = 0; i < subjects.size() && i < proposals.size(); ++i) {
    plot.charts.push_back(ChartOf(subjects[i], proposals[i]));
  }
  std::erase_if(plot.charts, [](const plot::Chart& chart) { return chart.series.empty(); });
  return plot;
}

}  // namespace warpgrade::cli
