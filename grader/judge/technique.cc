// Counts a rung's technique on one case, and again on a case of another size, in another order of the blocks. A limit
// must hold for both. Tests: tests/judge/technique_test.cc, block_order_test.cc, emulated_rung_test.cc.
#include "grader/judge/technique.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

void SayThatItIsUnclear(const std::string& why, score::RungMeasurement* measurement) {
  measurement->messages.push_back("technique was not measured, because it is not clear which work made the answer: " +
                                  why);
}

double MetricOr0(const score::RungMeasurement& measurement, const std::string& name) {
  const auto found = measurement.metrics.find(name);
  return found == measurement.metrics.end() ? 0 : found->second;
}

// A function that gets its arrays in device memory, and a stream, has no reason to wait or to keep memory. Neither
// makes an answer wrong, so it costs no points, but its author should know.
void NoteWaitsAndMemory(const RungContext& context, const Case& c, score::RungMeasurement* measurement) {
  const std::vector<BufferSpec> buffers = context.lab.Buffers(c);
  const bool has_host_arrays = std::any_of(buffers.begin(), buffers.end(), [](const BufferSpec& buffer) {
    return buffer.place != BufferSpec::Place::kDevice;
  });
  if (has_host_arrays) return;
  constexpr double kWaitsOfTheGrader = 1;
  if (MetricOr0(*measurement, "host_waits") > kWaitsOfTheGrader) {
    measurement->messages.push_back(
        "your function waits for the device before it returns. It should return at once: its caller waits when it "
        "needs "
        "the result, and can do other work until then. This costs no points, but it costs time on a GPU");
  }
  if (const double bytes = MetricOr0(*measurement, "bytes_not_freed"); bytes > 0) {
    measurement->messages.push_back(fmt::format(
        "your function allocates {:.0f} bytes that it never frees. A program that calls it often runs out of memory. "
        "This costs no points here",
        bytes));
  }
}

// Takes back what was measured of a rung that has failed since.
void ForgetTechnique(score::RungMeasurement* measurement) {
  measurement->technique_measured = false;
  measurement->metrics.clear();
  measurement->answer_metrics.clear();
  measurement->metric_lines.clear();
  measurement->line_counts.clear();
  measurement->pictures.requests.clear();  // the races stay: they are why it has failed
  measurement->pictures.branches.clear();
  measurement->pictures.steps.clear();
}

// Numbers that no other case has.
constexpr uint64_t kCounted = ~uint64_t{0}, kOtherSize = kCounted - 1;

// The case that is counted must be right in another order, too. Otherwise a program that recognises this case could be
// wrong in it.
Status CheckInAnotherOrder(const RungContext& context, const Case& c, score::RungMeasurement* measurement) {
  if (context.order_seed == 0 || !context.device.MayDependOnOrder()) return Status();
  return RunOneMore(context, c, AnotherOrder(context.order_seed, kCounted), measurement);
}

// How much worse a metric may be for another size. Parts of blocks at the edges count more there. Chosen: what a
// program can gain by a kernel of its own for one size is far more.
constexpr double kMoreForOtherSize = 1.25, kLessForOtherSize = 0.8, kAlwaysAllowed = 0.1;

// In how many orders the other size is counted, at most, while its metrics are far worse. A kernel that waits for other
// blocks repeats its loads in a loop, and in some orders waits much longer than in others. In one order of 40, lab10
// v5's solution needed 2.4 times its instructions, and so lost points in one grading of ten on an H200.
constexpr uint64_t kOrdersOfOtherSize = 4;

using Metrics = std::map<std::string, double>;

// What one run of the other size counted: everything that ran, and the work that made the answer.
struct OtherCounts {
  Metrics of_all, of_answer;
  double excess = 0;  // of the worst metric, as a multiple of what is allowed; above 1: far worse
};

// A metric of the other size as a multiple of what is allowed there; NaN if one of them is no number. `size`: the other
// one, with the counted one as 1.
double Excess(const RungContext& context, const std::string& metric, double counted, double there, double size) {
  if (!context.device.HigherIsBetter(metric)) return there / (counted * kMoreForOtherSize + kAlwaysAllowed);
  const double least = counted * kLessForOtherSize * std::min(size, 1.0);
  return there >= least ? 0 : least / std::max(there, least * 1e-9);
}

double WorstExcess(const RungContext& context, const Metrics& counted, const Metrics& there, double size) {
  double worst = 0;
  for (const auto& [metric, value] : there) {
    const auto of_counted = counted.find(metric);
    if (of_counted == counted.end()) continue;
    worst = std::max(worst, Excess(context, metric, of_counted->second, value, size));
  }
  return worst;
}

// Gives a metric that is far worse for the other size the value that it has there.
void TakeWorse(const RungContext& context, const Metrics& there, double size, const std::string& why,
               score::RungMeasurement* measurement) {
  for (const auto& [metric, value] : there) {
    const auto counted = measurement->metrics.find(metric);
    if (counted == measurement->metrics.end()) continue;
    if (!(Excess(context, metric, counted->second, value, size) > 1)) continue;
    measurement->answer_metrics[metric] = value;
    measurement->metric_lines[metric] = why;
  }
}

