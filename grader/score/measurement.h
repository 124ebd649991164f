// What the judge measured of one rung, and the points for it. Plain data: the judge fills a RungMeasurement, ScoreRung
// (score.h) turns it into a RungScore, and reports print that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/counting_rule.h"
#include "grader/config/points.h"
#include "grader/config/visibility.h"
#include "grader/plot/plot.h"
#include "grader/score/class_facts.h"
#include "grader/score/pictures.h"

namespace warpgrade::score {

enum class RungStatus { kPassed, kFailed, kNotWritten, kCompileError, kTimeout, kCrashed, kLimit, kRefused, kMissing };
const char* Name(RungStatus status);  // "not_written", as in the JSON

// One case that failed.
struct CaseFailure {
  std::string case_name;
  std::optional<uint64_t> index;  // of the first wrong element; empty when no value was wrong
  std::string got, want;          // that element's value and the reference's, as printed to a person
  std::string message;
  // The emulator saw a fault in this case. The finding says what is wrong, and this failure may only follow from it.
  bool explained = false;
  int case_number = 0;         // as Finding's
  uint64_t case_elements = 0;  // the size of the case; not in files of results
  // How many further cases failed in the same way (failure_kind.h) and are not in the list. Not in files of results.
  int alike = 0;
};

// A fault that the emulator saw, ready to print. There is one for each line, however many cases and kernels show it.
// Its kernel, thread, address and message are those of the smallest typical case.
struct Finding {
  std::string kind, kernel, file;
  int line = 0;
  std::string block, thread;  // "(3,0,0)"
  uint64_t address = 0;
  uint64_t count = 1;  // in all cases
  std::string message;
  std::string advice;      // what to do
  std::string other_file;  // of a race: the other access; "": none, or its line is not known
  int other_line = 0;
  int line_at = -1, other_line_at = -1;  // of host calls: where in `message` the lines may be inserted; -1: nowhere
  std::string reach;         // of a race: "warp", "block" or "grid", where its two threads are; "": not known
  int barrier_line = 0;      // of a race: `advice` puts a barrier before this line; 0: none, or several
  bool reads_first = false;  // of a race: the read should come first, so it never misses the write
  bool in_local = false;     // in the thread's own local memory. Not in files of results
  int cases = 1;             // how many cases show it; 0: only one case was looked at
  std::string case_name;
  int case_number = 0;         // for `check --case`; 0: not a public case
  uint64_t case_elements = 0;  // the size of that case
};

// What the emulator counted at one line of the rung's own file, in the case for technique: sums over the warps.
struct LineCounts {
  int line = 0;  // 0: everything that is at no line of this file
  uint64_t instructions = 0;
  uint64_t load_requests = 0, load_sectors = 0;    // of global memory
  uint64_t store_requests = 0, store_sectors = 0;  // the same, with atomics
  uint64_t shared_requests = 0, shared_turns = 0;  // a turn is a wavefront
  uint64_t branches = 0, divergent_branches = 0;
};

// A teaching assistant's statement that a flagged speed is right.
struct Acceptance {
  std::string by, when, because;  // when: UTC, "2026-11-22T10:15:00Z"
};

// The state of the GPU while a rung was timed, as its driver tells it. There is one reading after each sample that
// counts. Figures that the driver does not tell are empty.
struct GpuTelemetry {
  int readings = 0;
  std::optional<int> sm_mhz_min, sm_mhz_median, sm_mhz_max;
  std::optional<int> sm_mhz_highest;  // the highest clock of this model
  std::optional<int> mem_mhz;         // the median reading
  std::optional<int> temperature_c;   // the highest reading
  std::optional<int> power_w;         // the highest reading; newer GPUs give the mean of a second
  // The reasons for which the clocks were held down in any reading, "thermal (hardware)", the worst first. An empty
  // list: they were not held down.
  std::optional<std::vector<std::string>> throttle;
  bool slowed_down = false;  // one of these reasons means a fault: too hot, power brake, ...
  std::string uuid;          // of the GPU that timed it; "" in older files
};

// The speed of one rung.
struct ThroughputMeasurement {
  // A flagged speed becomes kMeasured when it is accepted.
  enum class Status { kNotMeasured, kMeasured, kFlagged } status = Status::kNotMeasured;
  double value = 0;  // throughput in `unit`, from the faster half of the samples
  std::string unit = "GB/s";
  double spread_percent = 0;  // half the inter-quartile range over the median
  int samples = 0;
  std::optional<double> seconds;            // the time of one call: the mean of the faster half of the samples
  std::optional<double> exclusive_seconds;  // for which the rung had the GPU to itself, to be timed
  // What `value` is compared with, measured in the same session: the bandwidth of a copy inside the device (GB/s), or
  // the speed of the course's solution (in `unit`).
  enum class Ceiling { kCopy, kSolution } ceiling_of = Ceiling::kCopy;
  std::optional<double> ceiling;
  std::string reason;  // why the speed was not measured or was flagged
  std::optional<Acceptance> accepted;
  std::optional<GpuTelemetry> gpu;  // empty where the driver's management library is missing
};

// The throughput case in another size, for plots.
struct SizeMeasurement {
  uint64_t elements = 0;
  ThroughputMeasurement throughput;       // on a GPU
  double clock_error_percent = 0;         // on a GPU: of the time of one call
  std::map<std::string, double> metrics;  // on the emulator, by metrics.def name
};

// What a lab outside of the kit learned while it checked the answers of a rung: ChecksOfAnswers::Facts.
struct AnswerChecks {
  std::optional<double> tolerance_used;
  std::string closest;
  double reference_s = 0;
  std::string slowest;
};

// Everything that the judge measured of one rung.
struct RungMeasurement {
  RungStatus status = RungStatus::kPassed;
  // cases_run: those before the rung was stopped. cases_faulty: their values are right, but the emulator saw a fault.
  int cases = 0, cases_run = 0, cases_passed = 0, cases_faulty = 0;
  std::vector<CaseFailure> failures;  // the first few; a failure that ended the rung comes first
  bool technique_measured = false;
  std::map<std::string, double> metrics;  // by metrics.def name
  // Over the work that made the answer alone, where that is another value. A limit must hold for both.
  std::map<std::string, double> answer_metrics;
  // For some metrics, the line to look at: "v3_padded.cu:27: shared memory takes 32 turns ...".
  std::map<std::string, std::string> metric_lines;
  std::vector<LineCounts> line_counts;  // by line; not in files
  std::vector<Finding> findings;        // any finding fails the rung: the program is wrong even if its values are right
  ThroughputMeasurement throughput;
  std::string hint;                   // of the lab, where answers are wrong; "": none
  std::vector<std::string> messages;  // compiler errors, signals, limits, hints for limits: each a line or more
  Pictures pictures;                  // if they were asked for; not in files
  uint64_t delay_seed = 0;            // if work was delayed, or a case failed in another order: JudgeRequest's
  // A limit on time ended it, and not one on its work. On another machine, or at another time, it may end otherwise.
  bool out_of_time = false;
  std::vector<SizeMeasurement> sizes;  // by elements; only where sizes were asked for; not in files
  AnswerChecks checks;                 // not in files
};

// One limit on a metric, and whether it was met.
struct BoundsResult {
  std::string metric, unit;
  std::string limit;            // "<= 0", ">= 0.9"
  std::optional<double> value;  // empty: not measured
  bool passed = false;
  bool is_above = false;  // missed: the value is above the largest that is allowed, not below the least
};

struct TechniqueResult : BoundsResult {  // passed: within its own bounds, and `provided` holds
  config::Points points, max_points;
  std::vector<BoundsResult> provided;
  bool value_holds = true;  // false: missed by its own bounds, so `provided` does not matter
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
  // By CountPoints (counting.h): a bonus gives points on top of the lab's, kNo is one of a group without its best ones.
  enum class Counts { kYes, kBonus, kNo } counts = Counts::kYes;
  // The next three by ReportFor (visibility.h).
  config::Visibility visibility = config::Visibility::kVisible;
  bool hidden_now = false;      // in a report for staff: students do not see this rung now
  std::string visibility_note;  // for staff: what students do not see; for students: what is left out. "": nothing
};

struct LabScore {
  std::string lab, title;
  std::vector<RungScore> rungs;
  config::Points points, max_points, measurable_points;
  // In a report for students: rungs that are not shown now are left out, with their points. So the sums are no mark.
  bool is_partial = false;
  std::optional<config::Points> whole_max;  // then: max_points of the whole lab
  config::CountingRule counting;            // by which its rungs were counted. Not in files of results
  HandInFacts hand_in;                      // of marks from a gradebook. Not in files of results
};

// A rung that was to be graded and has no result. It is in no lab of its submission and counts as nothing, not as zero.
struct UnfinishedRung {
  std::string lab, rung;
  std::string reason;  // "grading was interrupted", or how the machine failed
};

struct SubmissionScore {
  std::string id;  // folder or archive name
  std::vector<LabScore> labs;
  std::vector<UnfinishedRung> unfinished;
  std::vector<std::string> messages;  // about the submission as a whole: unreadable archive, no files
  // The texts of its rungs, "lab1/v3_sequential.cu", for pages that show them. Only where one submission was graded;
  // not in files of results.
  std::map<std::string, std::string> sources;
  // By lab: its rungs below the roofs of a GPU, for pages. Only where a lab's speed is in GFLOP/s, and as for sources.
  std::map<std::string, plot::Chart> rooflines;
  config::Points points, max_points, measurable_points;
};

// The peak figures of a GPU, from the device itself or its vendor. Empty: not known.
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

// One submission in the contest of a lab.
struct LeaderboardEntry {
  std::string id;
  std::string shown_as;           // its id, or a pseudonym
  std::optional<int> rank;        // from 1; equal submissions share a rank. Empty: `note` says why
  std::optional<double> score_s;  // seconds, to a microsecond: time plus the penalty for wrong answers
  std::optional<double> time_s;   // one call of the fastest rung
  std::string rung;               // the fastest rung
  int wrong_answers = 0;
  std::string note;
};

struct Leaderboard {
  std::string lab, title;
  int wrong_answer_s = 0;                 // the seconds that each wrong answer adds
  bool timed = false;                     // false: there is no clock here, and wrong answers decide
  std::vector<LeaderboardEntry> entries;  // by rank; entries without a rank at the end
};

// When students see what they do not see at once. In seconds since 1970; empty: not known.
struct VisibilityDates {
  std::optional<int64_t> due;        // the last second to hand in
  std::optional<int64_t> published;  // the first second with marks
};

struct RungVisibility {
  config::Visibility rung = config::Visibility::kVisible;
  config::CaseVisibility cases;
};

// What course.yaml says of a lab.
struct LabVisibility {
  std::map<std::string, RungVisibility> rungs;                    // with the quiz
  config::Visibility otherwise = config::Visibility::kVisible;    // of rungs that the course does not have any more
  config::Visibility leaderboard = config::Visibility::kVisible;  // of the strictest rung of the contest
  config::CountingRule counting;
  VisibilityDates dates;
};

struct GradingReport {
  std::string kit_version, course;
  DeviceDescription device;
  std::string sandbox = "none";  // or "bubblewrap": how the submissions were kept apart
  // The beginning of `warpgrade check LAB RUNG`, as this user starts it, and what to add so that it grades the same
  // files: " --submission my-work". Not in files.
  std::string check_program = "warpgrade", check_options;
  bool own_files = false;  // of `check`: the id of the submission is only the name of a folder. Not in files
  std::vector<SubmissionScore> submissions;
  std::vector<Leaderboard> leaderboards;  // one for each lab that has a contest
  // For exports of marks. Not in files, and empty unless a roster or an option told it.
  std::map<std::string, StudentFacts> students;        // by SubmissionScore::id
  std::map<std::string, AssignmentFacts> assignments;  // by LabScore::lab
  // Not in files. By LabScore::lab; a lab without an entry shows everything.
  std::map<std::string, LabVisibility> visibility;
  ClassNotes class_notes;  // not in files
};

}  // namespace warpgrade::score
