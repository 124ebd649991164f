// Runs a program in the foreground, as a shell does: it has our terminal, and it gets the signals that ask us to stop.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/finding_file.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// Runs `program` with our environment and waits for its end. Meanwhile SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end
// this process. The terminal sends them to the program too; those sent only to this process are passed on to it.
// Errors (kUsage): the program cannot be started.
Result<ProgramEnd> RunInForeground(const std::vector<std::string>& program);

}  // namespace warpgrade::cli
