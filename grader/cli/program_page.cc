// Gathers what the page of a program shows: each finding with its words, each kernel with its rows, the counts of all
// lines by file, and the texts of these files. Tests: tests/cli/program_page_test.cc.
#include "grader/cli/program_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "grader/cli/finding_lines.h"
#include "grader/cli/finding_text.h"
#include "grader/cli/profile_text.h"
#include "grader/plot/roofs.h"

namespace warpgrade::cli {
namespace {

constexpr size_t kMostRoofPoints = 12;  // more cannot be told apart
constexpr size_t kLongestLegend = 40;

report::ProgramFinding PageFinding(const SeenFinding& finding) {
  report::ProgramFinding shown;
  shown.title = FindingTitle(finding.kind);
  shown.kernel = finding.kernel;
  if (!finding.place.file.empty()) {
    shown.file = ShownPath(finding.place.file);
    shown.line = finding.place.line;
  }
  if (finding.other && !finding.other->file.empty()) {
    shown.other_file = ShownPath(finding.other->file);
    shown.other_line = finding.other->line;
  }
  const bool on_device = finding.host_places.empty() && (!finding.place.file.empty() || finding.ptx_line > 0);
  if (on_device) shown.who = FindingWho(finding);
  shown.message = finding.message;
  shown.advice = finding.advice.empty() ? std::string(AdviceFor(finding.kind, finding.message)) : finding.advice;
  return shown;
}

std::optional<double> MetricOf(const KernelProfile& kernel, const char* name, double times = 1) {
  const auto found = kernel.metrics.find(name);
  return found == kernel.metrics.end() ? std::nullopt : std::optional(found->second * times);
}

report::ProgramKernel PageKernel(const KernelProfile& kernel, const DeviceModel& gpu) {
  return {.name = kernel.kernel,
          .launches = kernel.launches,
          .model_ns = kernel.model_ns,
          .instructions = kernel.counters.thread_instructions,
          .flop = kernel.roofline.flop,
          .active_lanes = MetricOf(kernel, "average_active_lanes"),
          .load_percent = MetricOf(kernel, "global_load_efficiency", 100),
          .store_percent = MetricOf(kernel, "global_store_efficiency", 100),
          .bank_conflicts = MetricOf(kernel, "shared_bank_conflicts"),
          .facts = KernelFacts(kernel, gpu)};
}

score::LineCounts CountsOf(int line, const emulator::Counters& c) {
  return {line,
          c.warp_instructions,
          c.global_load_requests,
          c.global_load_sectors,
          c.global_store_requests + c.global_atomic_requests,
          c.global_store_sectors + c.global_atomic_sectors,
          c.shared_load_requests + c.shared_store_requests + c.shared_atomic_requests,
          c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts,
          c.branches,
          c.divergent_branches};
}

using CountersByLine = std::map<int, emulator::Counters>;

// The sources with findings or costly lines first, then by their instructions.
class Sources {
 public:
  explicit Sources(const std::vector<emulator::LaunchRecord>& launches) {
    for (const emulator::LaunchRecord& launch : launches) {
      all_ += launch.counters.warp_instructions;
      for (const emulator::LineCounters& line : launch.lines) {
        if (!line.file.empty() && line.line > 0) counters_[line.file][line.line].Add(line.counters);
      }
    }
    for (const auto& [file, lines] : counters_) files_.insert(file);
  }

  void Name(const SourcePlace& place) {
    if (place.file.empty()) return;
    files_.insert(place.file);
    named_.insert(place.file);
  }

  void AddCostly(const Profile& profile) {
    for (const KernelProfile& kernel : profile.kernels) {
      for (const LineCost& line : kernel.lines) {
        for (const std::string& why : line.why) {
          if (costly_[line.file].insert({line.line, why}).second) named_.insert(line.file);
        }
      }
    }
  }

