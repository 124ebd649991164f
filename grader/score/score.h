// Turns measurements into points. Pure: the same rung and measurement always give the same score.
//
//   correctness   a gate: any failed case or finding and the rung is worth nothing, of no kind
//   technique     each limit is met or missed on its own
//   throughput    by the target's scale, or by "any" on another GPU; nothing when not measured or flagged
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
  std::map<std::string, std::string> metric_units;  // by metric name; score does not know the emulator
  Peaks peaks;
};

// Every kind of points lies between 0 and its maximum. A status of kPassed that the cases or findings contradict
// becomes kFailed. `measurable_points` leaves throughput out where it could not be earned: on the emulator, on a GPU
// without a scale, and when a right rung was not measured.
RungScore ScoreRung(const config::Rung& rung, const RungMeasurement& measurement, const ScoringContext& context);

// A lab's quiz as one more rung: `points` for all questions right, a share for some. No gate: each answer counts.
RungScore ScoreQuiz(config::Points points, const RungMeasurement& measurement);

// Adds a rung, or a quiz, at the end of `lab`, and to its sums.
void AddRung(RungScore rung, LabScore* lab);

// Scores every rung of `lab` in its order; one without a measurement is kMissing. To grade some rungs only, pass a lab
// that has only these. The quiz is added by AddRung.
LabScore ScoreLab(const config::Lab& lab, const std::map<std::string, RungMeasurement>& measurements,
                  const ScoringContext& context);

// The sums over `labs`.
SubmissionScore ScoreSubmission(std::string id, std::vector<LabScore> labs);

}  // namespace warpgrade::score
