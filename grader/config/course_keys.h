// The keys of each mapping in course.yaml. The reader accepts exactly these, and a test compares
// schema/course.schema.json with them.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::config {

inline const std::vector<std::string> kFileKeys = {"course",     "targets",         "limits", "allow", "hand_in",
                                                   "visibility", "case_visibility", "slurm",  "labs"};
inline const std::vector<std::string> kCourseKeys = {"name", "term"};
inline const std::vector<std::string> kTargetKeys = {"match", "peak_bandwidth", "peak_arithmetic", "peak_tensor"};
inline const std::vector<std::string> kLimitsKeys = {"build", "run"};
inline const std::vector<std::string> kBuildLimitKeys = {"wall", "cpu", "memory", "output", "file"};
inline const std::vector<std::string> kRunLimitKeys = {"wall", "cpu",          "memory",       "output",
                                                       "file", "host_visible", "instructions", "instructions_in_all"};
inline const std::vector<std::string> kLabKeys = {"title",      "points",          "due",   "published", "hand_in",
                                                  "visibility", "case_visibility", "allow", "rungs",     "best_of",
                                                  "quiz",       "leaderboard",     "from"};
// Of a lab outside of the kit: in course.yaml, and what its own lab.yaml says in the place of the others.
inline const std::vector<std::string> kOutsideLabKeys = {"from",    "due",        "published",
                                                         "hand_in", "visibility", "case_visibility"};
inline const std::vector<std::string> kLabFileCourseKeys = {"title",   "points", "allow",      "rungs",
                                                            "best_of", "quiz",   "leaderboard"};
inline const std::vector<std::string> kCourseHandInKeys = {"attempt", "late_per_day", "most_days_late", "grace_days"};
inline const std::vector<std::string> kLabHandInKeys = {"attempt", "late_per_day", "most_days_late"};
inline const std::vector<std::string> kQuizKeys = {"points", "visibility"};
inline const std::vector<std::string> kSlurmKeys = {"folder", "partition", "account", "gres",    "gpu",   "time",
                                                    "memory", "cores",     "chunk",   "at_once", "tries", "options"};
inline const std::vector<std::string> kLeaderboardKeys = {"wrong_answer", "rungs"};
inline const std::vector<std::string> kBestOfKeys = {"best", "of"};
inline const std::vector<std::string> kRungKeys = {
    "title", "points", "bonus", "allow", "technique", "arithmetic", "throughput", "visibility", "case_visibility"};
inline const std::vector<std::string> kAllowKeys = {"headers", "symbols"};
inline const std::vector<std::string> kPointsKeys = {"correctness", "technique", "throughput"};
inline const std::vector<std::string> kTechniqueKeys = {"metric", "min", "max", "points", "provided"};
inline const std::vector<std::string> kProvidedKeys = {"metric", "min", "max"};
inline const std::vector<std::string> kThroughputKeys = {"unit", "steps", "zero", "full"};
inline const std::vector<std::string> kStepKeys = {"at", "points"};
// Of the file, of a lab, of a rung and of a quiz: they decide which attempt counts, what it is worth, and who sees it,
// but not what a grading measures.
inline const std::vector<std::string> kMarkKeys = {"hand_in", "due", "published", "visibility", "case_visibility"};

// Of the file: it decides where submissions are graded, but not what a grading measures.
inline const std::vector<std::string> kPlaceKeys = {"slurm"};

inline const std::string kAnyTarget = "any";
inline const std::vector<std::string> kAttempts = {"latest", "best"};      // order of HandInRule::Attempt
inline const std::vector<std::string> kArithmetics = {"float", "tensor"};  // order of Rung::Arithmetic
inline const std::vector<std::string> kVisibilities = {"visible", "after_due", "after_publication",
                                                       "hidden"};  // order of Visibility
inline const std::vector<std::string> kUnits = {"GB/s", "GFLOP/s", "share_of_copy",
                                                "share_of_solution"};  // order of ThroughputScale::Unit

}  // namespace warpgrade::config
