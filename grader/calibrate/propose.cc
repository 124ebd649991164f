// Finds the interval of each program, then a place for `full`, then one for `zero` or for steps.
// Tests: tests/calibrate/propose_test.cc.
#include "grader/calibrate/propose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/calibrate/round_numbers.h"
#include "grader/score/throughput.h"

namespace warpgrade::calibrate {
namespace {

using config::Points;
using config::ThroughputScale;
using Unit = ThroughputScale::Unit;

constexpr double kNarrowest = 0.93;      // `zero` is at most this share of `full`; else the scale is one step
constexpr double kWithoutAnchor = 0.25;  // where no earlier rung is slower, `zero` is about this share of the solution
constexpr double kClearlySlower = 0.85;  // an earlier rung below this share of the solution may take the place of the
                                         // rung before
constexpr int kMostSteps = 6;
constexpr double kRoughly = 0.05;   // `zero` and the lower steps may be rounder than `full`
constexpr double kMostGuard = 0.5;  // a speed that varies by more than this is no measurement
// A solution that is so little above `full` is too near to it, if the proposal has twice the distance. And one that is
// so far above it shows that a much slower program gets all points.
constexpr double kTooNear = 0.025, kTooFar = 0.2;

struct Measured {
  const Speeds* speeds = nullptr;
  double slowest = 0, fastest = 0;
  Interval interval;
};

double RangeOf(const Measured& one) { return one.fastest / one.slowest - 1; }

Measured MeasuredWith(const Speeds& speeds, double floor, const Margins& margins) {
  Measured one{.speeds = &speeds};
  const auto [least, most] = std::minmax_element(speeds.values.begin(), speeds.values.end());
  one.slowest = *least;
  one.fastest = *most;
  const double guard = std::min(
      kMostGuard, std::max({floor, margins.of_range * RangeOf(one), margins.of_spread * speeds.spread_percent / 100}));
  one.interval = {one.slowest * (1 - guard), one.fastest * (1 + guard)};
  return one;
}

Points PointsAt(const ThroughputScale& scale, Points most, double value) {
  score::ThroughputMeasurement measurement;
  measurement.status = score::ThroughputMeasurement::Status::kMeasured;
  measurement.value = value;
  measurement.unit = scale.unit == Unit::kGigaflopsPerSecond ? "GFLOP/s" : "GB/s";
  measurement.ceiling_of = scale.unit == Unit::kShareOfSolution ? score::ThroughputMeasurement::Ceiling::kSolution
                                                                : score::ThroughputMeasurement::Ceiling::kCopy;
  measurement.ceiling = 1;  // the value of a share is the share
  return score::ThroughputPoints(scale, most, measurement);
}

double AllPointsFrom(const ThroughputScale& scale) { return scale.full ? *scale.full : scale.steps.back().at; }

std::string SpeedWords(Unit unit, double value) {
  switch (unit) {
    case Unit::kGigabytesPerSecond:
      return SpeedNumber(value) + " GB/s";
    case Unit::kGigaflopsPerSecond:
      return SpeedNumber(value) + " GFLOP/s";
    case Unit::kShareOfCopy:
      return fmt::format("{:.3f} of the copy", value);
    case Unit::kShareOfSolution:
      break;
  }
  return fmt::format("{:.3f} of the solution", value);
}

std::string PointsRange(Points least, Points most) {
  return least == most ? least.ToString() : least.ToString() + " to " + most.ToString();
}

// The programs with speeds, with intervals for one floor.
class Field {
 public:
  Field(const Subject& subject, double floor, const Margins& margins) {
    for (const Speeds& speeds : subject.programs) {
      if (!speeds.values.empty()) all_.push_back(MeasuredWith(speeds, floor, margins));
    }
    for (const Measured& one : all_) {
      const Program& program = one.speeds->program;
      if (program.kind == Kind::kSolution) solution_ = &one;
      if (program.kind == Kind::kEarlier && program.name == subject.before) before_ = &one;
    }
  }

