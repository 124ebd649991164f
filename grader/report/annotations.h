// What a report has to say at the lines of a rung's source: for formats that show it there.
#pragma once

#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// One thing to tell the student.
struct Annotation {
  std::string rule, text;  // both printable
  const char* level = "error";
  int line = 0;  // of the rung's own file; 0: the whole file
  int other_line = 0;
  const score::Finding* finding = nullptr;  // what it is made from, if from a finding
};

// Faults, missed limits and compiler errors of `rung`, which is of `lab` in `report`. Where a failed rung has none of
// these, there is one with all its notes. A rung that was not written has none.
std::vector<Annotation> AnnotationsOf(const score::RungScore& rung, const score::LabScore& lab,
                                      const score::GradingReport& report);

}  // namespace warpgrade::report
