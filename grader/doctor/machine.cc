// Each check looks at one thing and says in one line what it found. What grading cannot do without fails; what only
// makes results doubtful is a doubt. Tests: tests/doctor/machine_test.cc.
#include "grader/doctor/machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "grader/times/times.h"

namespace warpgrade::doctor {
namespace {

namespace fs = std::filesystem;
using Level = Check::Level;

constexpr uint64_t kFewFreeMb = 500, kPlentyMb = 4000;  // a kit's compiled rungs of a class, and a compiler at work
constexpr uint64_t kFewFiles = 256, kFewProcesses = 200;
constexpr int64_t kMostSkewSeconds = 2;  // between a file server and this machine

std::string OneLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// The part before the first "; ", and the rest: messages say what, and then what to do.
std::pair<std::string, std::string> WhatAndAdvice(const std::string& message) {
  const std::string line = OneLine(message);
  const size_t at = line.find("; ");
  if (at == std::string::npos) return {line, ""};
  return {line.substr(0, at), line.substr(at + 2)};
}

std::optional<uint64_t> SoftLimit(__rlimit_resource resource) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

Check LimitsCheck(const SandboxFacts& facts, const config::Course& course) {
  std::string low;
  const auto compare = [&low](const std::optional<uint64_t>& limit, uint64_t needed, const char* what,
                              const char* command) {
    if (!limit || *limit >= needed) return;
    low += fmt::format("{}{} {} ({} needed, `{}`)", low.empty() ? "" : ", ", *limit, what, needed, command);
  };
  const auto most = static_cast<uint64_t>(std::max(course.build_limits.memory_mb, course.run_limits.memory_mb));
  compare(facts.open_files, kFewFiles, "open files", "ulimit -n");
  compare(facts.processes, kFewProcesses, "processes", "ulimit -u");
  compare(facts.address_space_mb, most * 3 / 2, "MB of addresses", "ulimit -v");
  compare(facts.file_mb, static_cast<uint64_t>(course.build_limits.file_mb), "MB a file", "ulimit -f");
  if (low.empty()) return {Level::kWorks, "sandbox limits", "rlimits are high enough", ""};
  return {Level::kFails, "sandbox limits", "rlimits are too low: " + low, "raise them before you grade"};
}

Check ControlGroupCheck(const SandboxFacts& facts) {
  // The sandbox counts memory and processes itself, so nothing depends on control groups.
  if (!facts.controllers) {
    return {Level::kWorks, "control groups", "no cgroup v2; the grader counts memory and processes itself", ""};
  }
  const bool memory = facts.controllers->find("memory") != std::string::npos;
  return {Level::kWorks, "control groups",
          fmt::format("cgroup v2 {}; the grader counts memory and processes itself",
                      memory ? "with memory" : "without the controller memory"),
          ""};
}

}  // namespace

Check CompilerCheck(const Result<std::string>& version) {
  if (version) return {Level::kWorks, "nvcc", OneLine(*version), ""};
  const auto [what, advice] = WhatAndAdvice(version.error().message);
  return {Level::kFails, "nvcc", what, advice.empty() ? "install CUDA 13's compiler" : advice};
}

Check KitCheck(const Status& built, size_t labs) {
  if (built.ok()) return {Level::kWorks, "kit", fmt::format("complete, {} labs", labs), ""};
  const auto [what, advice] = WhatAndAdvice(built.error().message);
  return {Level::kFails, "kit", what, advice};
}

std::vector<Check> SandboxChecks(const SandboxFacts& facts, const config::Course& course) {
  std::vector<Check> checks;
  if (facts.namespaces.ok()) {
    checks.push_back(
        {Level::kWorks, "sandbox",
         facts.is_root ? "bubblewrap with namespaces; programs run as another user" : "bubblewrap with namespaces",
         ""});
  } else {
    const std::string line = OneLine(facts.namespaces.error().message);
    const size_t advice = line.find("; or grade without");
    checks.push_back({Level::kFails, "sandbox", line.substr(0, advice),
                      "do that, or grade only submissions that you trust, with --sandbox none"});
  }
  checks.push_back(LimitsCheck(facts, course));
  checks.push_back(ControlGroupCheck(facts));
  return checks;
}

SandboxFacts FactsOfThisMachine(Status namespaces) {
  SandboxFacts facts{
      std::move(namespaces), geteuid() == 0, SoftLimit(RLIMIT_NOFILE), SoftLimit(RLIMIT_NPROC), {}, {}, {}};
  if (const auto bytes = SoftLimit(RLIMIT_AS)) facts.address_space_mb = *bytes >> 20;
  if (const auto bytes = SoftLimit(RLIMIT_FSIZE)) facts.file_mb = *bytes >> 20;
  std::ifstream file("/sys/fs/cgroup/cgroup.controllers");
  if (std::string line; file && (std::getline(file, line) || file.eof())) facts.controllers = line;
  return facts;
}

Folder LookAt(const std::string& subject, const std::string& path) {
  Folder folder{subject, path, {}, "", {}};
  fs::path there = path;
  std::error_code ignored;
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  std::string name = (there / ".warpgrade-doctor-XXXXXX").string();
  const int file = mkstemp(name.data());
  struct stat info = {};
  struct statvfs space = {};
  if (file < 0 || write(file, "x", 1) != 1 || fsync(file) != 0 || fstat(file, &info) != 0 ||
      statvfs(there.c_str(), &space) != 0) {
    folder.why = std::strerror(errno);
  } else {
    folder.free_mb = static_cast<uint64_t>(space.f_bavail) * space.f_frsize >> 20;
    folder.clock_ahead_s = info.st_mtime - std::time(nullptr);
  }
  if (file >= 0) {
    close(file);
    unlink(name.c_str());
  }
  return folder;
}

Check FolderCheck(const Folder& folder) {
  if (!folder.free_mb) {
    return {Level::kFails, folder.subject, fmt::format("{} cannot be written to: {}", folder.path, folder.why),
            "correct its permissions, or free space there"};
  }
  const std::string says = fmt::format("{}, {} MB free", folder.path, *folder.free_mb);
  if (*folder.free_mb < kFewFreeMb) return {Level::kFails, folder.subject, says, "free some space there"};
  if (*folder.free_mb < kPlentyMb) {
    return {Level::kDoubt, folder.subject, says, "a class may need more; free some space there"};
  }
  if (std::abs(folder.clock_ahead_s.value_or(0)) > kMostSkewSeconds) {
    return {Level::kDoubt, folder.subject,
            fmt::format("{}; a new file's time is {} s {} this machine's clock", says, std::abs(*folder.clock_ahead_s),
                        *folder.clock_ahead_s > 0 ? "ahead of" : "behind"),
            "set the clocks of the file server and of this machine; hand-in times may come from files"};
  }
  return {Level::kWorks, folder.subject, says, ""};
}

Check ClockCheck(const Runner& run, int64_t now, int64_t built_at) {
  const std::string says = UtcText(now);
  if (now < built_at) {
    return {Level::kFails, "clock", says + ", which is before the kit was built",
            "set the clock; late work is counted by it"};
  }
  const Result<std::string> answer = run({"timedatectl", "show", "--property=NTPSynchronized", "--value"});
  const std::string word = answer ? OneLine(*answer) : "";
  if (word == "yes") return {Level::kWorks, "clock", says + ", set by a time server", ""};
  if (word == "no") {
    return {Level::kDoubt, "clock", says + ", not set by a time server",
            "start one (timedatectl set-ntp true); late work is counted by this clock"};
  }
  return {Level::kWorks, "clock", says + "; who sets it is not known", ""};
}

Check MemoryCheck(int64_t machine_mb, int64_t rung_mb) {
  if (machine_mb <= 0) return {Level::kWorks, "memory", "not known", ""};
  const std::string says = fmt::format("{} MB; a rung may use {} MB", machine_mb, rung_mb);
  if (machine_mb >= rung_mb) return {Level::kWorks, "memory", says, ""};
  return {Level::kDoubt, "memory", says, "lower limits.run.memory and limits.build.memory in course.yaml"};
}

std::vector<Check> SlurmChecks(const Runner& run, const std::optional<config::Slurm>& slurm) {
  const Result<std::string> version = run({"sbatch", "--version"});
  if (!slurm) {
    return {{Level::kWorks, "Slurm",
             version ? OneLine(*version) + "; course.yaml has no 'slurm', so it is not used" : "not used", ""}};
  }
  if (!version) {
    return {{Level::kFails, "Slurm", OneLine(version.error().message),
             "install the commands of Slurm (Debian: slurm-client), or run this on a login node"}};
  }
  std::vector<std::string> command = {"sinfo", "--noheader", "--format=%D %T"};
  if (!slurm->partition.empty()) command.push_back("--partition=" + slurm->partition);
  const Result<std::string> nodes = run(command);
  std::vector<Check> checks;
  if (!nodes) {
    checks.push_back({Level::kFails, "Slurm", OneLine(nodes.error().message), "ask the cluster's administrator"});
  } else if (OneLine(*nodes).empty()) {
    checks.push_back({Level::kFails, "Slurm",
                      fmt::format("{}, but no nodes{}", OneLine(*version),
                                  slurm->partition.empty() ? "" : " in partition " + slurm->partition),
                      "correct slurm.partition in course.yaml; `sinfo` lists the partitions"});
  } else {
    checks.push_back({Level::kWorks, "Slurm", fmt::format("{}, nodes: {}", OneLine(*version), OneLine(*nodes)), ""});
  }
  checks.push_back(FolderCheck(LookAt("Slurm folder", slurm->folder)));
  return checks;
}

}  // namespace warpgrade::doctor
