// What `warpgrade doctor` finds out about a machine. The functions of this room get what the machine says as data or
// through Runner, so tests use what other machines said.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::doctor {

struct Check {
  enum class Level {
    kWorks,
    kDoubt,  // grading works, but something may be wrong with its results
    kFails,  // what this machine is to do does not work
  } level = Level::kWorks;
  std::string subject;  // "nvcc"
  std::string says;     // "version 13.0 in /usr/local/cuda": one line
  std::string advice;   // what to do; "" if it works
};

// Runs a program with its arguments and returns what it printed. Errors: it is not on PATH, or it failed; the message
// then is what it printed.
using Runner = std::function<Result<std::string>(const std::vector<std::string>& command)>;

}  // namespace warpgrade::doctor
