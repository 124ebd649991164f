// What the zip of an autograder holds: everything that grades one lab on the emulator, on a machine that has nothing.
//
//   setup.sh run_autograder grade_push       see grader/autograder/scripts/
//   roster.csv                               if there is one
//   kit/bin/warpgrade                        or the students' edition, which has no hidden cases
//   kit/lib/warpgrade/                       the worker, the lab's adapter, our libcudart
//   kit/share/warpgrade/                     kit.yaml, course.yaml, the lab's quiz, the headers that rungs include
//
// No solutions, no other right programs, no wrong programs with comments, and nothing of other labs. Where students can
// read the zip, course.yaml and the quiz have only what students may see.
#pragma once

#include <string>
#include <vector>

#include "grader/autograder/scripts.h"
#include "grader/autograder/zip.h"
#include "grader/config/kit.h"
#include "grader/result/result.h"

namespace warpgrade::autograder {

struct Autograder {
  config::Kit kit;
  bool students_read_it = false;
  std::string course_yaml;  // the path of the course's rules
  std::string roster;       // the text of a roster; "": none
  ScriptFacts facts;
};

// `executable`: the edition for those who can read the zip. Errors (kMachine): a file of the kit cannot be read;
// (kUsage) the course's rules are no YAML.
Result<std::vector<ZipEntry>> ContentsOf(const Autograder& autograder, const std::string& executable);

}  // namespace warpgrade::autograder
