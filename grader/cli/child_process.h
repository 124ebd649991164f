// Runs a program in the foreground, as a shell does: it has our terminal, and the signals that ask us to stop reach it.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/finding_file.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// Runs `program` with our environment and waits for its end. While it runs, SIGINT, SIGTERM, SIGHUP and SIGQUIT do not
// end us: the terminal sends them to the program too, and those sent to us alone are passed on. Errors (kUsage): it
// cannot be started.
Result<ProgramEnd> RunInForeground(const std::vector<std::string>& program);

}  // namespace warpgrade::cli
