// An autograder as it stands on the platform: unpacked into a folder and set up.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade {

class UnpackedAutograder {
 public:
  // `warpgrade autograder --lab LAB MORE...`, unpacked into source/ below a folder that stands for /autograder, and set
  // up by its own setup.sh. apt-get does nothing, and the CUDA compiler is the one of this machine. Needs root.
  explicit UnpackedAutograder(const std::string& lab, const std::vector<std::string>& more = {});

  std::string Path(const std::string& name) const { return folder_.Path("autograder/" + name); }
  void Write(const std::string& name, const std::string& text) const { folder_.Write("autograder/" + name, text); }

  // Runs run_autograder as Gradescope does, with `before` before the command. Returns results.json.
  nlohmann::json Run(const std::vector<std::string>& before = {}) const;
  const ProgramResult& last() const { return last_; }
  const ProgramResult& setup() const { return setup_; }

 private:
  const TemporaryFolder folder_;
  ProgramResult setup_;
  mutable ProgramResult last_;
};

// The command that the platform's container puts before the autograder: root without the right to make namespaces.
std::vector<std::string> WithoutNamespaces();

}  // namespace warpgrade
