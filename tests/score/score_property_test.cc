// What must hold of every score, tried on rungs and measurements drawn at random (a fixed seed: a failure repeats).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "grader/score/score.h"

namespace warpgrade::score {
namespace {

using config::Points;

constexpr int kTries = 20'000;

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  int Below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  Points SomePoints() { return Points::FromHundredths(Below(1001)); }

  // Ordinary numbers, and what breaks arithmetic.
  double AnyDouble() {
    static const double kOdd[] = {0.0,
                                  -0.0,
                                  -1.0,
                                  1e300,
                                  -1e300,
                                  5e-324,
                                  std::nan(""),
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};
    if (Below(4) == 0) return kOdd[Below(std::size(kOdd))];
    return std::uniform_real_distribution<double>(-100, 5000)(random_);
  }

  config::ThroughputScale Scale(Points most) {
    config::ThroughputScale scale;
    scale.unit = static_cast<config::ThroughputScale::Unit>(Below(3));
    const double top = scale.unit == config::ThroughputScale::Unit::kShareOfCopy ? 1 : 4000;
    if (Below(2) == 0) {
      scale.zero = top * Below(100) / 200;
      scale.full = *scale.zero + top * (1 + Below(100)) / 200;
    } else {
      const int steps = 1 + Below(4);
      for (int i = 1; i <= steps; ++i) {
        scale.steps.push_back({top * i / steps, Points::FromHundredths(most.hundredths() * i / steps)});
      }
    }
    return scale;
  }

  config::MetricBounds Bounds(int letter) {
    config::MetricBounds bounds;
    bounds.metric = std::string(1, static_cast<char>(letter));
    if (Below(2) == 0) bounds.min = Below(100);
    if (!bounds.min || Below(2) == 0) bounds.max = 100 + Below(100);
    return bounds;
  }

  config::Rung Rung() {
    config::Rung rung;
    rung.correctness = SomePoints();
    rung.throughput = SomePoints();
    for (int i = Below(4); i > 0; --i) {
      config::TechniqueLimit limit;
      limit.bounds = Bounds('a' + i);
      if (Below(2) == 0) limit.provided.push_back(Bounds('a' + Below(4)));
      limit.points = SomePoints();
      rung.technique += limit.points;
      rung.technique_limits.push_back(limit);
    }
    if (Below(2) == 0) rung.throughput_scales["h200"] = Scale(rung.throughput);
    if (Below(2) == 0) rung.throughput_scales["any"] = Scale(rung.throughput);
    return rung;
  }

  RungMeasurement Measurement() {
    RungMeasurement measurement;
    if (Below(4) == 0) measurement.status = static_cast<RungStatus>(Below(9));
    measurement.cases = 1 + Below(12);
    measurement.cases_passed = Below(4) == 0 ? Below(13) : measurement.cases;
    measurement.technique_measured = Below(4) != 0;
    for (const char* metric : {"b", "c", "d"}) {
      if (Below(4) != 0) measurement.metrics[metric] = AnyDouble();
    }
    if (Below(8) == 0) measurement.findings.push_back({});
    measurement.throughput.status = static_cast<ThroughputMeasurement::Status>(Below(3));
    measurement.throughput.value = AnyDouble();
    if (Below(4) == 0) measurement.throughput.unit = "GFLOP/s";
    if (Below(4) != 0) measurement.throughput.ceiling = AnyDouble();
    return measurement;
  }

  ScoringContext Context() { return {Below(2) == 0, Below(2) == 0 ? "h200" : "", {}}; }

