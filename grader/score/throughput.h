// Turns a measured speed into points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// True when the speed of a rung matters: it has points for throughput, or its lab has a leaderboard. Other rungs are
// not timed.
bool IsTimed(const config::Lab& lab, const config::Rung& rung);

// The scale of `rung` for a GPU: the one of `target_id`, or else the one of "any". nullptr when there is neither.
const config::ThroughputScale* FindScale(const config::Rung& rung, const std::string& target_id);

// True when the speed of a rung counts as a share of the solution's speed on every GPU, because its calls spend their
// time on the host. False for a rung that has another scale for some GPU, and shares only for those without.
bool IsComparedWithSolution(const config::Rung& rung);

// How a rung is timed on the GPU `target_id`. kInPairs: in turns with the solution, since its speed counts as a share
// of the solution's. kNot: that share is all that counts, and there is no solution.
enum class Timing { kAlone, kInPairs, kNot };
Timing TimingOf(const config::Rung& rung, const std::string& target_id, bool has_solution);

// Rungs whose throughput points nobody can get on a GPU, because they have neither a scale for it nor one for "any".
struct WithoutScale {
  std::vector<std::string> rungs;  // "lab3 v1_naive"
  size_t of = 0;                   // how many rungs have throughput points
  config::Points points;
};
WithoutScale RungsWithoutScale(const std::vector<config::Lab>& labs, const std::string& target_id);

// The measured value as a share of its ceiling. nullopt unless both are known and have the same unit.
std::optional<double> ShareOfCeiling(const ThroughputMeasurement& measurement);

// The measured speed in the unit of the scale. nullopt: see ThroughputPoints, which gives 0 then.
std::optional<double> InScaleUnit(const config::ThroughputScale& scale, const ThroughputMeasurement& measurement);

// The points of a measurement, from 0 to `most`. A faster measurement never gets fewer points. A measurement gets 0
// when it is not measured, flagged, not finite, in another unit than the scale's, or without the ceiling that the
// scale's share refers to.
config::Points ThroughputPoints(const config::ThroughputScale& scale, config::Points most,
                                const ThroughputMeasurement& measurement);

// Flags a measurement above the GPU's peak in the same unit: no GPU exceeds it, so the time was not that of the work.
// For GFLOP/s it is the peak of the units that the rung may compute with (ordinary or tensor cores). An unknown peak
// flags nothing.
void FlagImpossible(const Peaks& peaks, config::Rung::Arithmetic arithmetic, ThroughputMeasurement* measurement);

}  // namespace warpgrade::score
