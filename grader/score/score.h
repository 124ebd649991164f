// Turns measurements into points. Pure: the same rung and measurement always give the same score.
//
//   correctness   a gate: with a failed case or a finding, the rung gets no points of any kind
//   technique     each limit is met or missed on its own
//   throughput    by the scale of the target, or by "any" on another GPU; no points when not measured or flagged
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// Where the measurements come from.
struct ScoringContext {
  bool on_gpu = false;                              // false: the emulator, where no throughput can be measured
  std::string target_id;                            // course.yaml's name for this GPU; "" when it has none
  std::map<std::string, std::string> metric_units;  // by metric name; this room does not know the emulator's metrics
  Peaks peaks;                                      // of this GPU
};

// Scores one rung. Each kind of points lies between 0 and its maximum. A status of kPassed that the cases or findings
// contradict becomes kFailed. `measurable_points` leaves out throughput points that could not be earned: on the
// emulator, on a GPU without a scale, and for a right rung that was not measured.
RungScore ScoreRung(const config::Rung& rung, const RungMeasurement& measurement, const ScoringContext& context);

// The bounds that the counts of a right rung must keep for all of its points for technique.
std::vector<config::MetricBounds> BoundsOfTechnique(const config::Rung& rung);

// Whether the counts were measured and keep all of these bounds. True for no bounds.
bool AreWithin(const std::vector<config::MetricBounds>& bounds, const RungMeasurement& measurement);

// Scores a lab's quiz as one more rung: `points` when all questions are right, a share when some are. There is no gate:
// each answer counts.
RungScore ScoreQuiz(config::Points points, const RungMeasurement& measurement);

// Adds a rung or a quiz at the end of `lab`, and its points to the sums of `lab`.
void AddRung(RungScore rung, LabScore* lab);

// Scores every rung of `lab` in order. A rung without a measurement is kMissing. To grade some rungs only, pass a lab
// that has only those. AddRung adds the quiz.
LabScore ScoreLab(const config::Lab& lab, const std::map<std::string, RungMeasurement>& measurements,
                  const ScoringContext& context);

// Makes the points of `submission` the sums of those of its labs.
void SumUpLabs(SubmissionScore* submission);

// The score of a submission, with the sums over `labs`.
SubmissionScore ScoreSubmission(std::string id, std::vector<LabScore> labs);

}  // namespace warpgrade::score
