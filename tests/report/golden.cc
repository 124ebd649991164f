#include "tests/report/golden.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace warpgrade::report {
namespace {

bool rebase = false;

}  // namespace

void ExpectGolden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(WARPGRADE_GOLDEN_DIR) + "/" + name;
  if (rebase) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; run report_test --rebase";
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(actual, expected.str()) << "run report_test --rebase and review the difference";
}

}  // namespace warpgrade::report

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) warpgrade::report::rebase |= std::string(argv[i]) == "--rebase";
  return RUN_ALL_TESTS();
}
