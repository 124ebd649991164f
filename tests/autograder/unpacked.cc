#include "tests/autograder/unpacked.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/course/graded.h"

namespace warpgrade {

namespace fs = std::filesystem;

UnpackedAutograder::UnpackedAutograder(const std::string& lab, const std::vector<std::string>& more) {
  fs::permissions(folder_.Path("."), fs::perms(0755));  // programs of root run as another user
  std::vector<std::string> make = {WARPGRADE_BINARY, "autograder",         "--lab", lab, "--for-this-machine",
                                   "--output",       folder_.Path("a.zip")};
  make.insert(make.end(), more.begin(), more.end());
  const ProgramResult made = RunProgram(make);
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const std::string apt = folder_.Write("bin/apt-get", "#!/bin/sh\necho \"$@\" >>\"$0.log\"\n");
  fs::permissions(apt, fs::perms(0755));
  setup_ = RunProgram({"/bin/bash", "-c",
                       "set -e; mkdir -p \"$1\"; cd \"$1\"; python3 -m zipfile -e ../a.zip source; "
                       "cp source/run_autograder .; chmod 755 run_autograder; "
                       "ln -s \"$(dirname \"$(dirname \"$(readlink -f \"$(command -v nvcc || echo "
                       "/usr/local/cuda/bin/nvcc)\")\")\")\" source/cuda; "
                       "PATH=\"$2:$PATH\" bash source/setup.sh 2>&1",
                       "setup", folder_.Path("autograder"), folder_.Path("bin")});
}

nlohmann::json UnpackedAutograder::Run(const std::vector<std::string>& before) const {
  std::vector<std::string> command = before;
  command.push_back(Path("run_autograder"));
  last_ = RunProgram(command, {"WARPGRADE_AUTOGRADER_ROOT=" + Path(".")});
  return nlohmann::json::parse(ReadText(Path("results/results.json")), nullptr, false);
}

std::vector<std::string> WithoutNamespaces() {
  return {"/usr/bin/setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"};
}

}  // namespace warpgrade
