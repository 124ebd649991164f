// Figures of GPUs that stand in texts, where nothing can read the tables: each is compared with device_model.h. A
// figure in a handout is found by the words beside it; a handout may say it in other words, which this test does not
// see.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "grader/device_model/device_model.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/emulator/device.h"
#include "grader/emulator/program/program.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = WARPGRADE_SOURCE_DIR;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Fact {
  std::string pattern;  // its first group is the number
  double value;
  double within;  // of the value: texts round
};

// How many figures of this kind the text has, each compared.
int CountChecked(const std::string& text, const Fact& fact, const std::string& where) {
  const std::regex pattern(fact.pattern);
  int found = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it, ++found) {
    EXPECT_NEAR(std::strtod((*it)[1].str().c_str(), nullptr), fact.value, fact.within * fact.value)
        << where << " says '" << it->str() << "'";
  }
  return found;
}

const ComputeCapability& H200() { return DefaultDeviceModel().capability; }

TEST(TextFactsTest, TheCoursesTargetHasTheH200sPeaks) {
  const DeviceModel& h200 = DefaultDeviceModel();
  const std::string course = ReadText(kSource / "course.yaml");
  const std::string target = R"(h200: \{match: NVIDIA H200,[^}]*)";
  EXPECT_EQ(CountChecked(course, {target + R"(peak_bandwidth: (\d+))", h200.bandwidth_gbs, 0}, "course.yaml"), 1);
  EXPECT_EQ(CountChecked(course, {target + R"(peak_arithmetic: (\d+))", h200.Fp32Gflops(), 1e-4}, "course.yaml"), 1);
}

TEST(TextFactsTest, HandoutsSayTheTablesFiguresOfAnH200) {
  const DeviceModel& h200 = DefaultDeviceModel();
  const Fact facts[] = {
      {R"((\d+) multiprocessors)", double(h200.multiprocessors), 0},
      {R"(([\d.]+) GHz)", h200.clock_khz / 1e6, 0},
      {R"(([\d.]+) TFLOP/s in FP32)", h200.Fp32Gflops() / 1e3, 0.005},
      {R"(multiprocessors x (\d+) FFMA)", double(H200().fp32_lanes), 0},
      {R"(holds at most (\d+) threads)", double(H200().threads_per_multiprocessor), 0},
      {R"(threads, (\d+) blocks, \d+ registers)", double(H200().blocks_per_multiprocessor), 0},
      {R"((\d+) registers, and \d+ KB)", double(gpu_limits::kRegistersPerMultiprocessor), 0},
      {R"((\d+) KB of shared memory, of which each)", H200().shared_per_multiprocessor / 1024.0, 0},
  };
  int checked = 0;
  for (const auto& lab : fs::directory_iterator(kSource / "labs")) {
    const fs::path handout = lab.path() / "README.md";
    if (!fs::exists(handout)) continue;
    const std::string text = std::regex_replace(ReadText(handout), std::regex(R"(\s+)"), " ");  // lines are wrapped
    for (const Fact& fact : facts) checked += CountChecked(text, fact, handout.lexically_relative(kSource));
  }
  EXPECT_GE(checked, 6) << "the handouts say their figures in other words; change the patterns above";
}

std::vector<double> NumbersIn(const std::string& list) {
  std::vector<double> values;
  const std::regex number(R"([\d.]+)");
  for (std::sregex_iterator it(list.begin(), list.end(), number), end; it != end; ++it) {
    values.push_back(std::strtod(it->str().c_str(), nullptr));
  }
  return values;
}

// Whether a GPU of the table has this figure. Data sheets round.
bool IsKnown(const std::string& what, double value) {
  for (const DeviceModel& model : DeviceModels()) {
    const double figure = what == "peak" ? model.Fp32Gflops() : model.bandwidth_gbs;
    if (std::abs(value - figure) <= 0.02 * figure) return true;
  }
  return false;
}

// A roofline question draws its GPU by bandwidth and peak, on one line. (Elsewhere a bandwidth is what a kernel
// reached.)
TEST(TextFactsTest, RooflineQuestionsDrawGpusOfTheTable) {
  int checked = 0;
  const std::regex drawn(R"((bandwidth|peak): (\[[^\]]*\]|[\d.]+))");
  for (const auto& lab : fs::directory_iterator(kSource / "labs")) {
    const fs::path quiz = lab.path() / "quiz.yaml";
    if (!fs::exists(quiz)) continue;
    std::ifstream file(quiz);
    for (std::string line; std::getline(file, line);) {
      if (line.find("peak: ") == std::string::npos) continue;
      for (std::sregex_iterator it(line.begin(), line.end(), drawn), end; it != end; ++it) {
        for (const double value : NumbersIn((*it)[2])) {
          EXPECT_TRUE(IsKnown((*it)[1], value)) << quiz.lexically_relative(kSource) << ": " << (*it)[1] << " " << value;
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 0);
}

// These stand where the table is not included, because nearly every file of the emulator includes them.
TEST(TextFactsTest, TheEmulatorsDefaultsAreThoseOfTheDefaultGpu) {
  EXPECT_EQ(emulator::DeviceOptions().multiprocessors, DefaultDeviceModel().multiprocessors);
  EXPECT_EQ(emulator::KernelInfo().max_threads_per_block, uint32_t{gpu_limits::kThreadsPerBlock});
  EXPECT_EQ(emulator::kLanes, gpu_limits::kWarpSize);
}

}  // namespace
}  // namespace warpgrade
