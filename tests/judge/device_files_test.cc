#include "grader/judge/device_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace warpgrade::judge {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class DeviceFilesTest : public testing::Test {
 protected:
  ~DeviceFilesTest() override { fs::remove_all(folder_); }

  void AddFiles(const std::vector<std::string>& names) {
    fs::create_directories(dev());
    for (const std::string& name : names) std::ofstream(dev() / name);
  }
  void AddGpu(const std::string& address, const std::string& lines) {
    fs::create_directories(gpus() / address);
    std::ofstream(gpus() / address / "information") << lines;
  }
  // What is found for the GPU with this address, without the folder.
  std::vector<std::string> NamesFor(const std::string& bus_id) {
    found_ = DeviceFilesFor(bus_id, dev(), gpus());
    std::vector<std::string> names;
    for (const std::string& path : found_.paths) names.push_back(fs::path(path).filename().string());
    return names;
  }
  fs::path dev() const { return folder_ / "dev"; }
  fs::path gpus() const { return folder_ / "gpus"; }
  const fs::path folder_ = testing::TempDir() + "/device files " + std::to_string(getpid());
  DeviceFiles found_;
};

constexpr const char* kThird =
    "Model: \t\t NVIDIA H200\nIRQ:   \t\t 41\nBus Location: \t 0000:1b:00.0\nDevice Minor: \t 10\nGPU Excluded:\t No\n";

TEST_F(DeviceFilesTest, LeavesOutTheFilesOfOtherGpusWhoseNumbersBeginAlike) {
  AddFiles({"nvidia0", "nvidia1", "nvidia10", "nvidia100", "nvidiactl", "nvidia-uvm", "nvidia-caps", "null", "sda1"});
  AddGpu("0000:0a:00.0", "Device Minor: \t 1\n");
  AddGpu("0000:1b:00.0", kThird);
  EXPECT_THAT(NamesFor("0000:1B:00.0"), ElementsAre("nvidia-caps", "nvidia-uvm", "nvidia10", "nvidiactl"));
  EXPECT_TRUE(found_.of_several_gpus);
  EXPECT_THAT(NamesFor("0000:0A:00.0"), ElementsAre("nvidia-caps", "nvidia-uvm", "nvidia1", "nvidiactl"));
}

TEST_F(DeviceFilesTest, OfTheOnlyGpuNothingIsLeftOut) {
  AddFiles({"nvidia10", "nvidiactl"});
  AddGpu("0000:1b:00.0", kThird);
  EXPECT_THAT(NamesFor("0000:1b:00.0"), ElementsAre("nvidia10", "nvidiactl"));
  EXPECT_FALSE(found_.of_several_gpus);
}

TEST_F(DeviceFilesTest, TheOnlyFileIsOfTheOnlyGpuWhoeverItBelongsTo) {
  AddFiles({"nvidia7", "nvidiactl"});
  EXPECT_THAT(NamesFor("0000:1b:00.0"), ElementsAre("nvidia7", "nvidiactl"));
  EXPECT_FALSE(found_.of_several_gpus);
}

TEST_F(DeviceFilesTest, ListsAllWhereItCannotTellWhichFileIsWhose) {
  AddFiles({"nvidia0", "nvidia1", "nvidiactl"});
  AddGpu("0000:01:00.0", "Model: \t\t NVIDIA H200\n");
  AddGpu("0000:02:00.0", "Device Minor: \t N/A\n");
  AddGpu("0000:03:00.0", "Device Minor: \t\n");
  AddGpu("0000:04:00.0", "Device Minor: \t 7\n");  // its file is not there
  for (const char* address : {"0000:01:00.0", "0000:02:00.0", "0000:03:00.0", "0000:04:00.0", "0000:05:00.0", ""}) {
    EXPECT_THAT(NamesFor(address), ElementsAre("nvidia0", "nvidia1", "nvidiactl")) << address;
    EXPECT_TRUE(found_.of_several_gpus) << address;
  }
}

TEST_F(DeviceFilesTest, FindsNothingWithoutADriver) {
  EXPECT_THAT(NamesFor("0000:1b:00.0"), IsEmpty());
  EXPECT_FALSE(found_.of_several_gpus);
}

TEST(FormatUuidTest, IsThatOfAGpuOrOfAPartOfOne) {
  const std::array<char, 16> bytes = {'\x89', 'm',    '\x5f', '\x1a', '\x38', '\x4d', '\xa4', '\xce',
                                      '\x49', '\xdd', '\x1c', '\xeb', '\x44', '\x98', '\x3e', '\x08'};
  EXPECT_EQ(FormatUuid(bytes, "NVIDIA H200"), "GPU-896d5f1a-384d-a4ce-49dd-1ceb44983e08");
  EXPECT_EQ(FormatUuid(bytes, "NVIDIA H200 MIG 1g.18gb"), "MIG-896d5f1a-384d-a4ce-49dd-1ceb44983e08");
}

TEST(VisibleDeviceTest, IsTheUuidOnlyWhereANumberCouldMeanAGpuThatIsNotThere) {
  EXPECT_EQ(VisibleDevice("3", "GPU-12", true), "GPU-12");
  EXPECT_EQ(VisibleDevice("3,1", "GPU-12", true), "GPU-12");
  EXPECT_EQ(VisibleDevice(nullptr, "GPU-12", true), "GPU-12");
  EXPECT_EQ(VisibleDevice("MIG-34", "MIG-12", true), "MIG-34");
  EXPECT_EQ(VisibleDevice("0", "MIG-12", true), "MIG-12");
  EXPECT_EQ(VisibleDevice("0", "GPU-12", false), "0");
  EXPECT_EQ(VisibleDevice(nullptr, "GPU-12", false), "");
}

}  // namespace
}  // namespace warpgrade::judge
