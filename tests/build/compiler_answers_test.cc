// An answer is asked for again as soon as it may be another one, and is only kept where nobody else can write.
#include "grader/build/compiler_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/build/temporary_folder.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;
using testing::Optional;

// Programs stand in for compilers: `cat` answers with what is in a file, which no answer is said to depend on. So an
// old answer shows that the program was not asked.
class CompilerAnswersTest : public testing::Test {
 protected:
  CompilerAnswersTest() {
    Install("/bin/cat");
    Say("first");
    header_ = folder_.Write("header", "");
    WaitUntilFilesAreOld();
  }

  void Install(const fs::path& program) const {
    fs::remove(compiler_);
    fs::copy_file(program, compiler_);
  }
  void Say(const std::string& words) const { folder_.Write("words", words); }

  // Answers of a file that has just changed are not kept.
  static void WaitUntilFilesAreOld() { std::this_thread::sleep_for(std::chrono::milliseconds(150)); }

  std::optional<std::string> AskIn(const std::string& cache) const {
    return CompilerAnswers(cache).Ask({compiler_, said_}, [this](const std::string&) {
      return std::vector{header_, missing_};
    });
  }
  std::optional<std::string> Ask() const { return AskIn(cache_); }

  std::vector<fs::path> Kept() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(cache_)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }

  const TemporaryFolder folder_;
  const std::string cache_ = (folder_.path() / "cache").string();
  const std::string compiler_ = (folder_.path() / "compiler").string();
  const std::string said_ = (folder_.path() / "words").string();
  const std::string missing_ = (folder_.path() / "missing").string();
  std::string header_;
};

TEST_F(CompilerAnswersTest, TheSameQuestionIsAskedOnce) {
  EXPECT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  EXPECT_THAT(Ask(), Optional(std::string("first")));
  EXPECT_THAT(CompilerAnswers(cache_).Ask({compiler_, said_}), Optional(std::string("second")))
      << "it is not to be kept";
  EXPECT_THAT(AskIn(""), Optional(std::string("second"))) << "there is no cache";
}

TEST_F(CompilerAnswersTest, AReplacedCompilerIsAskedAgainEvenIfItLooksTheSame) {
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  const fs::file_time_type time = fs::last_write_time(compiler_);
  Install("/bin/cat");
  fs::last_write_time(compiler_, time);
  EXPECT_THAT(Ask(), Optional(std::string("second")));
}

TEST_F(CompilerAnswersTest, ACompilerThatWasChangedInItsPlaceIsAskedAgain) {
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  const fs::file_time_type time = fs::last_write_time(compiler_);
  std::ofstream(compiler_, std::ios::app) << "more";
  fs::resize_file(compiler_, fs::file_size(compiler_) - 4);
  fs::last_write_time(compiler_, time);
  EXPECT_THAT(Ask(), Optional(std::string("second")));
}

TEST_F(CompilerAnswersTest, AChangedFileThatTheAnswerDependsOnIsNoticed) {
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  std::ofstream(header_) << "x";
  EXPECT_THAT(Ask(), Optional(std::string("second")));
}

TEST_F(CompilerAnswersTest, AFolderThatWasMissingAndIsThereNowIsNoticed) {
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  fs::create_directory(missing_);
  EXPECT_THAT(Ask(), Optional(std::string("second")));
}

TEST_F(CompilerAnswersTest, AnotherPathOfProgramsIsAnotherQuestion) {
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  const std::string path = getenv("PATH");
  setenv("PATH", (path + ":/nowhere").c_str(), 1);
  EXPECT_THAT(Ask(), Optional(std::string("second")));
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(Ask(), Optional(std::string("first")));
}

TEST_F(CompilerAnswersTest, ADamagedFileIsNotBelieved) {
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  ASSERT_EQ(Kept().size(), 1u);
  const fs::path file = Kept()[0];
  fs::permissions(file, fs::perms::owner_all);
  const auto size = static_cast<size_t>(fs::file_size(file));
  for (const size_t bytes : {size_t{0}, size_t{10}, size_t{64}, size_t{65}, size - 1}) {
    Say("another");
    fs::resize_file(file, bytes);
    EXPECT_THAT(Ask(), Optional(std::string("another"))) << bytes << " bytes are left";
    Say("first");
    fs::remove(file);
    ASSERT_THAT(Ask(), Optional(std::string("first")));
  }
  std::fstream(file).seekp(static_cast<std::streamoff>(size - 1)) << "X";
  Say("second");
  EXPECT_THAT(Ask(), Optional(std::string("second"))) << "another byte";
  Say("third");
  EXPECT_THAT(Ask(), Optional(std::string("second"))) << "and is kept again";
}

TEST_F(CompilerAnswersTest, AFileOrFolderThatOthersMayWriteIsNotBelieved) {
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  fs::permissions(Kept().at(0), fs::perms::others_write, fs::perm_options::add);
  EXPECT_THAT(Ask(), Optional(std::string("second")));
  Say("third");
  fs::permissions(cache_, fs::perms::others_write, fs::perm_options::add);
  EXPECT_THAT(Ask(), Optional(std::string("third")));
}

TEST_F(CompilerAnswersTest, AFolderThatCannotBeWrittenCostsOnlyTheTime) {
  const std::string place = folder_.Write("file", "") + "/cache";
  EXPECT_THAT(AskIn(place), Optional(std::string("first")));
  Say("second");
  EXPECT_THAT(AskIn(place), Optional(std::string("second")));
  fs::create_directory(cache_);
  fs::permissions(cache_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(Ask(), Optional(std::string("second")));
  fs::permissions(cache_, fs::perms::owner_all);
}

TEST_F(CompilerAnswersTest, WhatAnotherUserKeepsIsNotBelieved) {
  if (geteuid() != 0) GTEST_SKIP() << "skipped: only root can give files away";
  ASSERT_THAT(Ask(), Optional(std::string("first")));
  Say("second");
  ASSERT_EQ(chown(Kept().at(0).c_str(), 1, 1), 0);
  EXPECT_THAT(Ask(), Optional(std::string("second")));
  Say("third");
  ASSERT_EQ(chown(cache_.c_str(), 1, 1), 0);
  EXPECT_THAT(Ask(), Optional(std::string("third")));
}

TEST_F(CompilerAnswersTest, WhatAScriptOrAFileOfTodayOrAFailureSaysIsNotKept) {
  Install("/bin/cat");
  EXPECT_THAT(Ask(), Optional(std::string("first"))) << "the file may have changed while it ran";
  Say("second");
  EXPECT_THAT(Ask(), Optional(std::string("second")));

  folder_.Write("compiler", "#!/bin/cat\n", true);
  WaitUntilFilesAreOld();
  EXPECT_THAT(Ask(), Optional(std::string("#!/bin/cat\nsecond")));
  Say("third");
  EXPECT_THAT(Ask(), Optional(std::string("#!/bin/cat\nthird")));

  Install("/bin/false");
  WaitUntilFilesAreOld();
  EXPECT_EQ(Ask(), std::nullopt);
  EXPECT_FALSE(fs::exists(cache_) && !Kept().empty());
}

TEST_F(CompilerAnswersTest, AGiganticAnswerIsGivenButNotKept) {
  Say(std::string(40'000, 'x'));
  EXPECT_THAT(Ask(), Optional(std::string(40'000, 'x')));
  EXPECT_TRUE(Kept().empty());
}

}  // namespace
}  // namespace warpgrade::build
