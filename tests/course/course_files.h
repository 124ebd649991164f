// What course.yaml says that there is, for tests that look for the files of each lab and rung.
#pragma once

#include <string>
#include <vector>

namespace warpgrade {

struct CourseRung {
  std::string name;                  // "v3_sequential"
  std::vector<std::string> metrics;  // of its technique limits
  bool timed = false;                // it has points for throughput
};

struct CourseLab {
  std::string name;  // "lab1"
  std::vector<CourseRung> rungs;
  bool IsTimed() const;  // one of its rungs is
};

// In the order of course.yaml. Throws when the file cannot be read; whether it is right is tested elsewhere
// (tests/config/course_schema_test.cc).
const std::vector<CourseLab>& CourseLabs();
// "lab0", "lab1" ...: a test suite for each lab.
std::vector<std::string> CourseLabNames();
// Those of them that have technique limits.
std::vector<std::string> LabsWithLimits();
// REQUIRES: course.yaml has the lab.
const CourseLab& FindCourseLab(const std::string& name);

}  // namespace warpgrade
