// A validated course.yaml: what a course gives points for. Only LoadCourse makes one, and every field is in its range.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/counting_rule.h"
#include "grader/config/kit.h"
#include "grader/config/points.h"
#include "grader/config/visibility.h"
#include "grader/result/result.h"

namespace warpgrade::config {

// A GPU that course.yaml has thresholds for. `match` is the name of the device, or its beginning up to a space.
struct Target {
  std::string id;     // "h200"
  std::string match;  // "NVIDIA H200"
  // The vendor's peaks: memory, float on ordinary cores, tensor cores. A measurement above them is flagged. Peaks that
  // are left out are read from the GPU where the driver reports them.
  std::optional<double> peak_bandwidth_gb_s, peak_gflop_s, peak_tensor_gflop_s;
};

// Bounds on one metric of grader/emulator/counters/metrics.def.
struct MetricBounds {
  std::string metric;
  std::optional<double> min, max;  // inclusive; at least one
};

struct TechniqueLimit {
  MetricBounds bounds;
  Points points;  // part of the rung's technique points; the points of all limits sum to them
  // The limit is met only if these hold, too. An average per warp or per request can be lowered by useless work, such
  // as idle threads or useless loads, so its limit needs bounds on totals.
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
    kShareOfCopy,      // relative to the bandwidth of a copy inside the device, measured in the same session
    kShareOfSolution,  // relative to the speed of the course's solution, timed in turns with the student's
  } unit = Unit::kGigabytesPerSecond;
  std::vector<Step> steps;           // ascending; the highest reached counts
  std::optional<double> zero, full;  // linear: no points at `zero`, all at `full`
};

// Headers and symbols that a rung may use in addition to those of every rung (build/allowance.h): all that the course,
// the lab and the rung itself allow. "*" in an entry stands for any text.
struct Allowance {
  std::vector<std::string> headers;  // as included: "cub/block/*"
  std::vector<std::string> symbols;  // as linked: "getenv"
};

struct Rung {
  std::string name;   // "v3_sequential"; the file is name + ".cu"
  std::string title;  // for people
  Allowance allow;
  // The units that may do the arithmetic. They decide which peak of the target bounds a speed in GFLOP/s.
  enum class Arithmetic { kFloat, kTensor } arithmetic = Arithmetic::kFloat;
  Points correctness, technique, throughput;
  std::vector<TechniqueLimit> technique_limits;
  std::map<std::string, ThroughputScale> throughput_scales;  // by target id; "any": every GPU (shares only)
  Visibility visibility = Visibility::kVisible;
  CaseVisibility case_visibility;
  Points Total() const { return correctness + technique + throughput; }
};

// The name of a quiz on the command line and in results, where it stands for a rung. No rung may have this name.
inline constexpr const char* kQuizName = "quiz";

// A contest among the submissions of a lab. The score is the time of one call plus wrong_answer_s for each wrong
// answer; the lowest is first. It gives no points.
struct LeaderboardRule {
  int wrong_answer_s = 0;
  std::vector<std::string> rungs;  // those that take part, in the lab's order; not empty
};

// The names of what stands beside the rungs: points for handing in late, points that a person changed, the points of
// rungs that students never see, and what the rungs have and the lab does not count. No rung may have these names.
inline constexpr const char* kLateName = "late";
inline constexpr const char* kOverrideName = "override";
inline constexpr const char* kNotShownName = "not_shown";
inline constexpr const char* kNotCountedName = "not_counted";

// Which attempt at a lab counts, and what a late one is worth.
struct HandInRule {
  enum class Attempt { kLatest, kBest } attempt = Attempt::kLatest;
  double late_per_day = 0;  // the share of its points that an attempt loses for each begun day, less grace days
  std::optional<int> most_days_late;  // a later attempt gets no points; nullopt: there is no such limit
};

