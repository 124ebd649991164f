// What course.yaml says that loads and is unwise all the same: points that nobody can get, rules that never count,
// limits that the course's own solution misses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/course_reader.h"
#include "grader/config/problems.h"

namespace warpgrade::config {

// What a grading measured of the solution of a rung.
struct MeasuredSolution {
  std::map<std::string, double> metrics;         // only those that were measured
  std::map<std::string, double> answer_metrics;  // see score::RungMeasurement
  // On a GPU, its speed in each unit that is known; empty on the emulator.
  std::map<ThroughputScale::Unit, double> speeds;
};

// By lab and rung.
using MeasuredSolutions = std::map<std::string, std::map<std::string, MeasuredSolution>>;
using RungNamesByLab = std::map<std::string, std::set<std::string>>;

struct AdviceFacts {
  int64_t now = 0;                          // seconds since 1970
  std::set<std::string> shares;             // metrics that lie between 0 and 1
  std::optional<RungNamesByLab> solutions;  // the rungs that have one; nullopt: not known
  std::optional<RungNamesByLab> mutants;    // the rungs of which there is a wrong program; nullopt: not known
  MeasuredSolutions measured;
  std::string measured_by;  // where `measured` is from, such as "solutions.json"
  std::string measured_on;  // the name of the GPU; "": the emulator
};

struct CheckedCourse {
  Problems mistakes;             // `grade` refuses the file
  Problems remarks;              // it does not, but this is unwise
  std::optional<Course> course;  // if there is no mistake
  // Of labs outside of the kit: mistakes, as in Course::broken, and what is unwise in the lab.yaml of each.
  std::vector<std::string> broken;
  std::vector<std::pair<std::string, Problems>> outside;  // with the path of lab.yaml
};

// Reads the course.yaml at `path` as LoadCourse does. If it has no mistake, looks for what is unwise in it.
CheckedCourse CheckCourse(const std::string& path, const KnownNames& known, const AdviceFacts& facts);

}  // namespace warpgrade::config
