// Runs a compiler on untrusted text: with limits and, if asked, in a sandbox.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/sandbox/process.h"

namespace warpgrade::build {

// The limits of the course for one compiler process.
sandbox::ProcessLimits CompilerLimits(const config::BuildLimits& limits);

// Whether a compiler, or a process that it started, was killed by another process than ours.
bool KilledBySystem(const sandbox::ProcessResult& result);

// Runs `argv` in `directory`, which it may write to. Besides that it sees the toolchain and `inputs`. If the system
// killed it, it runs once more. Errors (kMachine): it does not start, the sandbox fails, there is no space on the disk,
// or `cancel` was set.
Result<sandbox::ProcessResult> RunCompiler(std::vector<std::string> argv, const BuildOptions& options,
                                           const std::vector<std::string>& inputs,
                                           const std::filesystem::path& directory, const std::atomic<bool>* cancel);

}  // namespace warpgrade::build
