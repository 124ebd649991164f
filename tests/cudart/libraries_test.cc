// CUB and Thrust from the toolkit's headers, compiled by nvcc into programs (libraries/*.cu), each for sizes 0, 1, 1000
// and 10^6, checked by the program against the C++ library. In both modes: the libraries ask for much of the runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cudart/program_runner.h"

namespace warpgrade::cudart {
namespace {

class LibrariesTest : public testing::TestWithParam<Mode> {
 protected:
  void ExpectPasses(const std::string& name) {
    const ProgramResult result = RunProgram(name, GetParam());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "") << "no check may cry wolf at a library that is right";
    for (const emulator::Finding& finding : result.findings) {
      ADD_FAILURE() << finding.file << ":" << finding.line << ": " << finding.message;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, LibrariesTest, testing::Values(Mode::kInProcess, Mode::kServed),
                         [](const auto& info) { return info.param == Mode::kInProcess ? "InProcess" : "Served"; });

TEST_P(LibrariesTest, CubReducesByDeviceReduceSum) { ExpectPasses("cub_reduce"); }
TEST_P(LibrariesTest, CubScansByDeviceScanInclusiveSum) { ExpectPasses("cub_scan"); }
TEST_P(LibrariesTest, CubSortsByDeviceRadixSortSortKeys) { ExpectPasses("cub_radix_sort"); }
TEST_P(LibrariesTest, ThrustSortsNumbersByRadix) { ExpectPasses("thrust_sort"); }

// CUB's merge reads the element after the last that it loaded to shared memory, and does not use it.
TEST_P(LibrariesTest, ThrustSortsByMergingWithNothingWorseThanAnUnusedRead) {
  const ProgramResult result = RunProgram("thrust_merge_sort", GetParam(), {"WARPGRADE_CHECK=races"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  for (const emulator::Finding& finding : result.findings) {
    EXPECT_EQ(finding.kind, emulator::FindingKind::kUninitialisedRead) << finding.message;
    EXPECT_THAT(finding.file, testing::HasSubstr("merge_sort")) << finding.message;
  }
}

TEST_P(LibrariesTest, ThrustReducesByKey) { ExpectPasses("thrust_reduce_by_key"); }

}  // namespace
}  // namespace warpgrade::cudart
