// Collects the gradings of each program, in the unit of the scale. Tests: tests/calibrate/subjects_test.cc.
#include "grader/calibrate/subjects.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "grader/score/throughput.h"

namespace warpgrade::calibrate {
namespace {

using config::ThroughputScale;
using Unit = ThroughputScale::Unit;
using ValueOf = std::function<std::optional<double>(const Grading&)>;

constexpr const char* kAny = "any";
constexpr double kBoundByMemory = 0.75;  // a solution with this share of the copy's bandwidth waits for memory
constexpr double kSameShare = 1.1;       // and the shares on two GPUs differ by at most so much

bool IsOf(const Program& program, const std::string& lab, const std::string& rung) {
  return program.lab == lab && program.rung == rung;
}

// The gradings of the rung's programs, with those that count for programs without gradings of their own.
std::vector<Grading> GradingsOf(const Measurements& measurements, const std::string& lab, const std::string& rung,
                                const Ladder& ladder) {
  std::vector<Grading> gradings;
  for (const Grading& grading : measurements.gradings) {
    if (IsOf(grading.program, lab, rung)) gradings.push_back(grading);
  }
  if (gradings.empty()) return gradings;
  for (const auto& [program, other] : ladder.same_as) {
    if (!IsOf(program, lab, rung)) continue;
    for (const Grading& grading : measurements.gradings) {
      if (grading.program != other) continue;
      gradings.push_back(grading);
      gradings.back().program = program;
    }
  }
  return gradings;
}

void Collect(const std::vector<Grading>& gradings, const ValueOf& value_of, std::vector<Speeds>* programs) {
  for (const Grading& grading : gradings) {
    auto place = std::find_if(programs->begin(), programs->end(),
                              [&grading](const Speeds& one) { return one.program == grading.program; });
    if (place == programs->end()) place = programs->insert(programs->end(), Speeds{.program = grading.program});
    const std::optional<double> value = value_of(grading);
    if (value && std::isfinite(*value) && *value > 0) {
      place->values.push_back(*value);
      place->spread_percent = std::max(place->spread_percent, grading.speed.spread_percent);
    } else {
      place->left_out.push_back(grading.left_out.empty() ? "it was measured in another unit" : grading.left_out);
    }
  }
}

std::string BeforeOf(const Ladder& ladder, const std::string& lab, const std::string& rung) {
  const auto found = ladder.before.find({lab, rung});
  return found == ladder.before.end() ? "" : found->second;
}

// The unit of a scale for `target`: that of the scale which it has, or of the scale for another GPU, or of the speeds.
Unit UnitFor(const config::Rung& rung, const std::string& target, const std::vector<Grading>& gradings) {
  if (const ThroughputScale* scale = score::FindScale(rung, target); scale != nullptr) {
    if (rung.throughput_scales.contains(target) || score::IsComparedWithSolution(rung)) return scale->unit;
  }
  for (const auto& [other, scale] : rung.throughput_scales) {
    if (other != kAny) return scale.unit;
  }
  for (const Grading& grading : gradings) {
    if (grading.Value()) return grading.speed.unit == "GFLOP/s" ? Unit::kGigaflopsPerSecond : Unit::kGigabytesPerSecond;
  }
  return Unit::kGigabytesPerSecond;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The speed of the solution on one GPU; nullopt: it has none.
std::optional<double> SolutionOf(const std::vector<Grading>& gradings) {
  std::vector<double> values;
  for (const Grading& grading : gradings) {
    const std::optional<double> value = grading.Value();
    if (grading.program.kind == Kind::kSolution && value) values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(Median(values));
}

// Whether the solution's share of the copy is large, and about the same on all GPUs.
bool IsBoundByMemory(const std::vector<std::vector<Grading>>& by_gpu) {
  double least = INFINITY, most = 0;
  for (const std::vector<Grading>& gradings : by_gpu) {
    for (const Grading& grading : gradings) {
      if (grading.program.kind != Kind::kSolution || !grading.Value()) continue;
      const double share = grading.ShareOfCopy().value_or(0);
      least = std::min(least, share);
      most = std::max(most, share);
    }
  }
  return least >= kBoundByMemory && most <= kSameShare * least;
}

std::optional<double> ShareOfSolution(const Grading& grading, std::optional<double> solution) {
  const std::optional<double> value = grading.Value();
  if (!value) return std::nullopt;
  if (grading.speed.ceiling_of == score::ThroughputMeasurement::Ceiling::kSolution && grading.speed.ceiling) {
    return *value / *grading.speed.ceiling;
  }
  return solution ? std::optional(*value / *solution) : std::nullopt;
}

}  // namespace

std::vector<Subject> SubjectsOf(const std::vector<config::Lab>& labs, const Measurements& measurements,
                                const std::string& target, const Ladder& ladder) {
  std::vector<Subject> subjects;
  for (const config::Lab& lab : labs) {
    for (const config::Rung& rung : lab.rungs) {
      const std::vector<Grading> gradings = GradingsOf(measurements, lab.name, rung.name, ladder);
      if (rung.throughput == config::Points() || gradings.empty()) continue;
      Subject subject{.lab = lab.name, .rung = rung.name, .points = rung.throughput};
      subject.unit = UnitFor(rung, target, gradings);
      const bool is_for_any = subject.unit == Unit::kShareOfSolution && !rung.throughput_scales.contains(target);
      subject.target = is_for_any ? kAny : target;
      subject.before = BeforeOf(ladder, lab.name, rung.name);
      const auto now = rung.throughput_scales.find(subject.target);
      if (now != rung.throughput_scales.end()) subject.now = now->second;
      const ThroughputScale of_unit{.unit = subject.unit};
      Collect(
          gradings,
          [&of_unit](const Grading& grading) -> std::optional<double> {
            if (!grading.left_out.empty()) return std::nullopt;
            return score::InScaleUnit(of_unit, grading.speed);
          },
          &subject.programs);
      subjects.push_back(std::move(subject));
    }
  }
  return subjects;
}

std::vector<Subject> ModelSubjects(const std::vector<config::Lab>& labs, const std::vector<Measurements>& gpus,
                                   const Ladder& ladder, bool keeps_units) {
  std::vector<Subject> subjects;
  for (const config::Lab& lab : labs) {
    for (const config::Rung& rung : lab.rungs) {
      if (rung.throughput == config::Points()) continue;
      std::vector<std::vector<Grading>> by_gpu;
      by_gpu.reserve(gpus.size());
      for (const Measurements& gpu : gpus) by_gpu.push_back(GradingsOf(gpu, lab.name, rung.name, ladder));
      const auto has_none = [](const std::vector<Grading>& gradings) { return gradings.empty(); };
      if (std::all_of(by_gpu.begin(), by_gpu.end(), has_none)) continue;
      Subject subject{.lab = lab.name, .rung = rung.name, .target = kAny, .points = rung.throughput};
      subject.before = BeforeOf(ladder, lab.name, rung.name);
      const auto now = rung.throughput_scales.find(kAny);
      if (now != rung.throughput_scales.end()) subject.now = now->second;
      const bool is_of_copy =
          keeps_units && subject.now ? subject.now->unit == Unit::kShareOfCopy : IsBoundByMemory(by_gpu);
      subject.unit = is_of_copy ? Unit::kShareOfCopy : Unit::kShareOfSolution;
      for (const std::vector<Grading>& gradings : by_gpu) {
        const std::optional<double> solution = SolutionOf(gradings);
        Collect(
            gradings,
            [is_of_copy, &solution](const Grading& grading) {
              return is_of_copy ? grading.ShareOfCopy() : ShareOfSolution(grading, solution);
            },
            &subject.programs);
      }
      subjects.push_back(std::move(subject));
    }
  }
  return subjects;
}

Margins ModelMargins(size_t gpus) {
  Margins margins;
  // Chosen: with two GPUs or more, how much the shares differ between them shows, and it widens the margins.
  margins.floors = gpus > 1 ? std::vector<double>{0.05, 0.03} : std::vector<double>{0.1, 0.05};
  margins.keeping = 0.02;
  margins.full_below = 0.12;
  return margins;
}

}  // namespace warpgrade::calibrate
