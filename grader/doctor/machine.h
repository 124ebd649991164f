// The checks of everything beside the GPU: compiler, sandbox, disk, memory, clock, Slurm.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/doctor/check.h"
#include "grader/result/result.h"

namespace warpgrade::doctor {

// `version` of the compilers, or why there are none.
Check CompilerCheck(const Result<std::string>& version);

// Whether the parts of the kit are built.
Check KitCheck(const Status& built, size_t labs);

// What keeps submissions apart: namespaces (sandbox::CheckConfinement), limits of processes, and control groups.
struct SandboxFacts {
  Status namespaces;
  bool is_root = false;
  // Soft limits of this process; nullopt: none.
  std::optional<uint64_t> open_files, processes, address_space_mb, file_mb;
  // The controllers of /sys/fs/cgroup/cgroup.controllers; nullopt: there is no cgroup v2.
  std::optional<std::string> controllers;
};
std::vector<Check> SandboxChecks(const SandboxFacts& facts, const config::Course& course);

// What the machine says of itself now. Cannot fail; what is not known looks unlimited.
SandboxFacts FactsOfThisMachine(Status namespaces);

// A folder that grading writes to. `free_mb`: nullopt if the folder cannot be written to, because of `why`.
struct Folder {
  std::string subject, path;
  std::optional<uint64_t> free_mb;
  std::string why;
  std::optional<int64_t> clock_ahead_s;  // by how much a new file's time is ahead of the machine's clock
};
// Looks at the folder `path`, and writes a file in it that is gone afterwards. A folder that is not there yet is judged
// by the nearest one above it.
Folder LookAt(const std::string& subject, const std::string& path);
Check FolderCheck(const Folder& folder);

// `timedatectl` says whether the clock is set by a server. `built_at`: seconds since 1970 of the kit's newest file; a
// clock before it is wrong.
Check ClockCheck(const Runner& run, int64_t now, int64_t built_at);

// Memory for `jobs` rungs at the same time.
Check MemoryCheck(int64_t machine_mb, int64_t rung_mb);

// Without `slurm` in course.yaml: whether there are the commands at all.
std::vector<Check> SlurmChecks(const Runner& run, const std::optional<config::Slurm>& slurm);

}  // namespace warpgrade::doctor
