// Tests: tests/judge/technique_test.cc, emulated_rung_test.cc.
#include "grader/judge/technique.h"

namespace warpgrade::judge {
namespace {

// Keeps those metrics that have another value over the work of the answer alone, and says why.
void AddMetricsOfAnswer(const RungContext& context, uint64_t elements, score::RungMeasurement* measurement) {
  for (const auto& [metric, value] : context.device.MetricsOfAnswer(elements)) {
    const auto of_all = measurement->metrics.find(metric);
    if (of_all != measurement->metrics.end() && of_all->second != value) measurement->answer_metrics[metric] = value;
  }
  if (measurement->answer_metrics.empty()) return;
  const std::string idle = context.device.IdleKernels();
  for (const auto& [metric, value] : measurement->answer_metrics) {
    measurement->metric_lines[metric] =
        (idle.empty() ? "some launches or copies ran" : "these kernels ran: " + idle) +
        "; but nothing of the answer comes from them. A limit must hold over everything that ran, and over the work "
        "that made the answer alone. Let these kernels do a part of the work, or take them out";
  }
}

}  // namespace

Status MeasureTechnique(const RungContext& context, score::RungMeasurement* measurement) {
  Random drawing = context.random.Next();
  const std::vector<Case> cases = context.lab.Cases(context.rung, CaseSet::kTechnique, drawing);
  if (cases.empty()) return Status();
  WARPGRADE_CHECK(cases.size() == 1);
  context.device.WatchAnswer(true);
  // RunCases resets the observations before the case, so what is there afterwards is this case's alone.
  Status status = RunCases(context, cases, measurement);
  const std::string unclear = context.device.WhyAnswerIsUnclear();
  if (status.ok() && StillPassing(*measurement) && !unclear.empty()) {
    measurement->messages.push_back("technique was not measured, because it is not clear which work made the answer: " +
                                    unclear);
  } else if (status.ok() && StillPassing(*measurement)) {
    measurement->metrics = context.device.Metrics(cases[0].elements);
    measurement->metric_lines = context.device.MetricLines(context.rung);
    AddMetricsOfAnswer(context, cases[0].elements, measurement);
    measurement->technique_measured = true;
  }
  context.device.WatchAnswer(false);
  return status;
}

}  // namespace warpgrade::judge