 private:
  std::mt19937_64 random_;
};

// So is its share of the ceiling, where it has one: 1e300 of 5e-324 is none.
bool IsNumber(const ThroughputMeasurement& throughput) {
  return std::isfinite(throughput.value) && std::isfinite(throughput.value / throughput.ceiling.value_or(1));
}

void ExpectWithin(Points points, Points most) {
  EXPECT_GE(points, Points());
  EXPECT_LE(points, most);
}

TEST(ScorePropertyTest, PointsLieBetweenZeroAndTheirMaximumAndAddUp) {
  Draw draw(1);
  for (int i = 0; i < kTries; ++i) {
    const config::Rung rung = draw.Rung();
    const RungScore score = ScoreRung(rung, draw.Measurement(), draw.Context());
    ExpectWithin(score.correctness_points, score.correctness_max);
    ExpectWithin(score.technique_points, score.technique_max);
    ExpectWithin(score.throughput_points, score.throughput_max);
    ExpectWithin(score.points, score.measurable_points);
    ExpectWithin(score.measurable_points, score.max_points);
    EXPECT_EQ(score.points, score.correctness_points + score.technique_points + score.throughput_points);
    EXPECT_EQ(score.max_points, rung.Total());
    if (HasFailure()) FAIL() << "at try " << i;
  }
}

TEST(ScorePropertyTest, OnlyARightRungEarnsAnything) {
  Draw draw(2);
  int earned = 0;
  for (int i = 0; i < kTries; ++i) {
    const RungMeasurement measurement = draw.Measurement();
    const RungScore score = ScoreRung(draw.Rung(), measurement, draw.Context());
    const bool right = measurement.status == RungStatus::kPassed && measurement.cases_passed == measurement.cases &&
                       measurement.findings.empty();
    if (!right) {
      ASSERT_EQ(score.points, Points()) << "at try " << i;
    }
    if (score.points > Points()) ++earned;
  }
  EXPECT_GT(earned, kTries / 4);  // the draw does reach rungs that earn
}

TEST(ScorePropertyTest, AFasterRungNeverEarnsLess) {
  Draw draw(3);
  int rose = 0;
  for (int i = 0; i < kTries; ++i) {
    const config::Rung rung = draw.Rung();
    const ScoringContext context = draw.Context();
    RungMeasurement slow = draw.Measurement();
    RungMeasurement fast = slow;
    fast.throughput.value = draw.AnyDouble();
    if (!(IsNumber(slow.throughput) && IsNumber(fast.throughput))) continue;
    if (fast.throughput.value < slow.throughput.value) std::swap(fast, slow);
    const Points slow_points = ScoreRung(rung, slow, context).points;
    const Points fast_points = ScoreRung(rung, fast, context).points;
    ASSERT_LE(slow_points, fast_points) << "at try " << i;
    if (slow_points < fast_points) ++rose;
  }
  EXPECT_GT(rose, 100);
}

TEST(ScorePropertyTest, AMetricNearerToItsLimitNeverEarnsLess) {
  Draw draw(4);
  for (int i = 0; i < kTries; ++i) {
    config::Rung rung = draw.Rung();
    const auto lower_is_better = [](config::MetricBounds* bounds) {
      bounds->min.reset();
      bounds->max = 100;
    };
    for (config::TechniqueLimit& limit : rung.technique_limits) {
      lower_is_better(&limit.bounds);
      for (config::MetricBounds& provided : limit.provided) lower_is_better(&provided);
    }
    const ScoringContext context = draw.Context();
    const RungMeasurement worse = draw.Measurement();
    RungMeasurement better = worse;
    for (auto& [metric, value] : better.metrics) {
      if (std::isfinite(value)) value -= draw.Below(50);
    }
    ASSERT_LE(ScoreRung(rung, worse, context).points, ScoreRung(rung, better, context).points) << "at try " << i;
  }
}

TEST(ScorePropertyTest, TheSameMeasurementGivesTheSameScore) {
  Draw draw(5);
  for (int i = 0; i < 1000; ++i) {
    const config::Rung rung = draw.Rung();
    const RungMeasurement measurement = draw.Measurement();
    const ScoringContext context = draw.Context();
    ASSERT_EQ(ScoreRung(rung, measurement, context).points, ScoreRung(rung, measurement, context).points);
  }
}

}  // namespace
}  // namespace warpgrade::score
