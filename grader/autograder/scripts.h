// The scripts and the workflow that `warpgrade autograder` writes. They are the files in grader/autograder/scripts/,
// which are part of the executable.
#pragma once

#include <string>

namespace warpgrade::autograder {

// What the scripts must know.
struct ScriptFacts {
  std::string lab;   // "lab3"
  int minutes = 10;  // the time limit of the platform for one submission
};

std::string SetupScript(const ScriptFacts& facts);          // setup.sh
std::string RunAutograderScript(const ScriptFacts& facts);  // run_autograder, for Gradescope
std::string GradePushScript(const ScriptFacts& facts);      // grade_push, for GitHub Classroom
std::string ClassroomWorkflow(const ScriptFacts& facts);    // .github/workflows/classroom.yml

}  // namespace warpgrade::autograder
