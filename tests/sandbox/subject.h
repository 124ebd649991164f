// How the tests run subject.cc.
#pragma once

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "grader/sandbox/process.h"

namespace warpgrade::sandbox {

// Runs one behaviour of subject.cc, with a wall limit long enough that only a hang reaches it.
inline ProcessOptions Subject(std::vector<std::string> arguments) {
  ProcessOptions options;
  options.argv = {SANDBOX_SUBJECT};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.limits.wall_ms = 60000;
  return options;
}

// Alive and not a zombie.
inline bool IsRunning(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return false;
  return line.find(") Z") == std::string::npos && line.find(") X") == std::string::npos;
}

inline std::vector<pid_t> PidsIn(const std::string& output) {
  std::vector<pid_t> pids;
  std::istringstream in(output);
  for (pid_t pid; in >> pid;) pids.push_back(pid);
  return pids;
}

}  // namespace warpgrade::sandbox