  Field(const Field&) = delete;  // the pointers are into all_
  Field& operator=(const Field&) = delete;

  const std::vector<Measured>& all() const { return all_; }
  const Measured* solution() const { return solution_; }
  const Measured* before() const { return before_; }

  // Whether a threshold may lie between the rung before and the solution.
  bool IsBeforeApart() const { return before_ != nullptr && before_->interval.high < solution_->interval.low; }

  // The fastest earlier rung that is clearly slower than the solution.
  const Measured* SlowerRung() const {
    const Measured* slower = nullptr;
    for (const Measured& one : all_) {
      if (one.speeds->program.kind != Kind::kEarlier || one.fastest > kClearlySlower * solution_->slowest) continue;
      if (slower == nullptr || one.fastest > slower->fastest) slower = &one;
    }
    return slower;
  }

  std::vector<Interval> Intervals() const {
    std::vector<Interval> intervals;
    for (const Measured& one : all_) intervals.push_back(one.interval);
    return intervals;
  }

 private:
  std::vector<Measured> all_;
  const Measured* solution_ = nullptr;
  const Measured* before_ = nullptr;
};

class Search {
 public:
  Search(const Subject& subject, const Field& field, const Margins& margins)
      : subject_(subject), field_(field), margins_(margins), taken_(field.Intervals()) {
    anchor_ = field.IsBeforeApart() ? field.before() : field.SlowerRung();
  }

  std::optional<ThroughputScale> Find() {
    const std::optional<RoundNumber> full = FindFull();
    if (!full) return std::nullopt;
    full_ = full->value;
    std::optional<ThroughputScale> scale = Linear();
    if (scale && IsSteady(*scale)) return scale;
    ThroughputScale steps = Steps();
    // Steps at which other programs lie are no better than a line.
    if (scale && !IsSteady(steps)) return scale;
    return steps;
  }

 private:
  // Below the solution, and above the rung before where that is possible.
  std::optional<RoundNumber> FindFull() const {
    const Measured& solution = *field_.solution();
    const double low = field_.IsBeforeApart() ? field_.before()->interval.high : 0;
    const double below = std::min(kMostGuard, std::max(margins_.full_below, margins_.of_range * RangeOf(solution)));
    double wanted = solution.slowest * (1 - below);
    if (wanted <= low) wanted = std::sqrt(low * solution.interval.low);
    return FindRoundNumber({low, solution.interval.low}, wanted, taken_);
  }

  std::optional<ThroughputScale> Linear() const {
    const double low = anchor_ == nullptr ? full_ / 20 : anchor_->interval.high;
    const double wanted = anchor_ == nullptr ? kWithoutAnchor * field_.solution()->slowest : low;
    std::optional<RoundNumber> zero = FindRoundNumber({low, kNarrowest * full_}, wanted, taken_, kRoughly);
    if (!zero) return std::nullopt;
    ThroughputScale scale{.unit = subject_.unit, .zero = zero->value, .full = full_};
    if (IsSteady(scale)) return scale;
    // Above the programs that lie between, unless that costs too much of the line.
    const double most = anchor_ == nullptr ? 0.7 * full_ : std::sqrt(zero->value * full_);
    for (const Measured& one : field_.all()) {
      if (one.interval.high <= *scale.zero || one.interval.high > most || one.interval.low >= full_) continue;
      const auto above = FindRoundNumber({one.interval.high, most}, one.interval.high, taken_, kRoughly);
      if (above && above->value > *scale.zero) scale.zero = above->value;
    }
    return scale;
  }

