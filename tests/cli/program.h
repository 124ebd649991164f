// Runs a program in a test and keeps what it printed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warpgrade {

struct ProgramResult {
  int exit_code = -1;  // 128 + the signal when one ended it
  std::string out, err;
};

// Standard input is empty. `environment` ("NAME=value") is added to ours. `while_running`, if given, is called with the
// process id once the program runs.
ProgramResult RunProgram(const std::vector<std::string>& command, const std::vector<std::string>& environment = {},
                         const std::function<void(int pid)>& while_running = nullptr);

// A folder of the test's own, gone when this goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file, with the folders above it; returns its path.
  std::string Write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

std::string ReadText(const std::string& path);

}  // namespace warpgrade
