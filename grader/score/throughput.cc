// Finds the scale for a GPU, checks that the measurement has the scale's unit, and interpolates or takes the highest
// step that was reached. Tests: tests/score/throughput_test.cc.
#include "grader/score/throughput.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace warpgrade::score {
namespace {

using config::Points;
using config::ThroughputScale;

using Unit = ThroughputScale::Unit;
using Ceiling = ThroughputMeasurement::Ceiling;

std::optional<double> PeakOf(const Peaks& peaks, config::Rung::Arithmetic arithmetic, const std::string& unit) {
  if (unit != "GFLOP/s") return peaks.gb_s;
  return arithmetic == config::Rung::Arithmetic::kTensor ? peaks.tensor_gflop_s : peaks.gflop_s;
}

}  // namespace

bool IsTimed(const config::Lab& lab, const config::Rung& rung) {
  return rung.throughput > Points() || lab.leaderboard.has_value();
}

bool IsComparedWithSolution(const config::Rung& rung) {
  const auto is_share = [](const auto& scale) { return scale.second.unit == Unit::kShareOfSolution; };
  return !rung.throughput_scales.empty() &&
         std::all_of(rung.throughput_scales.begin(), rung.throughput_scales.end(), is_share);
}

const ThroughputScale* FindScale(const config::Rung& rung, const std::string& target_id) {
  for (const std::string& id : {target_id, std::string("any")}) {
    const auto found = rung.throughput_scales.find(id);
    if (found != rung.throughput_scales.end()) return &found->second;
  }
  return nullptr;
}

Timing TimingOf(const config::Rung& rung, const std::string& target_id, bool has_solution) {
  const ThroughputScale* const scale = FindScale(rung, target_id);
  if (scale == nullptr || scale->unit != Unit::kShareOfSolution) return Timing::kAlone;
  if (has_solution) return Timing::kInPairs;
  return IsComparedWithSolution(rung) ? Timing::kNot : Timing::kAlone;
}

WithoutScale RungsWithoutScale(const std::vector<config::Lab>& labs, const std::string& target_id) {
  WithoutScale without;
  for (const config::Lab& lab : labs) {
    for (const config::Rung& rung : lab.rungs) {
      if (rung.throughput == Points()) continue;
      ++without.of;
      if (FindScale(rung, target_id) != nullptr) continue;
      without.rungs.push_back(lab.name + ' ' + rung.name);
      without.points += rung.throughput;
    }
  }
  return without;
}

std::optional<double> ShareOfCeiling(const ThroughputMeasurement& measurement) {
  if (measurement.status == ThroughputMeasurement::Status::kNotMeasured || !measurement.ceiling) return std::nullopt;
  // Of a copy's GB/s only GB/s are a share; the solution's speed is in the measurement's unit.
  if (measurement.ceiling_of == Ceiling::kCopy && measurement.unit != "GB/s") return std::nullopt;
  const double share = measurement.value / *measurement.ceiling;
  return std::isfinite(share) && *measurement.ceiling > 0 ? std::optional(share) : std::nullopt;
}

std::optional<double> InScaleUnit(const ThroughputScale& scale, const ThroughputMeasurement& measurement) {
  if (measurement.status != ThroughputMeasurement::Status::kMeasured) return std::nullopt;
  switch (scale.unit) {
    case Unit::kGigabytesPerSecond:
    case Unit::kGigaflopsPerSecond:
      if (measurement.unit != (scale.unit == Unit::kGigaflopsPerSecond ? "GFLOP/s" : "GB/s")) return std::nullopt;
      return std::isfinite(measurement.value) ? std::optional(measurement.value) : std::nullopt;
    case Unit::kShareOfCopy:
      return measurement.ceiling_of == Ceiling::kCopy ? ShareOfCeiling(measurement) : std::nullopt;
    case Unit::kShareOfSolution:
      return measurement.ceiling_of == Ceiling::kSolution ? ShareOfCeiling(measurement) : std::nullopt;
  }
  return std::nullopt;
}

Points ThroughputPoints(const ThroughputScale& scale, Points most, const ThroughputMeasurement& measurement) {
  const std::optional<double> value = InScaleUnit(scale, measurement);
  if (!value) return Points();
  if (scale.zero && scale.full) return most.Times((*value - *scale.zero) / (*scale.full - *scale.zero));
  Points reached;
  for (const ThroughputScale::Step& step : scale.steps) {
    if (*value >= step.at) reached = std::max(reached, step.points);
  }
  return std::min(reached, most);
}

void FlagImpossible(const Peaks& peaks, config::Rung::Arithmetic arithmetic, ThroughputMeasurement* measurement) {
  if (measurement->status != ThroughputMeasurement::Status::kMeasured) return;
  const std::optional<double> peak = PeakOf(peaks, arithmetic, measurement->unit);
  if (!peak || measurement->value <= *peak) return;
  measurement->status = ThroughputMeasurement::Status::kFlagged;
  measurement->reason = fmt::format(
      "{0:.0f} {1} is more than this GPU can do ({2:.0f} {1}); it gives no points until a person has looked at it and "
      "accepted it with warpgrade accept",
      measurement->value, measurement->unit, *peak);
}

}  // namespace warpgrade::score
