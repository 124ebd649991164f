// The GPU side of `doctor` without a GPU: what nvidia-smi prints on other machines, in the form of its --format=csv.
#include "grader/doctor/gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::doctor {
namespace {

using testing::HasSubstr;
using Level = Check::Level;

constexpr const char* kHeading =
    "index, name, uuid, driver_version, ecc.mode.current, ecc.errors.uncorrected.volatile.total, clocks.current.sm "
    "[MHz], clocks.max.sm [MHz], temperature.gpu, mig.mode.current, clocks_throttle_reasons.active\n";
const std::string kH200 =
    "0, NVIDIA H200, GPU-0a, 580.95.05, Enabled, 0, 1980, 1980, 31, Disabled, 0x0000000000000000\n";

// A machine whose nvidia-smi prints these two answers.
Runner Machine(const std::string& gpus, const std::string& apps = "") {
  return [gpus, apps](const std::vector<std::string>& command) -> Result<std::string> {
    EXPECT_EQ(command.at(0), "nvidia-smi");
    if (command.at(1).starts_with("--query-gpu=")) return gpus;
    EXPECT_EQ(command.at(1), "--query-compute-apps=gpu_uuid,pid,process_name");
    return apps;
  };
}

Runner WithoutNvidiaSmi() {
  return [](const std::vector<std::string>&) -> Result<std::string> {
    return Error{ErrorKind::kMachine, "nvidia-smi is not installed"};
  };
}

Check Find(const std::vector<Check>& checks, const std::string& subject) {
  for (const Check& check : checks) {
    if (check.subject == subject) return check;
  }
  ADD_FAILURE() << "no check of " << subject;
  return {};
}

std::vector<Check> On(const std::string& gpus, const std::string& apps = "") {
  return GpuChecks(Machine(kHeading + gpus, apps), {.gpu = true, .cuda_sees_one = true});
}

TEST(DoctorGpuTest, EverythingWorksOnAnIdleH200) {
  const std::vector<Check> checks = On(kH200);
  for (const Check& check : checks) EXPECT_EQ(check.level, Level::kWorks) << check.subject << ": " << check.says;
  EXPECT_EQ(Find(checks, "driver").says, "version 580.95.05, 1 GPU");
  EXPECT_EQ(Find(checks, "GPU 0").says, "NVIDIA H200");
  EXPECT_EQ(Find(checks, "GPU 0 clocks").says, "1980 of 1980 MHz, 31 C");
  EXPECT_EQ(Find(checks, "GPU 0 ECC").says, "on, no uncorrected errors");
  EXPECT_EQ(Find(checks, "GPU 0 users").says, "none");
}

TEST(DoctorGpuTest, OtherProgramsOnTheSameGpuMakeSpeedsDoubtful) {
  const std::string other = "1, NVIDIA H200, GPU-0b, 580.95.05, Enabled, 0, 345, 1980, 29, Disabled, 0x1\n";
  const std::vector<Check> checks = On(kH200 + other, "GPU-0b, 4711, python3\nGPU-0b, 4712, ./sweep\n");
  EXPECT_EQ(Find(checks, "GPU 0 users").level, Level::kWorks);
  const Check users = Find(checks, "GPU 1 users");
  EXPECT_EQ(users.level, Level::kDoubt);
  EXPECT_EQ(users.says, "2 other programs (process 4711, python3)");
  EXPECT_EQ(Find(checks, "GPU 1 clocks").level, Level::kWorks) << "an idle GPU is slow";
}

TEST(DoctorGpuTest, HeatPowerAndErrorsOfMemoryAreNamed) {
  const auto one = [](const std::string& ecc, const std::string& errors, const std::string& celsius,
                      const std::string& reasons) {
    return On("0, NVIDIA H100 80GB HBM3, GPU-1, 570.86.15, " + ecc + ", " + errors + ", 1200, 1980, " + celsius +
              ", Disabled, " + reasons + "\n");
  };
  EXPECT_THAT(Find(one("Enabled", "0", "70", "0x40"), "GPU 0 clocks").says, HasSubstr("because of heat or power"));
  EXPECT_EQ(Find(one("Enabled", "0", "70", "0x4"), "GPU 0 clocks").level, Level::kWorks) << "a power cap is usual";
  EXPECT_EQ(Find(one("Enabled", "0", "88", "0x0"), "GPU 0 clocks").level, Level::kDoubt);
  EXPECT_EQ(Find(one("Enabled", "3", "70", "0x0"), "GPU 0 ECC").level, Level::kFails);
  EXPECT_THAT(Find(one("Enabled", "3", "70", "0x0"), "GPU 0 ECC").says, HasSubstr("3 uncorrected memory errors"));
  EXPECT_EQ(Find(one("Disabled", "[N/A]", "70", "0x0"), "GPU 0 ECC").level, Level::kDoubt);
}

TEST(DoctorGpuTest, ALaptopsGpuDoesNotKnowSomeFigures) {
  const std::vector<Check> checks =
      On("0, NVIDIA GeForce RTX 4070 Laptop GPU, GPU-2, 580.65.06, [N/A], [N/A], [N/A], [N/A], 45, [N/A], [N/A]\n");
  EXPECT_EQ(Find(checks, "GPU 0 ECC").says, "this GPU has none");
  EXPECT_EQ(Find(checks, "GPU 0 clocks").level, Level::kDoubt);
}

TEST(DoctorGpuTest, PartsOfAGpuAreNotAGpu) {
  const std::vector<Check> checks =
      On("0, NVIDIA A100-SXM4-40GB, GPU-3, 580.65.06, Enabled, 0, 1410, 1410, 40, Enabled, 0x0\n");
  EXPECT_EQ(Find(checks, "GPU 0 MIG").level, Level::kDoubt);
}

TEST(DoctorGpuTest, AGpuWithoutScalesIsADoubt) {
  config::Rung rung;
  rung.throughput = config::Points::FromHundredths(200);
  rung.throughput_scales["h200"] = {};
  config::Course course;
  course.targets = {{"h200", "NVIDIA H200", {}, {}, {}}};
  course.labs.emplace_back();
  course.labs[0].rungs = {rung};
  const auto check = [&course](const std::string& name) {
    return Find(
        GpuChecks(Machine(kHeading + ("0, " + name + ", GPU-4, 580.65.06, Enabled, 0, 1, 1, 40, Disabled, 0x0\n")),
                  {.gpu = true, .cuda_sees_one = true, .course = &course}),
        "GPU 0");
  };
  EXPECT_EQ(check("NVIDIA H200").says, "NVIDIA H200, target h200");
  EXPECT_EQ(check("NVIDIA H100 80GB HBM3").level, Level::kDoubt);
  EXPECT_EQ(check("NVIDIA H100 80GB HBM3").says,
            "NVIDIA H100 80GB HBM3, which is no target of course.yaml; 1 of 1 timed rungs (2 points) have no scale for "
            "it");
}

TEST(DoctorGpuTest, WithoutAGpuTheEmulatorIsUsedUnlessAGpuIsNeeded) {
  const std::vector<Check> any = GpuChecks(WithoutNvidiaSmi(), {});
  ASSERT_EQ(any.size(), 1U);
  EXPECT_EQ(any[0].level, Level::kWorks);
  const std::vector<Check> needed = GpuChecks(WithoutNvidiaSmi(), {.gpu = true});
  ASSERT_EQ(needed.size(), 1U);
  EXPECT_EQ(needed[0].level, Level::kFails);
  EXPECT_THAT(needed[0].advice, HasSubstr("install NVIDIA's driver"));
}

TEST(DoctorGpuTest, ADriverThatCudaDoesNotSeeFails) {
  const std::vector<Check> checks = GpuChecks(Machine(kHeading + kH200), {});
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].level, Level::kFails);
  EXPECT_EQ(checks[0].says, "version 580.95.05, but CUDA finds no GPU");
}

