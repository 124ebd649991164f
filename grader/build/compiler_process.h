// Runs one of the compilers on a stranger's text: within limits, and confined where that is asked for.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/sandbox/process.h"

namespace warpgrade::build {

// The limits of a course for one compiler.
sandbox::ProcessLimits CompilerLimits(const config::BuildLimits& limits);

// Whether a compiler, or one that it started, was killed by somebody else than us.
bool KilledBySystem(const sandbox::ProcessResult& result);

// Runs `argv` in `directory`, which it may write to; it sees the toolchain and `inputs` beside that. Once more when the
// system killed it. Errors (kMachine): it does not start or its sandbox fails, there is no space to compile in, or
// `cancel` was set.
Result<sandbox::ProcessResult> RunCompiler(std::vector<std::string> argv, const BuildOptions& options,
                                           const std::vector<std::string>& inputs,
                                           const std::filesystem::path& directory, const std::atomic<bool>* cancel);

}  // namespace warpgrade::build
