// The options that say where submissions run, for the commands that grade them.
#pragma once

#include <CLI/CLI.hpp>

#include "grader/cli/grading_session.h"

namespace warpgrade::cli {

// --device, --jobs and --sandbox. `session` must live as long as `command`.
void AddPlaceOptions(CLI::App* command, SessionOptions* session);

}  // namespace warpgrade::cli
