// How the tests run subject.cc.
#pragma once

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "grader/sandbox/process.h"

namespace warpgrade::sandbox {

// Runs one behaviour of subject.cc. Only a hang reaches the wall limit, on however busy a machine.
inline ProcessOptions Subject(std::vector<std::string> arguments) {
  ProcessOptions options;
  options.argv = {SANDBOX_SUBJECT};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.limits.wall_ms = 600'000;
  return options;
}

// Process::Pause gives up after a second, which may be too short on a busy machine. Then all run on, so it can be asked
// again.
inline void AwaitPause(Process& process) {
  while (!process.Pause()) {
  }
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

// What "count" of subject.cc counts.
class Counts {
 public:
  Counts() : descriptor_(memfd_create("counts", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(descriptor_, 4096), 0);
    void* const shared = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, descriptor_, 0);
    EXPECT_NE(shared, MAP_FAILED);
    numbers_ = static_cast<const std::atomic<uint64_t>*>(shared);
  }
  ~Counts() {
    munmap(const_cast<std::atomic<uint64_t>*>(numbers_), 4096);
    close(descriptor_);
  }

  ProcessOptions Subject() const {
    ProcessOptions options = sandbox::Subject({"count", "7"});
    options.inherited_fds = {{descriptor_, 7}};
    return options;
  }
  std::array<uint64_t, 4> Now() const { return {numbers_[0], numbers_[1], numbers_[2], numbers_[3]}; }
  // Waits until each is higher.
  void AwaitMore(const std::array<uint64_t, 4>& than) const {
    for (size_t i = 0; i < 4; ++i) {
      while (numbers_[i] <= than[i]) usleep(1000);
    }
  }

 private:
  const int descriptor_;
  const std::atomic<uint64_t>* numbers_;
};

}  // namespace warpgrade::sandbox