  // Steps of equal points, at equal ratios of speed, moved to where no program lies. The rung before gets at most half.
  ThroughputScale Steps() const {
    ThroughputScale scale{.unit = subject_.unit};
    const bool is_apart = field_.IsBeforeApart();
    const double start = anchor_ == nullptr ? kWithoutAnchor * field_.solution()->slowest : anchor_->interval.high;
    const int64_t most = subject_.points.hundredths();
    const int count = static_cast<int>(std::clamp<int64_t>(most / 100, 1, kMostSteps));
    if (start < kNarrowest * full_) {
      for (int i = 1; i < count; ++i) {
        const double wanted = start * std::pow(full_ / start, static_cast<double>(i) / count);
        const double low = scale.steps.empty() ? start : scale.steps.back().at * 1.02;
        AddStep({low, full_ * 0.97}, wanted, most * i / count, &scale);
      }
    } else if (is_apart && most >= 100) {
      // No room between the two: a quarter of the points for nearly the speed of the rung before.
      const double low = field_.before()->interval.low;
      AddStep({low * 0.6, low}, low * 0.88, most / 4, &scale);
    }
    scale.steps.push_back({full_, subject_.points});
    return scale;
  }

  // `hundredths` of points, rounded down to halves.
  void AddStep(Interval range, double wanted, int64_t hundredths, ThroughputScale* scale) const {
    const Points points = Points::FromHundredths(hundredths / 50 * 50);
    if (points == Points() || (!scale->steps.empty() && points <= scale->steps.back().points)) return;
    const auto at = FindRoundNumber(range, wanted, taken_, kRoughly);
    if (at && at->is_clear) scale->steps.push_back({at->value, points});
  }

  bool IsSteady(const ThroughputScale& scale) const {
    return std::all_of(field_.all().begin(), field_.all().end(), [&](const Measured& one) {
      return PointsAt(scale, subject_.points, one.interval.low) == PointsAt(scale, subject_.points, one.interval.high);
    });
  }

  const Subject& subject_;
  const Field& field_;
  const Margins& margins_;
  const std::vector<Interval> taken_;
  const Measured* anchor_ = nullptr;  // the program that gets no points, and each slower one
  double full_ = 0;
};

// What a scale does wrong.
struct Faults {
  std::vector<std::string> rules;     // it breaks a rule for the solution or for the rung before
  std::vector<std::string> unsteady;  // other programs do not get the same points in every grading

