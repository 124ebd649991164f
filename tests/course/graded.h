// Grades submissions with the built warpgrade and finds its way in the result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade {

struct Graded {
  ProgramResult program;
  nlohmann::json report;  // null when there is none

  // REQUIRES: the report has them. The error of a missing one is the test's failure.
  const nlohmann::json& Submission(const std::string& id) const;
  const nlohmann::json& Rung(const std::string& submission, const std::string& lab, const std::string& rung) const;
};

// "gpu" where the environment says WARPGRADE_TEST_DEVICE=gpu, else "emulator".
std::string TestDevice();

// `warpgrade grade PATH --device DEVICE ARGUMENTS... --json ...`, where DEVICE is TestDevice().
Graded Grade(const std::string& path, const std::vector<std::string>& arguments = {});

// `arguments`, and those that leave out the large cases: without them the emulator takes half to a tenth of the time.
// For tests that look at something else than whether a rung is right in all cases. How many cases are left differs from
// run to run, since some sizes are drawn. Adds nothing with WARPGRADE_TEST_ALL_CASES=1 in the environment, and nothing
// on a GPU, for which no case is large.
std::vector<std::string> WithSmallCases(std::vector<std::string> arguments);
bool IsWithAllCases();  // WithSmallCases adds nothing

// The text of the kit's course.yaml, with 5 s of processor time for each run, for classes in which somebody works or
// waits for ever. An honest student's host code takes a fraction of a second of it, on any machine and beside any other
// work. What the emulator takes does not count.
std::string ImpatientCourse();

// Everything that a student is told about a rung, and the names of the metrics that were missed, one per line.
std::string Told(const nlohmann::json& rung);

// The line with this number, from 1, without its end; "" when there is none.
std::string LineOf(const std::string& text, int line);

// The kit's own files.
std::string SourcePath(const std::string& name);
// What `labs/mutant.sh LAB NAME` prints. The test fails when it fails.
std::string MutantText(const std::string& lab, const std::string& name);
// The text of a rung's file. On top of it stand the headers that it does not include, but another solution of the lab
// does: the compiler takes all rungs of a submission in one run if they include the same headers.
std::string WithHeadersOfAllRungs(const std::string& lab, const std::string& text);

}  // namespace warpgrade
