// Builds several rungs with one run of the real nvcc, against the toy lab in kit/.
#include <gmock/gmock.h>

#include "tests/build/build_fixture.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;

// The toy's answer is `expression`; `before` stands before the functions.
BuildRequest Rung(const std::string& name, const std::string& expression, const std::string& before = "") {
  std::string text = kRight;
  const size_t at = text.find("42"), line = text.find('\n') + 1;
  text.replace(at, 2, expression);
  return {"toy", name, text.insert(line, before), 0};
}

class BuildTogetherTest : public BuildTest {
 protected:
  std::string AnswerOf(const BuildResult& result) {
    return Run({result.executable}, {"LD_LIBRARY_PATH=" + options_.toolchain.cudart_dir()});
  }
  void UseCache() { options_.cache_dir = (folder_.path() / "cache").string(); }
};

TEST_F(BuildTogetherTest, EachExecutableRunsItsOwnRung) {
  Builder builder(options_);
  const auto built = builder.BuildTogether({Rung("v1_toy", "41", "#define TILE 41\n"),
                                            Rung("v2_toy", "TILE", "const int TILE = 43;\n"),
                                            Rung("v3_toy", "helper()", "static int helper() { return 44; }\n"),
                                            Rung("v4_toy", "helper()", "static int helper() { return 45; }\n")});
  ASSERT_THAT(built, ElementsAre(Key("v1_toy"), Key("v2_toy"), Key("v3_toy"), Key("v4_toy")));
  EXPECT_EQ(AnswerOf(built.at("v1_toy")), "answer 41, runtime 13\n");
  EXPECT_EQ(AnswerOf(built.at("v2_toy")), "answer 43, runtime 13\n");
  EXPECT_EQ(AnswerOf(built.at("v3_toy")), "answer 44, runtime 13\n");
  EXPECT_EQ(AnswerOf(built.at("v4_toy")), "answer 45, runtime 13\n");
}

TEST_F(BuildTogetherTest, ARungWithAnErrorIsLeftOutAndTheOthersAreBuilt) {
  Builder builder(options_);
  const auto built =
      builder.BuildTogether({Rung("v1_toy", "41"), Rung("v2_toy", "no_such_name"), Rung("v3_toy", "43")});
  ASSERT_THAT(built, ElementsAre(Key("v1_toy"), Key("v3_toy")));
  EXPECT_EQ(AnswerOf(built.at("v3_toy")), "answer 43, runtime 13\n");
}

TEST_F(BuildTogetherTest, ARungWithoutTheLabsFunctionIsLeftOut) {
  Builder builder(options_);
  BuildRequest empty = Rung("v2_toy", "42");
  empty.source = "#include \"labs/toy/toy.h\"\nint other() { return 1; }\n";
  EXPECT_THAT(builder.BuildTogether({Rung("v1_toy", "41"), empty, Rung("v3_toy", "43")}),
              ElementsAre(Key("v1_toy"), Key("v3_toy")));
}

TEST_F(BuildTogetherTest, ARungThatNeedsTheSpecialFunctionsIsLeftOutAndTheOthersAreBuilt) {
  Builder builder(options_);
  EXPECT_THAT(builder.BuildTogether({Rung("v1_toy", "41"), Rung("v2_toy", "std::max(41, 42)"), Rung("v3_toy", "43")}),
              ElementsAre(Key("v1_toy"), Key("v3_toy")));
}

TEST_F(BuildTogetherTest, ARungThatForgotAHeaderDoesNotGetItFromAnotherRung) {
  Builder builder(options_);
  const std::string sort = "int a[2]; void s() { std::stable_sort(a, a + 2); }\n";
  const BuildRequest with = Rung("v1_toy", "41", "#include <algorithm>\n" + sort), without = Rung("v2_toy", "42", sort);
  EXPECT_THAT(builder.BuildTogether({with, without}), IsEmpty());
}

TEST_F(BuildTogetherTest, AHeaderThatEveryRungGetsAnywayKeepsNoRungOut) {
  Builder builder(options_);
  const std::string line = "#include <cuda_runtime.h>\n";
  EXPECT_THAT(builder.BuildTogether({Rung("v1_toy", "41", line), Rung("v2_toy", "42")}),
              ElementsAre(Key("v1_toy"), Key("v2_toy")));
}

TEST_F(BuildTogetherTest, AFunctionOutsideOfItsNamespaceIsNoAnswerOfAnotherRung) {
  Builder builder(options_);
  BuildRequest hostile = Rung("v1_toy", "41");
  hostile.source =
      "#include \"labs/toy/toy.h\"\n}\n" + hostile.source.substr(hostile.source.find('\n') + 1) + "namespace x {\n";
  BuildRequest empty = Rung("v2_toy", "42");
  empty.source = "#include \"labs/toy/toy.h\"\n";
  EXPECT_THAT(builder.BuildTogether({hostile, empty}), IsEmpty());
}