TEST(DoctorGpuTest, AGpuWithoutNvidiaSmiIsADoubt) {
  const std::vector<Check> checks = GpuChecks(WithoutNvidiaSmi(), {.gpu = true, .cuda_sees_one = true});
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].level, Level::kDoubt);
  EXPECT_THAT(checks[0].says, HasSubstr("nvidia-smi is not installed"));
}

TEST(DoctorGpuTest, ADriverWithTheNewerNameOfTheClockReasonsIsAskedAgain) {
  int asked = 0;
  const Runner newer = [&asked](const std::vector<std::string>& command) -> Result<std::string> {
    if (!command.at(1).starts_with("--query-gpu=")) return std::string();
    ++asked;
    if (command[1].ends_with("clocks_throttle_reasons.active")) {
      return Error{ErrorKind::kMachine, "Field \"clocks_throttle_reasons.active\" is not a valid field to query.\n"};
    }
    return std::string(
        "index, name, uuid, clocks.current.sm [MHz], clocks_event_reasons.active\n0, NVIDIA B200, GPU-5, 1965, "
        "0x20\n");
  };
  const std::vector<Check> checks = GpuChecks(newer, {.gpu = true, .cuda_sees_one = true});
  EXPECT_EQ(asked, 2);
  EXPECT_THAT(Find(checks, "GPU 0 clocks").says, HasSubstr("because of heat or power"));
}

TEST(DoctorGpuTest, RowsThatAreTooShortOrMissingAreNoGpus) {
  EXPECT_FALSE(ParseGpus(""));
  EXPECT_FALSE(ParseGpus("index, name\n0\n"));
  EXPECT_TRUE(ParseGpus("No devices were found\n")->empty());
}

}  // namespace
}  // namespace warpgrade::doctor
