// Sessions on the machine of the person who types the command.
#pragma once

#include "grader/cli/grading_session.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// RunSession with the files confined as in grading, because they may have come from somebody else. Where bubblewrap
// does not work, says so once on standard error and goes on without it: people mostly run their own files on their own
// machine. `session.sandbox` does not matter.
Result<SessionResult> RunAtHome(SessionOptions session);

}  // namespace warpgrade::cli
