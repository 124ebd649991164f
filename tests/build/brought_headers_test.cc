// The compiler is a script that notes each call and answers with the headers of a folder.
#include "grader/build/brought_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "grader/build/files.h"
#include "tests/build/temporary_folder.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class BroughtHeadersTest : public testing::Test {
 protected:
  BroughtHeadersTest() {
    options_.cache_dir = (folder_.path() / "cache").string();
    vector_ = folder_.Write("headers/vector", "a");
    options_.toolchain.version = "nvcc 13";
    options_.toolchain.host_compiler = "/usr/bin/true";
    std::string in_rule = vector_;  // blanks are escaped there
    for (size_t at = 0; (at = in_rule.find(' ', at)) != std::string::npos; at += 2) in_rule.insert(at, "\\");
    std::string script = "#!/bin/sh\necho called >>'";
    script += (folder_.path() / "calls").string();
    script += "'\ncat >allowed.d <<'end'\nallowed.o: allowed.cu ";
    script += in_rule;
    script += "\nend\n";
    options_.toolchain.nvcc = folder_.Write("nvcc", script, true);
  }

  // As a new process would ask.
  std::vector<std::string> Ask(const std::vector<std::string>& headers = {"vector"}) {
    const ExecutableCache cache(options_.cache_dir);
    auto brought = BroughtHeaders().Of(headers, options_, cache, nullptr);
    EXPECT_TRUE(brought) << brought.error().message;
    return brought ? *brought : std::vector<std::string>();
  }

  size_t Calls() const {
    const std::string calls = ReadWholeFile(folder_.path() / "calls").value_or("");
    return static_cast<size_t>(std::count(calls.begin(), calls.end(), '\n'));
  }

  TemporaryFolder folder_;
  std::string vector_;
  BuildOptions options_;
};

TEST_F(BroughtHeadersTest, TheNextProcessNeedNotAskTheCompiler) {
  EXPECT_THAT(Ask(), ElementsAre(vector_));
  EXPECT_THAT(Ask(), ElementsAre(vector_));
  EXPECT_EQ(Calls(), 1u);
}

TEST_F(BroughtHeadersTest, AHeaderThatHasChangedOrIsGoneMakesItAskAgain) {
  Ask();
  folder_.Write("headers/vector", "longer");
  Ask();
  EXPECT_EQ(Calls(), 2u);
  fs::last_write_time(vector_, fs::file_time_type::clock::now() - std::chrono::hours(1));
  Ask();
  EXPECT_EQ(Calls(), 3u);
  fs::remove(vector_);
  Ask();
  EXPECT_EQ(Calls(), 4u);
}

TEST_F(BroughtHeadersTest, OtherHeadersAndOtherCompilersAreOtherQuestions) {
  Ask();
  Ask({"vector", "map"});
  EXPECT_EQ(Calls(), 2u);
  options_.toolchain.version = "nvcc 14";
  Ask();
  EXPECT_EQ(Calls(), 3u);
}

TEST_F(BroughtHeadersTest, AnAnswerThatOthersMayWriteIsNotBelieved) {
  Ask();
  for (const auto& entry : fs::recursive_directory_iterator(options_.cache_dir)) {
    if (entry.is_regular_file()) fs::permissions(entry.path(), fs::perms::all);
  }
  Ask();
  EXPECT_EQ(Calls(), 2u);
}

TEST_F(BroughtHeadersTest, WithoutACacheOnlyTheSameProcessRemembers) {
  options_.cache_dir = "";
  const ExecutableCache cache("");
  BroughtHeaders brought;
  ASSERT_TRUE(brought.Of({"vector"}, options_, cache, nullptr));
  ASSERT_TRUE(brought.Of({"vector"}, options_, cache, nullptr));
  EXPECT_EQ(Calls(), 1u);
  Ask();
  EXPECT_EQ(Calls(), 2u);
}

}  // namespace
}  // namespace warpgrade::build
