#include "grader/judge/student_lines.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

TEST(StudentLinesTest, AnAddressThatIsNotKnownHasNoLine) {
  StudentLines lines({.executable = "/proc/self/exe", .source = "v1.cu"});
  for (const uint64_t address : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) EXPECT_EQ(lines.Of(address).file, "");
}

TEST(StudentLinesTest, AnExecutableThatCannotBeReadIsAskedOnce) {
  StudentLines lines({.executable = "/nowhere", .source = "v1.cu"});
  for (uint64_t address = 1; address < 100'000; ++address) EXPECT_EQ(lines.Of(address).file, "");
}

TEST(StudentLinesTest, HoweverManyAddressesAWorkerInventsFewAreLookedUp) {
  StudentLines lines({.executable = "/proc/self/exe", .source = "v1.cu"});
  for (uint64_t address = 1; address < 100'000; ++address) EXPECT_EQ(lines.Of(address).file, "");
}

}  // namespace
}  // namespace warpgrade::judge