// Nothing is built of such a unit: the student is told what is wrong with each rung alone.
TEST_F(BuildTogetherTest, ARungThatLeavesItsNamespaceOrReachesOthersEndsTheAttempt) {
  Builder builder(options_);
  for (const char* before : {
           "}\nint shared() { return 43; }\nnamespace elsewhere {\n",              // closes its namespace
           "namespace inner {\n",                                                  // does not close another one
           "struct Early { Early(); int x; } early;\nEarly::Early() : x(1) {}\n",  // runs before main in every program
           "int began; __attribute__((constructor)) void early() { began = 1; }\n",
           "#define NULL 0\n",  // is a header's
           "asm(\".gl\" \"obl helper\\nhelper:\\n\");\n",
       }) {
    EXPECT_THAT(builder.BuildTogether({Rung("v1_toy", "41", before), Rung("v2_toy", "42"), Rung("v3_toy", "43")}),
                testing::AnyOf(IsEmpty(), ElementsAre(Key("v2_toy"), Key("v3_toy"))))
        << before;
  }
}

TEST_F(BuildTogetherTest, NothingIsBuiltTogetherWithARungThatBreaksARule) {
  Builder builder(options_);
  const BuildRequest right = Rung("v1_toy", "41");
  for (const BuildRequest& wrong :
       {Rung("v2_toy", "system(\"true\")"),  // calls what it may not
        Rung("v2_toy", "f()", "int send() asm(\"send\");\nint send() { return 1; }\nint f() { return send(); }\n"),
        Rung("v2_toy", "1", "}\nnamespace x {\n__constant__ char c[70000];\n")}) {  // no GPU has as much
    EXPECT_THAT(builder.BuildTogether({right, wrong}), IsEmpty()) << wrong.source;
  }
}

TEST_F(BuildTogetherTest, ConstantMemoryThatFitsForEachButNotForAllIsNotPutTogether) {
  Builder builder(options_);
  const std::string constants =
      "__constant__ float weights[10000];\n__global__ void k(float* o) { *o = weights[3]; }\n";
  EXPECT_THAT(builder.BuildTogether({Rung("v1_toy", "41", constants), Rung("v2_toy", "42", constants)}), IsEmpty());
  EXPECT_THAT(builder.BuildTogether({Rung("v1_toy", "41", constants), Rung("v2_toy", "42")}),
              ElementsAre(Key("v1_toy"), Key("v2_toy")));
}

TEST_F(BuildTogetherTest, WhatWasBuiltIsFoundInTheCacheForTheSameTextsOnly) {
  UseCache();
  Builder builder(options_);
  const BuildRequest v1 = Rung("v1_toy", "41"), v2 = Rung("v2_toy", "42");
  EXPECT_FALSE(builder.BuildTogether({v1, v2}).at("v2_toy").from_cache);
  EXPECT_TRUE(builder.BuildTogether({v1, v2}).at("v2_toy").from_cache);

  const auto alone = builder.Build(v2);
  ASSERT_TRUE(alone);
  EXPECT_FALSE(alone->from_cache) << "a part of another submission's build";
  const BuildRequest hostile = Rung("v1_toy", "41", "static int sabotage = [] { return 7; }();\n");
  EXPECT_FALSE(builder.BuildTogether({hostile, v2}).at("v2_toy").from_cache);
}

TEST_F(BuildTogetherTest, RungsThatWereAllBuiltAloneAreTakenFromThere) {
  UseCache();
  Builder builder(options_);
  const BuildRequest v1 = Rung("v1_toy", "41"), v2 = Rung("v2_toy", "42");
  ASSERT_TRUE(builder.Build(v1) && builder.Build(v2));
  EXPECT_THAT(builder.BuildTogether({v1, v2}), IsEmpty());
}

TEST_F(BuildTogetherTest, WhatFailedTogetherIsNotTriedAgain) {
  UseCache();
  const std::string calls = (folder_.path() / "calls").string();
  options_.toolchain.nvcc = folder_.Write(
      "nvcc", "#!/bin/sh\necho call >> '" + calls + "'\nexec " + options_.toolchain.nvcc + " \"$@\"\n", true);
  const BuildRequest v1 = Rung("v1_toy", "41"), v2 = Rung("v2_toy", "no_such_name");
  EXPECT_THAT(Builder(options_).BuildTogether({v1, v2}), IsEmpty());
  const auto before = fs::file_size(calls);
  EXPECT_GT(before, 0u);
  EXPECT_THAT(Builder(options_).BuildTogether({v1, v2}), IsEmpty());
  EXPECT_EQ(fs::file_size(calls), before);
}

}  // namespace
}  // namespace warpgrade::build
