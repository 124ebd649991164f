#include "grader/judge/technique.h"

namespace warpgrade::judge {

Status MeasureTechnique(const RungContext& context, score::RungMeasurement* measurement) {
  Random drawing = context.random.Next();
  const std::vector<Case> cases = context.lab.Cases(context.rung, CaseSet::kTechnique, drawing);
  if (cases.empty()) return Status();
  WARPGRADE_CHECK(cases.size() == 1);
  // RunCases resets the observations before the case, so what is there afterwards is this case's alone.
  if (Status s = RunCases(context, cases, measurement); !s.ok()) return s;
  if (!StillPassing(*measurement)) return Status();
  measurement->metrics = context.device.Metrics(cases[0].elements);
  measurement->metric_lines = context.device.MetricLines(context.rung);
  measurement->technique_measured = true;
  return Status();
}

}  // namespace warpgrade::judge
