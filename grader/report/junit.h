// JUnit XML, for CI systems and the viewers that GitLab, Jenkins and Moodle have for it.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// A testsuite per submission and lab ("s1042.lab1"), a testcase per rung:
//   right                              passes
//   wrong                              <failure>
//   crash, time-out, compile error ... <error>
//   not written yet                    <skipped>
// Points are properties of the testcase; what there is to say is in its failure or system-out.
std::string JunitText(const score::GradingReport& report);

}  // namespace warpgrade::report
