// Tests: tests/cli/plot_command_test.cc and tests/report/html/pages_test.py.
#include "grader/cli/rung_work.h"

#include <optional>
#include <utility>

#include "grader/device_model/device_model.h"
#include "grader/score/counting.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

// nullopt: the lab's speed is not in GFLOP/s, or no rung was counted.
std::optional<plot::Chart> RooflineOf(const score::LabScore& lab, const score::DeviceDescription& device) {
  std::vector<PlottedRung> rungs;
  for (const score::RungScore& rung : lab.rungs) {
    if (score::IsBesideRungs(rung)) continue;
    if (rung.measurement.status == score::RungStatus::kPassed) rungs.push_back({rung.rung, rung.measurement});
  }
  WorkOfRungs work = WorkOf(lab.lab, rungs);
  std::erase_if(work, [](const auto& of_rung) { return of_rung.second.flops <= 0; });
  if (work.empty()) return std::nullopt;
  plot::Plot plot = RooflinePlot({.lab = lab.lab, .device = device}, rungs, work, DefaultDeviceModel());
  plot::Chart& chart = plot.charts.at(0);
  if (chart.sentences.empty()) return std::nullopt;  // the roofs alone say nothing
  return std::move(chart);
}

}  // namespace

WorkOfRungs WorkOf(const std::string& lab_name, const std::vector<PlottedRung>& rungs) {
  WorkOfRungs work;
  const Lab* lab = FindLab(lab_name);
  if (lab == nullptr) return work;
  Random any;  // sizes of these two cases do not depend on it
  for (const PlottedRung& rung : rungs) {
    RungWork& of_rung = work[rung.name];
    for (const Case& c : lab->Cases(rung.name, CaseSet::kThroughput, any)) of_rung.timed_size = c.name;
    for (const Case& c : lab->Cases(rung.name, CaseSet::kTechnique, any)) {
      of_rung.counted_size = c.name;
      of_rung.elements = static_cast<double>(c.elements);
      of_rung.flops = static_cast<double>(c.flops);
      if (c.elements > 0) of_rung.ideal_bytes_per_element = static_cast<double>(c.bytes_moved) / of_rung.elements;
    }
  }
  return work;
}

void AddRooflines(const score::DeviceDescription& device, score::SubmissionScore* submission) {
  submission->rooflines.clear();
  for (const score::LabScore& lab : submission->labs) {
    if (auto roofline = RooflineOf(lab, device)) submission->rooflines[lab.lab] = *std::move(roofline);
  }
}

}  // namespace warpgrade::cli