struct Lab {
  std::string name;   // "lab1"
  std::string title;  // "Reduction"
  std::string from;   // the folder of a lab outside of the kit, as an absolute path; "": it is a lab of the kit
  std::vector<Rung> rungs;
  CountingRule counting;       // may name rungs that are not in `rungs`, where only some of the lab's were chosen
  std::optional<Points> quiz;  // for right answers to labs/LAB/quiz.yaml; nullopt: the lab has no quiz
  std::optional<LeaderboardRule> leaderboard;
  std::optional<int64_t> due;        // the last second, in seconds since 1970; nullopt: nothing is late
  HandInRule hand_in;                // the course's, with what the lab changes
  std::optional<int64_t> published;  // the first second at which students get the marks; nullopt: not known yet
  Visibility quiz_visibility = Visibility::kVisible;
  Visibility visibility = Visibility::kVisible;  // of results of rungs that the lab does not have any more
  // What all right rungs and a right quiz give, without bonus.
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
  int64_t host_visible_kb = 4;  // what one call may move from device memory to memory that host code can read
  uint64_t instruction_budget = 2'000'000'000;         // warp instructions of one launch
  uint64_t total_instruction_budget = 10'000'000'000;  // of all launches of the rung, in all its cases
};

// How `batch --engine slurm` submits tasks. A text that is "" or a number that is missing is left to the cluster.
struct Slurm {
  std::string folder;                    // that this machine and all nodes share
  std::string partition, account, gres;  // as sbatch takes them
  std::string gpu;                       // the name of the nodes' GPU; "": they grade on the emulator
  std::optional<int> time_s;             // of one task
  std::optional<int64_t> memory_mb;      // the same
  int cores = 4;                         // the same
  int chunk = 8;                         // submissions in a task
  int at_once = 0;                       // tasks that may run at the same time; 0: all
  int tries = 3;                         // how often a submission is given to a task before it is reported as lost
  std::vector<std::string> options;      // more options of sbatch
};

// A lab outside of the kit whose lab.yaml has mistakes, or is not there.
struct BrokenLab {
  std::string name;
  std::string why;  // as the message of LoadCourse
};

struct Course {
  std::string name, term;
  std::vector<Target> targets;
  std::vector<Lab> labs;
  std::vector<BrokenLab> broken;  // not in `labs`; see LoadCourse
  BuildLimits build_limits;
  RunLimits run_limits;
  HandInRule hand_in;  // of labs that have no rule of their own
  std::optional<Slurm> slurm;
  int grace_days = 0;  // days late that cost nothing, for each student over all labs

  const Lab* FindLab(const std::string& name) const;
  // The target whose `match` fits the device name, or nullptr.
  const Target* FindTarget(const std::string& device_name) const;
};

// Reads and validates course.yaml. `kit` are the labs and rungs that there are; a lab or rung with another name is a
// mistake, because no student could get its points. An empty `kit`: names are not compared. `labs`: only these must be
// in `kit`, which may be one for these labs alone (an autograder); empty: all of the file. One pass finds all mistakes.
// The message of the error (kUsage) lists them one per line as "FILE:LINE:COLUMN: what; what to do". `known_metrics`
// are the names of metrics.def, because config does not know the emulator.
//
// A lab with `from` is described by the lab.yaml of its folder, which starts at the folder of `path`. With kKeep, a
// mistake there does not concern the other labs: the lab is then in Course::broken.
enum class BrokenLabs { kRefuse, kKeep };
Result<Course> LoadCourse(const std::string& path, const std::vector<std::string>& known_metrics,
                          const KitRungs& kit = {}, const std::vector<std::string>& labs = {},
                          BrokenLabs broken = BrokenLabs::kRefuse);

// Tells the kit where the files of the course's labs outside of it are.
void AddOutsideLabs(const Course& course, Kit* kit);

// The folder that `from: TEXT` in the course.yaml at `course_yaml` names; absolute, without "." and "..".
std::string OutsideFolder(const std::string& course_yaml, const std::string& text);

// The file in the folder of a lab outside of the kit that describes it.
inline constexpr const char* kLabFileName = "lab.yaml";

// The same for the text of a course.yaml, which messages call `path`.
Result<Course> ParseCourse(const std::string& text, const std::string& path,
                           const std::vector<std::string>& known_metrics, const KitRungs& kit = {});

}  // namespace warpgrade::config
