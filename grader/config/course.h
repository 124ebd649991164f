// course.yaml, validated: what a course awards points for. Built only by LoadCourse; every field is in range.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/points.h"
#include "grader/result/result.h"

namespace warpgrade::config {

// A GPU that thresholds are given for. `match` is compared with the device name: equal, or a prefix up to a space.
struct Target {
  std::string id;     // "h200"
  std::string match;  // "NVIDIA H200"
  // The vendor's figures, which no measurement can pass: memory, float on ordinary cores, tensor cores. What is left
  // out the GPU is asked for, where it can tell.
  std::optional<double> peak_bandwidth_gb_s, peak_gflop_s, peak_tensor_gflop_s;
};

// Bounds on one metric of grader/emulator/counters/metrics.def.
struct MetricBounds {
  std::string metric;
  std::optional<double> min, max;  // inclusive; at least one
};

struct TechniqueLimit {
  MetricBounds bounds;
  Points points;  // share of the rung's technique points; the limits' points sum to them
  // The limit is met only where these hold, too. Totals that keep an average honest: idle threads, or loads that nobody
  // needs, bring down what is counted per warp or per request.
  std::vector<MetricBounds> provided;
};

// How a throughput becomes points. Exactly one of steps and linear is used.
struct ThroughputScale {
  struct Step {
    double at = 0;
    Points points;
  };
  enum class Unit {
    kGigabytesPerSecond,
    kGigaflopsPerSecond,
    kShareOfCopy,      // of what a copy inside the device moves in the same session
    kShareOfSolution,  // of the speed of the course's own solution of the rung, timed in turns with the student's
  } unit = Unit::kGigabytesPerSecond;
  std::vector<Step> steps;           // ascending; the highest reached counts
  std::optional<double> zero, full;  // linear: no points at `zero`, all at `full`
};

// What a rung may use beyond what every rung may (build/allowance.h): the sum of the course's, its lab's and its own.
// "*" in an entry stands for anything.
struct Allowance {
  std::vector<std::string> headers;  // as included: "cub/block/*"
  std::vector<std::string> symbols;  // as linked: "getenv"
};

struct Rung {
  std::string name;   // "v3_sequential"; the file is name + ".cu"
  std::string title;  // what a person reads
  Allowance allow;
  // What may do its operations, and so which of the target's peaks bounds a speed in GFLOP/s.
  enum class Arithmetic { kFloat, kTensor } arithmetic = Arithmetic::kFloat;
  Points correctness, technique, throughput;
  std::vector<TechniqueLimit> technique_limits;
  std::map<std::string, ThroughputScale> throughput_scales;  // by target id; "any": every GPU (shares only)
  Points Total() const { return correctness + technique + throughput; }
};

// What a lab's quiz is called where rungs are named: on the command line and in results. No rung may have this name.
inline constexpr const char* kQuizName = "quiz";

// A contest among the submissions of a lab: the time of one call plus wrong_answer_s for each wrong answer, the least
// first. It gives no points.
struct LeaderboardRule {
  int wrong_answer_s = 0;
  std::vector<std::string> rungs;  // those that take part, in the lab's order; not empty
};

struct Lab {
  std::string name;   // "lab1"
  std::string title;  // "Reduction"
  std::vector<Rung> rungs;
  std::optional<Points> quiz;  // for right answers to labs/LAB/quiz.yaml; without it, the lab has no quiz
  std::optional<LeaderboardRule> leaderboard;
  Points Total() const;
};

struct BuildLimits {
  int wall_s = 60;
  int cpu_s = 60;
  int64_t memory_mb = 4096;
  int64_t output_kb = 1024;
  int64_t file_mb = 256;
};
// On the emulator, wall_s and cpu_s bound what the rung's host code does. The device's work is bounded by the
// instruction budgets instead, so that no result depends on how fast the machine is. On a GPU wall_s bounds both.
struct RunLimits {
  int wall_s = 60;  // that the judge waits for the program, over all calls
  int cpu_s = 60;   // processor time of the program
  int64_t memory_mb = 4096;
  int64_t output_kb = 64;
  int64_t file_mb = 1;
  int64_t host_visible_kb = 4;  // that one call may bring from device memory to where host code can read it
  uint64_t instruction_budget = 2'000'000'000;         // warp instructions of one launch
  uint64_t total_instruction_budget = 10'000'000'000;  // of all launches of the rung, in all its cases
};

struct Course {
  std::string name, term;
  std::vector<Target> targets;
  std::vector<Lab> labs;
  BuildLimits build_limits;
  RunLimits run_limits;

  const Lab* FindLab(const std::string& name) const;
  // The target whose `match` fits the device name, or nullptr.
  const Target* FindTarget(const std::string& device_name) const;
};

// Reads and validates. All mistakes are found in one pass and listed one per line in the error's message (kUsage), each
// "FILE:LINE:COLUMN: what; what to do". `known_metrics` are the names of metrics.def (config does not know the
// emulator).
Result<Course> LoadCourse(const std::string& path, const std::vector<std::string>& known_metrics);

}  // namespace warpgrade::config
