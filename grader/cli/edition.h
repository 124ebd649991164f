// The two editions of the executable. The staff's has every command. The students' has only those that grade on the
// public cases: it is linked without the hidden cases, so nobody can take them from it. Each is defined by one file,
// staff_edition.cc or students_edition.cc, and everything else is the same.
#pragma once

#include <CLI/CLI.hpp>

#include "grader/quiz/sheet.h"

namespace warpgrade::cli {

struct Edition {
  bool for_students = false;
  const char* version_suffix = "";                                // of --version
  const char* examples = "";                                      // of --help
  void (*add_commands)(CLI::App& app, int* exit_code) = nullptr;  // those that the other edition has not
  quiz::ExplainAnswer explain_answer = nullptr;                   // nullptr: this edition explains no answers
};

// The edition that this executable is.
const Edition& ThisEdition();

}  // namespace warpgrade::cli
