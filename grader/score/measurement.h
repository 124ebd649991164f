// What the judge measured of one rung, and what it is worth. Plain data: the judge fills a RungMeasurement, ScoreRung
// (score.h) turns it into a RungScore, reports print that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/points.h"

namespace warpgrade::score {

enum class RungStatus { kPassed, kFailed, kNotWritten, kCompileError, kTimeout, kCrashed, kLimit, kRefused, kMissing };
const char* Name(RungStatus status);  // "not_written", as in the JSON

struct CaseFailure {
  std::string case_name;
  std::optional<uint64_t> index;
  std::string got, want, message;
};

struct Finding {  // a fault the emulator saw, ready to print
  std::string kind, kernel, file;
  int line = 0;
  std::string block, thread;  // "(3,0,0)"
  uint64_t address = 0;
  uint64_t count = 1;
  std::string message;
};

// A person's word that a flagged speed is right.
struct Acceptance {
  std::string by, when, because;  // when: UTC, "2026-11-22T10:15:00Z"
};

// What the GPU did while a rung was timed, by its driver: one reading after each sample that counts. Figures that the
// driver does not tell are empty.
struct GpuTelemetry {
  int readings = 0;
  std::optional<int> sm_mhz_min, sm_mhz_median, sm_mhz_max;
  std::optional<int> sm_mhz_highest;  // that this GPU can
  std::optional<int> mem_mhz;         // the median
  std::optional<int> temperature_c;   // the highest
  std::optional<int> power_w;         // the highest; newer GPUs tell the mean of a second
  // Why the clocks were held down in any reading, "thermal (hardware)", the worst first; empty: they were not.
  std::optional<std::vector<std::string>> throttle;
  bool slowed_down = false;  // among these reasons is one that no GPU in order has: heat, power brake, ...
};

struct ThroughputMeasurement {
  // A flagged speed that was accepted is kMeasured from then on.
  enum class Status { kNotMeasured, kMeasured, kFlagged } status = Status::kNotMeasured;
  double value = 0;  // of the faster half of the samples, in `unit`
  std::string unit = "GB/s";
  double spread_percent = 0;  // half the inter-quartile range over the median
  int samples = 0;
  std::optional<double> seconds;  // one timed call takes, the mean of the faster half
  // Measured in the same session: how much a copy inside the device moves, GB/s, or the speed of the course's solution,
  // in `unit`.
  enum class Ceiling { kCopy, kSolution } ceiling_of = Ceiling::kCopy;
  std::optional<double> ceiling;
  std::string reason;  // why it was not measured or is, or was, flagged
  std::optional<Acceptance> accepted;
  std::optional<GpuTelemetry> gpu;  // empty where the driver's management library is not there
};

struct RungMeasurement {
  RungStatus status = RungStatus::kPassed;
  int cases = 0, cases_passed = 0;
  std::vector<CaseFailure> failures;  // first few, worst first
  bool technique_measured = false;
  std::map<std::string, double> metrics;  // by metrics.def name
  std::map<std::string, std::string>
      metric_lines;               // where to look: "v3_padded.cu:27: shared memory takes 32 turns ..."
  std::vector<Finding> findings;  // any finding fails the rung: the program is wrong even if the sum is right
  ThroughputMeasurement throughput;
  std::vector<std::string> messages;  // compiler errors, signals, limits, hints: each a line or more
};

struct BoundsResult {
  std::string metric, unit;
  std::string limit;            // "<= 0", ">= 0.9"
  std::optional<double> value;  // empty: not measured
  bool passed = false;
};

struct TechniqueResult : BoundsResult {  // passed: within its own bounds, and `provided` holds
  config::Points points, max_points;
  std::vector<BoundsResult> provided;
};

struct RungScore {
  std::string rung;
  RungMeasurement measurement;
  std::vector<TechniqueResult> technique;
  config::Points correctness_points, correctness_max;
  config::Points technique_points, technique_max;
  config::Points throughput_points, throughput_max;
  bool throughput_measurable = false;  // a GPU that course.yaml has thresholds for was used
  config::Points points, max_points, measurable_points;
};

struct LabScore {
  std::string lab, title;
  std::vector<RungScore> rungs;
  config::Points points, max_points, measurable_points;
};

struct SubmissionScore {
  std::string id;  // folder or archive name
  std::vector<LabScore> labs;
  std::vector<std::string> messages;  // about the submission as a whole: unreadable archive, no files
  config::Points points, max_points, measurable_points;
};

// What a GPU cannot pass, by its own or its vendor's figures. Empty: not known.
struct Peaks {
  std::optional<double> gb_s;            // device memory
  std::optional<double> gflop_s;         // float, on ordinary cores; a fused multiply-add is 2
  std::optional<double> tensor_gflop_s;  // tensor cores
};

struct DeviceDescription {
  std::string kind;  // "emulator" or "gpu"
  std::string name, uuid, driver;
  Peaks peaks;  // by the GPU's own figures
};

// One submission in a lab's contest.
struct LeaderboardEntry {
  std::string id;
  std::string shown_as;           // its id, or a pseudonym
  std::optional<int> rank;        // from 1; those that are equal share theirs. Empty: `note` says why
  std::optional<double> score_s;  // seconds, to a microsecond: time and wrong answers
  std::optional<double> time_s;   // of one call of the fastest rung
  std::string rung;               // which that is
  int wrong_answers = 0;
  std::string note;
};

struct Leaderboard {
  std::string lab, title;
  int wrong_answer_s = 0;                 // what each adds
  bool timed = false;                     // false: there is no clock here, and wrong answers decide
  std::vector<LeaderboardEntry> entries;  // by rank; those without at the end
};

struct GradingReport {
  std::string kit_version, course;
  DeviceDescription device;
  std::string sandbox = "none";  // or "bubblewrap": what kept the submissions apart
  std::vector<SubmissionScore> submissions;
  std::vector<Leaderboard> leaderboards;  // of the labs that have a contest
};

}  // namespace warpgrade::score
