#include "tests/faults/victims.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "grader/sandbox/process_tree.h"
#include "tests/cli/program.h"

namespace warpgrade::faults {
namespace {

constexpr size_t kMostProcesses = 10'000;

// As the kernel has it: the first 15 characters of the executable's name.
std::string NameOfProcess(pid_t pid) {
  std::string name = ReadText("/proc/" + std::to_string(pid) + "/comm");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

// The arguments, each followed by a zero byte.
std::string ArgumentsOf(pid_t pid) { return ReadText("/proc/" + std::to_string(pid) + "/cmdline"); }

bool IsRungsJudge(pid_t pid) {
  return ArgumentsOf(pid).find(std::string_view("\0judge-rung\0", 12)) != std::string::npos;
}

// Started from a file in memory, so that its name is not its own.
bool IsSupervisor(pid_t pid) { return ArgumentsOf(pid).starts_with("warpgrade-supervisor"); }

bool IsCompiler(std::string_view name) {
  static constexpr std::array kCompilers = {"nvcc", "cicc",    "cudafe++", "ptxas", "fatbinary", "gcc",
                                            "g++",  "cc1plus", "as",       "ld",    "collect2",  "sh"};
  return std::find(kCompilers.begin(), kCompilers.end(), name) != kCompilers.end() || name.starts_with("g++-") ||
         name.starts_with("x86_64-linux-g");
}

std::vector<pid_t> Below(pid_t root) {
  std::vector<pid_t> pids;
  for (const sandbox::ProcessInfo& info : sandbox::DescendantsOf(root, kMostProcesses)) {
    if (!info.zombie) pids.push_back(info.pid);
  }
  return pids;
}

bool Is(Victim victim, pid_t pid) {
  const std::string name = NameOfProcess(pid);
  switch (victim) {
    case Victim::kCompiler:
      return IsCompiler(name);
    case Victim::kRungsJudge:
      return IsRungsJudge(pid);
    case Victim::kSupervisor:
      return IsSupervisor(pid);
    case Victim::kSandbox:
      return name == "bwrap";
    case Victim::kWorker:
    case Victim::kGrader:
      break;
  }
  return false;
}

// A rung's judge starts nothing but its worker.
std::vector<pid_t> Workers(pid_t grader) {
  std::vector<pid_t> workers;
  for (const pid_t judge : Find(Victim::kRungsJudge, grader)) {
    for (const pid_t pid : Below(judge)) {
      const std::string name = NameOfProcess(pid);
      // Nor what is still a copy of the judge, about to become a supervisor.
      if (!name.empty() && !IsRungsJudge(pid) && !IsSupervisor(pid) && name != "bwrap") workers.push_back(pid);
    }
  }
  return workers;
}

}  // namespace

const char* NameOf(Victim victim) {
  switch (victim) {
    case Victim::kWorker:
      return "worker";
    case Victim::kCompiler:
      return "compiler";
    case Victim::kRungsJudge:
      return "rung's judge";
    case Victim::kSupervisor:
      return "supervisor";
    case Victim::kSandbox:
      return "sandbox";
    case Victim::kGrader:
      return "grader";
  }
  return "";
}

std::vector<pid_t> Find(Victim victim, pid_t grader) {
  if (victim == Victim::kGrader) return {grader};
  if (victim == Victim::kWorker) return Workers(grader);
  std::vector<pid_t> found;
  for (const pid_t pid : Below(grader)) {
    if (Is(victim, pid)) found.push_back(pid);
  }
  return found;
}

std::vector<std::string> StillRunning() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  std::vector<std::string> running;
  for (const pid_t pid : Below(getpid())) running.push_back(std::to_string(pid) + " " + NameOfProcess(pid));
  return running;
}

}  // namespace warpgrade::faults
