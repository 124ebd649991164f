// Which entries of a watched folder are complete. No test depends on how long anything takes: the time that an entry
// must be unchanged is either an hour or nothing.
#include "grader/cli/inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr milliseconds kHour{3'600'000}, kAtOnce{0};

class InboxTest : public testing::Test {
 protected:
  InboxTest() { fs::create_directories(Folder()); }

  std::string Folder() const { return folder_.Path("inbox"); }
  Inbox Opened(milliseconds settle) const {
    Result<Inbox> inbox = Inbox::Open(Folder(), settle);
    EXPECT_TRUE(inbox) << inbox.error().message;
    return std::move(*inbox);
  }
  static std::vector<std::string> CompleteOf(Inbox* inbox) {
    const Result<std::vector<std::string>> names = inbox->Complete();
    EXPECT_TRUE(names);
    return names ? *names : std::vector<std::string>();
  }

  const TemporaryFolder folder_;
};

TEST_F(InboxTest, AFolderThatIsNotThereIsNamed) {
  const Result<Inbox> inbox = Inbox::Open(folder_.Path("nowhere"), kAtOnce);
  ASSERT_FALSE(inbox.ok());
  EXPECT_EQ(inbox.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(inbox.error().message, testing::HasSubstr("nowhere: there is no such folder"));
}

TEST_F(InboxTest, AFileIsCompleteWhenItIsClosed) {
  Inbox inbox = Opened(kHour);
  std::ofstream file(Folder() + "/s1.zip");
  file << "half" << std::flush;
  EXPECT_THAT(CompleteOf(&inbox), IsEmpty());
  EXPECT_THAT(inbox.Incomplete(), ElementsAre("s1.zip"));
  file << "whole";
  file.close();
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip"));
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip")) << "until it is taken";
}

TEST_F(InboxTest, WhatIsWrittenAgainIsNotCompleteUntilItIsClosedAgain) {
  Inbox inbox = Opened(kHour);
  folder_.Write("inbox/s1.zip", "first");
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip"));
  std::ofstream file(Folder() + "/s1.zip", std::ios::app);
  file << "more" << std::flush;
  EXPECT_THAT(CompleteOf(&inbox), IsEmpty());
  file.close();
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip"));
}

TEST_F(InboxTest, WhatIsRenamedIntoPlaceIsCompleteAtOnce) {
  Inbox inbox = Opened(kHour);
  folder_.Write("outside/lab1/v1.cu", "x");
  fs::rename(folder_.Path("outside"), Folder() + "/s1");
  folder_.Write("inbox/.upload", "x");
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1")) << "hidden names are uploads that go on";
  fs::rename(Folder() + "/.upload", Folder() + "/s2.zip");
  EXPECT_THAT(CompleteOf(&inbox), UnorderedElementsAre("s1", "s2.zip"));
}

TEST_F(InboxTest, AFolderThatIsFilledWaitsUntilNothingInItChanges) {
  Inbox patient = Opened(kHour);
  folder_.Write("inbox/s1/lab1/v1.cu", "x");
  EXPECT_THAT(CompleteOf(&patient), IsEmpty());
  Inbox hasty = Opened(kAtOnce);
  EXPECT_THAT(CompleteOf(&hasty), ElementsAre("s1"));
}

TEST_F(InboxTest, WhatWasThereBeforeIsFoundWithoutAMessage) {
  folder_.Write("inbox/s1.zip", "x");
  Inbox inbox = Opened(kAtOnce);
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip"));
}

TEST_F(InboxTest, WhatIsTakenComesAgainOnlyWhenItChanges) {
  Inbox inbox = Opened(kAtOnce);
  folder_.Write("inbox/s1/lab1/v1.cu", "x");
  ASSERT_THAT(CompleteOf(&inbox), ElementsAre("s1"));
  inbox.Take("s1");
  EXPECT_THAT(CompleteOf(&inbox), IsEmpty());
  EXPECT_THAT(inbox.Incomplete(), IsEmpty());
  folder_.Write("inbox/s1/lab1/v2.cu", "deep inside");
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1"));
}

TEST_F(InboxTest, AChangeAfterItWasFoundCountsEvenIfItIsTakenLater) {
  Inbox inbox = Opened(kAtOnce);
  folder_.Write("inbox/s1.zip", "x");
  ASSERT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip"));
  folder_.Write("inbox/s1.zip", "changed while it is graded");
  inbox.Take("s1.zip");
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip"));
}

TEST_F(InboxTest, WhatFailedComesAgainLaterAndEverythingWhenTheRulesChange) {
  Inbox inbox = Opened(kAtOnce);
  folder_.Write("inbox/s1.zip", "x");
  folder_.Write("inbox/s2.zip", "x");
  ASSERT_EQ(CompleteOf(&inbox).size(), 2u);
  inbox.TakeAgainIn("s1.zip", kHour);
  inbox.TakeAgainIn("s2.zip", kAtOnce);
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s2.zip"));
  inbox.ForgetTaken();
  EXPECT_EQ(CompleteOf(&inbox).size(), 2u);
}

TEST_F(InboxTest, WhatIsGoneIsForgotten) {
  Inbox inbox = Opened(kAtOnce);
  const std::string path = folder_.Write("inbox/s1.zip", "x");
  ASSERT_EQ(CompleteOf(&inbox).size(), 1u);
  inbox.Take("s1.zip");
  fs::remove(path);
  EXPECT_THAT(CompleteOf(&inbox), IsEmpty());
  folder_.Write("inbox/s1.zip", "x");
  EXPECT_THAT(CompleteOf(&inbox), ElementsAre("s1.zip"));
}

TEST_F(InboxTest, LinksPipesAndDeepFoldersDoNotHoldItUp) {
  Inbox inbox = Opened(kAtOnce);
  fs::create_symlink("/", Folder() + "/root");
  ASSERT_EQ(mkfifo((Folder() + "/pipe.zip").c_str(), 0600), 0);
  std::string deep = Folder() + "/deep";
  for (int i = 0; i < 200; ++i) deep += "/a";
  fs::create_directories(deep);
  fs::create_directory_symlink("..", Folder() + "/deep/loop");
  EXPECT_THAT(CompleteOf(&inbox), UnorderedElementsAre("deep", "pipe.zip", "root"));
}

}  // namespace
}  // namespace warpgrade::cli
