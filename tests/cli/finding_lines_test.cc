#include "grader/cli/finding_lines.h"

#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

TEST(FindingLinesTest, LooksForTheCallAroundHeadersOfTheToolkit) {
  for (const char* file : {"/usr/local/cuda/include/cuda_runtime.h", "/home/me/cu13/include/cuda_runtime.h",
                           "/usr/include/c++/12/bits/stl_vector.h", "/opt/cuda/include/cccl/cub/util_device.cuh",
                           "/tmp/tmpxft_00_0-6_a.cudafe1.stub.c"}) {
    EXPECT_TRUE(IsOfToolkit(file)) << file;
  }
  for (const char* file : {"a.cu", "/home/me/include/mine.h", "/work/cuda/a.cu", "/usr/src/a.cu"}) {
    EXPECT_FALSE(IsOfToolkit(file)) << file;
  }
}

TEST(FindingLinesTest, AFindingWhoseLinesAreNotKnownStaysAsItIs) {
  SeenFinding race;
  race.kind = "stream-race";
  race.message = "a reads what b writes";
  race.host_places = {{16, 1}, {0, 14}};
  for (const char* program : {"", "/nowhere", "/proc/self/exe"}) {
    race.program = program;
    std::vector<SeenFinding> findings = {race};
    FindHostLines(&findings);
    EXPECT_EQ(findings[0].message, race.message);
    EXPECT_EQ(findings[0].place.file, "");
  }
}

}  // namespace
}  // namespace warpgrade::cli
