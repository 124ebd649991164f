#include "tests/calibrate/made.h"

#include <gtest/gtest.h>

#include <utility>

namespace warpgrade::calibrate {

Speeds SpeedsOf(Program program, std::vector<double> values) {
  return {.program = std::move(program), .values = std::move(values), .spread_percent = 0.1};
}

Subject SubjectWith(std::vector<double> solution, std::vector<double> before) {
  Subject subject{.lab = "lab1", .rung = "v2", .target = "h200", .points = Whole(4)};
  subject.programs.push_back(SpeedsOf(SolutionOf("v2"), std::move(solution)));
  subject.programs.push_back(SpeedsOf(Earlier("v2", "v1"), std::move(before)));
  subject.before = "v1";
  return subject;
}

Subject Noisy(const Subject& subject, double share, int gradings, std::mt19937* random) {
  std::uniform_real_distribution<double> draw(1 - share, 1 + share);
  Subject noisy = subject;
  for (Speeds& speeds : noisy.programs) {
    const double value = speeds.values.at(0);
    speeds.values.clear();
    for (int i = 0; i < gradings; ++i) speeds.values.push_back(value * draw(*random));
  }
  return noisy;
}

Grading GradingOf(Program program, double value, int round) {
  Grading grading{.program = std::move(program), .round = round};
  grading.speed.status = score::ThroughputMeasurement::Status::kMeasured;
  grading.speed.value = value;
  grading.speed.samples = 12;
  grading.speed.spread_percent = 0.1;
  grading.speed.ceiling = 4000;
  return grading;
}

config::ThroughputScale Linear(double zero, double full) {
  config::ThroughputScale scale;
  scale.zero = zero;
  scale.full = full;
  return scale;
}

config::Points PointsOf(const Proposal& proposal, const Program& program) {
  for (const Outcome& outcome : proposal.programs) {
    if (outcome.program != program) continue;
    EXPECT_EQ(outcome.least.ToString(), outcome.most.ToString()) << Words(program);
    return outcome.least;
  }
  ADD_FAILURE() << "the proposal has no " << Words(program);
  return {};
}

}  // namespace warpgrade::calibrate
