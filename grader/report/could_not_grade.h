// What learning platforms get when a submission could not be graded at all: no points, which are not zero points, and
// the reason.
#pragma once

#include <string>

namespace warpgrade::report {

// For Gradescope's results.json. It has no score, so Gradescope says that the autograder failed.
std::string GradescopeFailure(const std::string& why);

// For the output of a step of GitHub Classroom. Its maximum is 0, so the reporter reports no points.
std::string ClassroomFailure(const std::string& name, const std::string& why);

}  // namespace warpgrade::report