// Runs the other size once. Gives nothing when the rung failed in it, or when its technique cannot be measured.
Result<std::optional<OtherCounts>> CountOtherSize(const RungContext& context, const Case& other, uint64_t order,
                                                  double size, score::RungMeasurement* measurement) {
  context.device.WatchAnswer(true);
  Status status = RunOneMore(context, other, order, measurement);
  const std::string unclear = context.device.WhyAnswerIsUnclear();
  OtherCounts counts{context.device.Metrics(other.elements), context.device.MetricsOfAnswer(other.elements)};
  context.device.WatchAnswer(false);
  if (!status.ok()) return status.error();
  if (!StillPassing(*measurement)) return std::optional<OtherCounts>();
  if (!unclear.empty()) {
    SayThatItIsUnclear(unclear, measurement);
    ForgetTechnique(measurement);
    return std::optional<OtherCounts>();
  }
  counts.excess = std::max(WorstExcess(context, measurement->metrics, counts.of_all, size),
                           WorstExcess(context, measurement->metrics, counts.of_answer, size));
  return std::optional<OtherCounts>(std::move(counts));
}

// Counts a case of another, drawn size as well, because a limit must hold for both. Otherwise a program could have a
// kernel for exactly the size that is counted. The blocks run in another order. A program that counts its calls may
// know that, and then work in a slower way that is right in every order, but its counts show this. All metrics come
// from one run, the least bad one, so no program gains by doing one thing well in one run, and another in the next.
Status CompareWithOtherSize(const RungContext& context, const Case& counted, score::RungMeasurement* measurement) {
  Random drawing = context.random.Next();
  const std::vector<Case> cases = context.lab.Cases(context.rung, CaseSet::kOtherSize, drawing);
  if (cases.empty()) return Status();
  const Case& other = cases[0];
  const double size =
      counted.elements == 0 ? 1 : static_cast<double>(other.elements) / static_cast<double>(counted.elements);
  std::optional<OtherCounts> best;
  for (uint64_t tried = 0; tried < kOrdersOfOtherSize; ++tried) {
    const uint64_t order = context.order_seed == 0 ? 0 : AnotherOrder(context.order_seed, kOtherSize - tried);
    const auto counts = CountOtherSize(context, other, order, size, measurement);
    if (!counts.ok()) return counts.error();
    if (!*counts) return Status();
    if (!best || (*counts)->excess < best->excess) best = **counts;
    if (best->excess <= 1 || context.order_seed == 0 || !context.device.MayDependOnOrder()) break;
  }
  const std::string why = "this is the value for " + other.name + ", which is far worse than the one for " +
                          counted.name + ". A limit must hold for both: let the same kernels do the work for all sizes";
  TakeWorse(context, best->of_all, size, why, measurement);
  TakeWorse(context, best->of_answer, size, why, measurement);
  return Status();
}

}  // namespace

Status MeasureTechnique(const RungContext& context, score::RungMeasurement* measurement) {
  Random drawing = context.random.Next();
  const std::vector<Case> cases = context.lab.Cases(context.rung, CaseSet::kTechnique, drawing);
  if (cases.empty()) return Status();
  WARPGRADE_CHECK(cases.size() == 1);
  context.device.WatchAnswer(true);
  // Each call but the first one finds its workspace as the call before has left it.
  Leftovers leftovers;
  RungContext with_leftovers = context;
  with_leftovers.leftovers = &leftovers;
  // Counts may depend on the order, because a kernel may poll.
  RungContext in_order = with_leftovers;
  in_order.order_seed = 0;
  // RunCases resets the observations before the case, so what is there afterwards is this case's alone.
  context.device.RecordPictures(context.pictures);
  Status status = RunCases(in_order, cases, measurement);
  context.device.RecordPictures(false);
  const std::string unclear = context.device.WhyAnswerIsUnclear();
  if (status.ok() && StillPassing(*measurement) && !unclear.empty()) {
    SayThatItIsUnclear(unclear, measurement);
  } else if (status.ok() && StillPassing(*measurement)) {
    measurement->metrics = context.device.Metrics(cases[0].elements);
    measurement->metric_lines = context.device.MetricLines(context.rung);
    measurement->line_counts = context.device.LineCounts(context.rung);
    measurement->pictures = context.device.Pictures(context.rung);
    measurement->pictures.case_name = cases[0].name;
    AddMetricsOfAnswer(context, cases[0].elements, measurement);
    measurement->technique_measured = true;
    NoteWaitsAndMemory(context, cases[0], measurement);
    const std::string note = context.lab.Note(context.rung, measurement->metrics);
    if (!note.empty()) measurement->messages.push_back(note);
  }
  context.device.WatchAnswer(false);
  if (!status.ok() || !measurement->technique_measured) return status;
  if (Status s = CheckInAnotherOrder(with_leftovers, cases[0], measurement); !s.ok()) return s;
  if (StillPassing(*measurement)) status = CompareWithOtherSize(with_leftovers, cases[0], measurement);
  if (!StillPassing(*measurement)) ForgetTechnique(measurement);
  return status;
}

}  // namespace warpgrade::judge
