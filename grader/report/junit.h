// JUnit XML, for CI systems and the viewers of GitLab, Jenkins and Moodle.
#pragma once

#include <string>

#include "grader/report/sink.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// A testsuite per submission and lab ("s1042.lab1"), a testcase per rung:
//   right                              passes
//   wrong                              <failure>
//   crash, time-out, compile error ... <error>
//   not written yet                    <skipped>
// Points are properties of the testcase. Messages are in its failure, error or system-out.
std::string JunitText(const score::GradingReport& report);
// The same, in pieces.
void WriteJunit(const score::GradingReport& report, const Sink& sink);

}  // namespace warpgrade::report