  std::vector<std::string> All() const {
    std::vector<std::string> all = rules;
    all.insert(all.end(), unsteady.begin(), unsteady.end());
    return all;
  }
  bool IsLessThan(const Faults& other) const {
    return std::pair(rules.size(), unsteady.size()) < std::pair(other.rules.size(), other.unsteady.size());
  }
};

Faults FaultsIn(const ThroughputScale& scale, const Subject& subject, const Field& field) {
  Faults faults;
  for (const Measured& one : field.all()) {
    const Points least = PointsAt(scale, subject.points, one.interval.low);
    const Points most = PointsAt(scale, subject.points, one.interval.high);
    const std::string who = Words(one.speeds->program);
    if (&one == field.solution() && least < subject.points) {
      faults.rules.push_back(fmt::format("the solution gets {} of {} points, depending on the grading",
                                         PointsRange(least, most), subject.points.ToString()));
    } else if (&one == field.before() && field.IsBeforeApart() && 2 * most.hundredths() > subject.points.hundredths()) {
      faults.rules.push_back(fmt::format("{} gets {} of {} points, more than half", who, PointsRange(least, most),
                                         subject.points.ToString()));
    } else if (least != most) {
      faults.unsteady.push_back(fmt::format("{} gets {} of {} points, depending on the grading", who,
                                            PointsRange(least, most), subject.points.ToString()));
    }
  }
  return faults;
}

// How far the slowest grading of the solution lies above what all points need, as a share.
double MarginOf(const ThroughputScale& scale, const Field& field) {
  return field.solution()->slowest / AllPointsFrom(scale) - 1;
}

// Says if the solution lies too near above what `now` wants for all points, or too far, and another scale is better.
void AddDistance(const ThroughputScale& now, const ThroughputScale& other, const Field& field, Faults* faults) {
  const double above = MarginOf(now, field), wanted = MarginOf(other, field);
  if (above < kTooNear && wanted > 2 * kTooNear) {
    faults->rules.push_back(fmt::format("the solution is only {:.1f}% above what all points need", 100 * above));
  } else if (above > kTooFar && wanted < kTooFar) {
    faults->rules.push_back(fmt::format("the solution is {:.0f}% above what all points need", 100 * above));
  }
}

// The widest floor for which there is room for a threshold between the rung before and the solution where no other
// program lies; or else for which there is any room.
double FloorFor(const Subject& subject, const Margins& margins) {
  std::optional<double> with_others;
  for (const double floor : margins.floors) {
    const Field field(subject, floor, margins);
    if (field.before() == nullptr) return floor;
    if (!field.IsBeforeApart()) continue;
    const Interval gap{field.before()->interval.high, field.solution()->interval.low};
    const auto between = FindRoundNumber(gap, std::sqrt(gap.low * gap.high), field.Intervals());
    if (between && between->is_clear) return floor;
    if (between && !with_others) with_others = floor;
  }
  return with_others.value_or(margins.floors.front());
}

std::vector<Outcome> OutcomesOf(const Proposal& proposal, const Subject& subject, const Field& field) {
  std::vector<Outcome> outcomes;
  for (const Speeds& speeds : subject.programs) {
    Outcome outcome{.program = speeds.program, .gradings = static_cast<int>(speeds.values.size())};
    if (speeds.values.empty()) {
      outcome.left_out = speeds.left_out.empty() ? "it was not measured" : speeds.left_out.front();
      outcomes.push_back(std::move(outcome));
      continue;
    }
    const auto one = std::find_if(field.all().begin(), field.all().end(),
                                  [&speeds](const Measured& measured) { return measured.speeds == &speeds; });
    outcome.slowest = one->slowest;
    outcome.fastest = one->fastest;
    if (proposal.scale) {
      outcome.least = PointsAt(*proposal.scale, subject.points, one->interval.low);
      outcome.most = PointsAt(*proposal.scale, subject.points, one->interval.high);
    }
    if (proposal.now) {
      outcome.least_now = PointsAt(*proposal.now, subject.points, one->interval.low);
      outcome.most_now = PointsAt(*proposal.now, subject.points, one->interval.high);
    }
    outcomes.push_back(std::move(outcome));
  }
  std::stable_sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) {
    const bool a_first = a.program.kind == Kind::kSolution, b_first = b.program.kind == Kind::kSolution;
    return a_first != b_first ? a_first : a.fastest > b.fastest;
  });
  return outcomes;
}

void AddRemarks(const Subject& subject, const Field& field, Proposal* proposal) {
  const Measured& solution = *field.solution();
  if (!subject.before.empty() && field.before() == nullptr) {
    proposal->remarks.push_back(subject.before +
                                " handed in was not measured, so nothing holds it to half of the points");
  } else if (field.before() != nullptr && !field.IsBeforeApart()) {
    const Measured& before = *field.before();
    proposal->remarks.push_back(fmt::format(
        "no threshold tells {} handed in ({}) from the solution ({}): it is not slower by more than speeds may differ "
        "by",
        subject.before, SpeedWords(subject.unit, before.fastest), SpeedWords(subject.unit, solution.slowest)));
  } else if (field.before() != nullptr && proposal->floor < 0.02) {
    proposal->remarks.push_back(
        fmt::format("the rung before is near, so the margins are only {:.1f}%", 100 * proposal->floor));
  }
  if (solution.speeds->values.size() < 2) {
    proposal->remarks.emplace_back("the solution was graded once: --repeat 3 shows how much its speed varies");
  }
  for (const Outcome& outcome : proposal->programs) {
    if (outcome.left_out.empty() && outcome.IsNear()) {
      proposal->remarks.push_back(fmt::format("{} lies near a threshold: another run may give it {} points",
                                              Words(outcome.program), PointsRange(outcome.least, outcome.most)));
    }
  }
}

}  // namespace

