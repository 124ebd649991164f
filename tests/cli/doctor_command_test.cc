// `warpgrade doctor` on this machine, whatever it is: one line for each check, the same as JSON, and an exit status
// that says whether a check fails. A made-up nvidia-smi stands in for a driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;

ProgramResult Doctor(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "doctor"});
  return RunProgram(arguments, environment);
}

bool Fails(const nlohmann::json& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const auto& check) { return check["level"] == "fails"; });
}

TEST(DoctorCommandTest, EachCheckIsALineAndTheExitStatusSaysWhetherOneFails) {
  const ProgramResult json = Doctor({"--json"}), text = Doctor({});
  const auto checks = nlohmann::json::parse(json.out);
  EXPECT_EQ(json.exit_code, Fails(checks) ? 3 : 0) << json.out;
  EXPECT_EQ(text.exit_code, json.exit_code);
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), static_cast<long>(checks.size()));
  for (const auto& check : checks) {
    EXPECT_THAT(text.out, HasSubstr("  " + check["subject"].get<std::string>() + " "));
    EXPECT_EQ(check["advice"] == "", check["level"] == "works") << check;
  }
  for (const char* subject : {"kit", "nvcc", "driver", "sandbox", "sandbox limits", "control groups", "temporary files",
                              "memory", "clock", "Slurm"}) {
    EXPECT_THAT(text.out, HasSubstr(std::string("  ") + subject + " "));
  }
}

TEST(DoctorCommandTest, AMachineThatMustHaveAGpuFailsWithoutOne) {
  const TemporaryFolder folder;
  const std::string smi = folder.Write("bin/nvidia-smi", "#!/bin/sh\necho 'No devices were found'\nexit 6\n");
  std::filesystem::permissions(smi, std::filesystem::perms::owner_all);
  const ProgramResult result =
      Doctor({"--device", "gpu", "--json"}, {"PATH=" + folder.Path("bin") + ":" + std::getenv("PATH")});
  for (const auto& check : nlohmann::json::parse(result.out)) {
    if (check["subject"] != "driver" || check["level"] == "works") continue;
    EXPECT_EQ(check["level"] == "fails" ? 3 : 0, result.exit_code);
    return;
  }
  // This machine has a GPU that CUDA sees: then the driver check is a doubt, as nvidia-smi says nothing.
  ADD_FAILURE() << result.out;
}

TEST(DoctorCommandTest, AFolderThatIsFullOrClosedFails) {
  const ProgramResult result = Doctor({"--json"}, {"TMPDIR=/proc/1/none"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("/proc/1/none cannot be written to"));
}

}  // namespace
}  // namespace warpgrade
