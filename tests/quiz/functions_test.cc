// The table of functions, and what it refuses.
#include "grader/quiz/functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <string>

#include "tests/quiz/ask.h"

namespace warpgrade::quiz {
namespace {

using testing::HasSubstr;

TEST(QuizFunctionsTest, EveryRowHasItsOwnNameAndADescription) {
  std::set<std::string> names;
  for (const Function& function : AllFunctions()) {
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
    EXPECT_GT(std::string(function.description).size(), 10u);
    EXPECT_FALSE(function.parameters.empty());
    EXPECT_EQ(FindFunction(function.name), &function);
  }
  EXPECT_EQ(FindFunction("no_such_function"), nullptr);
}

TEST(QuizFunctionsTest, EveryFunctionIsTested) {
  std::string tests;
  for (const auto& entry : std::filesystem::directory_iterator(QUIZ_TESTS_DIR)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("functions_") || name == "functions_test.cc") continue;
    std::ifstream file(entry.path());
    tests.append(std::istreambuf_iterator<char>(file), {});
  }
  for (const Function& function : AllFunctions()) {
    EXPECT_THAT(tests, HasSubstr('"' + std::string(function.name) + '"'))
        << "no file tests/quiz/functions_*_test.cc asks for " << function.name;
  }
}

TEST(QuizFunctionsTest, RefusesWhatIsMissingUnknownOrOutOfRange) {
  EXPECT_THAT(Refusal("occupancy", {{"registers", 32.0}}), HasSubstr("needs 'threads'"));
  EXPECT_THAT(Refusal("occupancy", {{"register", 32.0}, {"threads", 32.0}}), HasSubstr("takes no 'register'"));
  const auto with_threads = [](Value threads) {
    return Refusal("occupancy", {{"registers", 32.0}, {"threads", std::move(threads)}});
  };
  EXPECT_EQ(with_threads(256.0), "");
  EXPECT_THAT(with_threads(2000.0), HasSubstr("from 1 to 1024"));
  EXPECT_NE(with_threads(1.5), "");
  EXPECT_NE(with_threads(-1.0), "");
  EXPECT_NE(with_threads(std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_NE(with_threads("many"), "");
  EXPECT_NE(with_threads(std::vector<double>{256}), "");
  EXPECT_THAT(Refusal("shared_wavefronts", {{"stride", 1.0}, {"bytes", 5.0}}), HasSubstr("one of 4, 8 and 16"));
  EXPECT_THAT(Refusal("occupancy", {{"registers", 32.0}, {"threads", 32.0}, {"device", "gtx280"}}), HasSubstr("h200"));
}

}  // namespace
}  // namespace warpgrade::quiz
