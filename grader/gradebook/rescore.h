// What attempts would get by another course.yaml, from what was measured when they were graded. Nothing is built or
// run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::gradebook {

// An attempt whose new points only a new grading can tell.
struct NotKnown {
  std::string student, lab;
  int attempt = 0;  // its number
  std::string why;  // "v6_unrolled: it is new in course.yaml"
};

struct Rescored {
  std::map<int64_t, score::LabScore> labs;  // by Grading::measured; for MarksOptions::instead
  std::vector<NotKnown> not_known;          // they are not in `labs`
};

struct Change {
  const config::Course& before;  // by which the attempts were graded
  const config::Course& after;
  // The labs to score anew, each with Conditions::rules of `before`; an attempt that was graded by other rules is not
  // known. "": they are not compared.
  std::map<std::string, std::string> labs;
};

// For all graded attempts of the labs. Measurements hold as long as the rules of running do: limits, allowances, the
// numbers of quizzes. Errors: those of Gradebook.
Result<Rescored> Rescore(Gradebook* book, const Change& change);

}  // namespace warpgrade::gradebook