std::string SpeedNumber(double value) {
  return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

std::vector<std::string> FaultsOf(const ThroughputScale& scale, const Subject& subject, const Margins& margins) {
  const Field field(subject, margins.keeping, margins);
  return field.solution() == nullptr ? std::vector<std::string>() : FaultsIn(scale, subject, field).All();
}

Proposal Propose(const Subject& subject, const Margins& margins) {
  Proposal proposal{.lab = subject.lab,
                    .rung = subject.rung,
                    .target = subject.target,
                    .unit = subject.unit,
                    .points = subject.points,
                    .now = subject.now};
  proposal.floor = margins.floors.front();
  const bool has_solution = Field(subject, proposal.floor, margins).solution() != nullptr;
  if (has_solution) proposal.floor = FloorFor(subject, margins);
  const Field field(subject, proposal.floor, margins);
  if (!has_solution) {
    proposal.remarks.emplace_back("there is no speed of the solution, so nothing is proposed");
    proposal.programs = OutcomesOf(proposal, subject, field);
    return proposal;
  }
  proposal.scale = Search(subject, field, margins).Find();
  if (subject.now && subject.now->unit == subject.unit) {
    // By narrow margins: what was proposed with wider ones stays, also after the next measurement.
    const Field narrow(subject, margins.keeping, margins);
    Faults faults = FaultsIn(*subject.now, subject, narrow);
    const Faults others = proposal.scale ? FaultsIn(*proposal.scale, subject, narrow) : faults;
    if (proposal.scale && others.rules.empty() && faults.rules.empty())
      AddDistance(*subject.now, *proposal.scale, field, &faults);
    proposal.faults = faults.All();
    proposal.keeps = !others.IsLessThan(faults);
    if (proposal.keeps) proposal.scale = subject.now;
  }
  if (!proposal.scale) {
    proposal.remarks.emplace_back("no threshold fits: the speed of the solution varies too much");
  } else {
    proposal.solution_margin = MarginOf(*proposal.scale, field);
    proposal.solution_range = RangeOf(*field.solution());
  }
  proposal.programs = OutcomesOf(proposal, subject, field);
  AddRemarks(subject, field, &proposal);
  return proposal;
}

std::string Words(const ThroughputScale& scale) {
  if (scale.zero && scale.full) return fmt::format("zero {:.10g}, full {:.10g}", *scale.zero, *scale.full);
  std::string words;
  for (const ThroughputScale::Step& step : scale.steps) {
    words += fmt::format("{}{} from {:.10g}", words.empty() ? "" : ", ", step.points.ToString(), step.at);
  }
  return words + " (points)";
}

std::string YamlText(const ThroughputScale& scale) {
  const char* unit = scale.unit == Unit::kGigabytesPerSecond   ? "GB/s"
                     : scale.unit == Unit::kGigaflopsPerSecond ? "GFLOP/s"
                     : scale.unit == Unit::kShareOfCopy        ? "share_of_copy"
                                                               : "share_of_solution";
  const auto number = [](double value) { return fmt::format("{:.10g}", value); };
  if (scale.zero && scale.full) {
    return fmt::format("{{unit: {}, zero: {}, full: {}}}", unit, number(*scale.zero), number(*scale.full));
  }
  std::string steps;
  for (const ThroughputScale::Step& step : scale.steps) {
    steps +=
        fmt::format("{}{{at: {}, points: {}}}", steps.empty() ? "" : ", ", number(step.at), step.points.ToString());
  }
  return fmt::format("{{unit: {}, steps: [{}]}}", unit, steps);
}

}  // namespace warpgrade::calibrate