  std::vector<report::ProgramSource> Read(SourceLines& source) const {
    std::vector<std::pair<std::pair<bool, uint64_t>, report::ProgramSource>> ranked;
    for (const std::string& file : files_) {
      if (!named_.contains(file) && IsOfToolkit(file)) continue;
      std::optional<std::string> text = source.WholeText(file);
      if (!text) continue;
      report::ProgramSource one{.file = ShownPath(file), .text = std::move(*text), .counts = {}, .costly = {}};
      uint64_t here = 0;
      if (const auto counted = counters_.find(file); counted != counters_.end()) {
        for (const auto& [line, counters] : counted->second) {
          here += counters.warp_instructions;
          one.counts.push_back(CountsOf(line, counters));
        }
      }
      // The other instructions, so that shares are of all.
      score::LineCounts others;
      others.instructions = all_ - std::min(here, all_);
      one.counts.insert(one.counts.begin(), others);
      if (const auto why = costly_.find(file); why != costly_.end())
        one.costly.assign(why->second.begin(), why->second.end());
      ranked.emplace_back(std::pair(named_.contains(file), here), std::move(one));
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<report::ProgramSource> sources;
    sources.reserve(ranked.size());
    for (auto& [rank, one] : ranked) sources.push_back(std::move(one));
    return sources;
  }

 private:
  std::map<std::string, CountersByLine> counters_;
  std::map<std::string, std::set<std::pair<int, std::string>>> costly_;
  std::set<std::string> files_, named_;
  uint64_t all_ = 0;
};

// "reduce<float, Sum>" of "void reduce<float, Sum>(float const*, float*)", not too long for a legend.
std::string ShortName(const std::string& kernel) {
  int depth = 0;
  size_t end = 0;
  for (; end < kernel.size(); ++end) {
    if (kernel[end] == '<') ++depth;
    if (kernel[end] == '>') --depth;
    if (kernel[end] == '(' && depth <= 0 && end > 0 && !kernel.substr(end).starts_with("(anonymous")) break;
  }
  std::string name = kernel.substr(0, end);
  if (name.starts_with("void ")) name.erase(0, 5);
  return Printable(name, kLongestLegend);
}

}  // namespace

std::optional<plot::Chart> RooflineOf(const Profile& profile) {
  plot::Chart chart = plot::RooflineChart(fmt::format("What the roofs of {} allow", profile.gpu->name));
  const plot::Roofs roofs{profile.gpu->bandwidth_gbs, profile.gpu->Fp32Gflops()};
  double low = INFINITY, high = 0;
  std::vector<std::string> no_place;
  size_t more = 0;
  for (const KernelProfile& kernel : profile.kernels) {
    const Roofline& place = kernel.roofline;
    if (!(place.flop > 0) || !(place.bytes > 0)) {
      no_place.push_back(ShortName(kernel.kernel));
      continue;
    }
    if (chart.series.size() == kMostRoofPoints) {
      ++more;
      continue;
    }
    low = std::min(low, place.intensity);
    high = std::max(high, place.intensity);
    plot::Series series{.name = ShortName(kernel.kernel)};
    series.points = {
        {place.intensity, place.attainable_gflops, place.attainable_gflops, place.attainable_gflops, true}};
    series.joined = false;
    chart.series.push_back(std::move(series));
    chart.sentences.push_back(plot::RoofWords(ShortName(kernel.kernel), place.intensity, roofs) + ".");
  }
  if (chart.series.empty()) return std::nullopt;
  if (more > 0) chart.sentences.push_back(fmt::format("{} more kernels with less model time are not drawn.", more));
  if (!no_place.empty()) {
    if (no_place.size() > kMostRoofPoints) {
      no_place.resize(kMostRoofPoints);
      no_place.emplace_back("...");
    }
    chart.sentences.push_back(
        fmt::format("Without a place, because they have no floating-point operations or move no "
                    "bytes: {}.",
                    fmt::join(no_place, ", ")));
  }
  chart.sentences.push_back(
      "Nothing was timed, so the points are hollow: they are bounds. Bytes are counted as if there were no cache.");
  chart.series.push_back(plot::RoofSeries(roofs, low, high));
  return chart;
}

report::ProgramPage MakeProgramPage(const RunOutcome& outcome, SourceLines& source) {
  report::ProgramPage page;
  page.program = fmt::format("{}", fmt::join(outcome.program, " "));
  page.device = outcome.gpu.name;
  page.notes = outcome.notes;
  Sources sources(outcome.launches);
  for (const SeenFinding& finding : outcome.findings) {
    page.findings.push_back(PageFinding(finding));
    sources.Name(finding.place);
    if (finding.other) sources.Name(*finding.other);
  }
  const Profile profile = MakeProfile(outcome.launches, outcome.gpu);
  for (const KernelProfile& kernel : profile.kernels) page.kernels.push_back(PageKernel(kernel, outcome.gpu));
  sources.AddCostly(profile);
  page.sources = sources.Read(source);
  page.roofline = RooflineOf(profile);
  return page;
}

}  // namespace warpgrade::cli
