#include "grader/cli/file_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

const std::atomic<bool> kNever{false};

bool IsCuda(const std::string& name) { return name.ends_with(".cu"); }

class FileWatchTest : public testing::Test {
 protected:
  FileWatchTest() {
    folder_.Write("lab1/v1.cu", "one");
    folder_.Write("lab1/v2.cu", "two");
  }
  // Does `work` while AwaitSave waits.
  std::vector<std::string> SavedWhile(const std::function<void()>& work) {
    FileWatch watch(folder_.Path("lab1"), IsCuda);
    watch.Take();
    const std::jthread editor(work);
    return watch.AwaitSave(kNever);
  }

  TemporaryFolder folder_;
};

TEST_F(FileWatchTest, AFileThatIsWrittenWasSaved) {
  EXPECT_THAT(SavedWhile([this] { folder_.Write("lab1/v1.cu", "more"); }), ElementsAre("v1.cu"));
}

TEST_F(FileWatchTest, AFileThatIsReplacedByRenamingWasSavedAndTheEditorsOwnFilesWereNot) {
  EXPECT_THAT(SavedWhile([this] {
                folder_.Write("lab1/4913", "");
                folder_.Write("lab1/.v1.cu.swp", "swap");
                fs::rename(folder_.Path("lab1/v1.cu"), folder_.Path("lab1/v1.cu~"));
                folder_.Write("lab1/v1.tmp", "more");
                fs::rename(folder_.Path("lab1/v1.tmp"), folder_.Path("lab1/v1.cu"));
              }),
              ElementsAre("v1.cu"));
}

TEST_F(FileWatchTest, SeveralSavesInQuickSuccessionAreOne) {
  FileWatch watch(folder_.Path("lab1"), IsCuda);
  watch.Take();
  for (int i = 0; i < 5; ++i) folder_.Write("lab1/v1.cu", std::to_string(i));
  folder_.Write("lab1/v2.cu", "more");
  EXPECT_THAT(watch.AwaitSave(kNever), ElementsAre("v1.cu", "v2.cu"));
  watch.Take();
  EXPECT_THAT(watch.Changed(), IsEmpty());
}

// With a long time to settle, so that a busy machine does not come between the two saves.
TEST_F(FileWatchTest, ASaveThatBeginsWhileAnotherSettlesIsPartOfIt) {
  FileWatch watch(folder_.Path("lab1"), IsCuda, FileWatch::Duration(2000));
  watch.Take();
  folder_.Write("lab1/v1.cu", "more");
  const std::jthread editor([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    folder_.Write("lab1/v2.cu", "more");
  });
  EXPECT_THAT(watch.AwaitSave(kNever), ElementsAre("v1.cu", "v2.cu"));
}

TEST_F(FileWatchTest, AFileThatIsGoneAndComesBackWasSavedOnce) {
  FileWatch watch(folder_.Path("lab1"), IsCuda);
  watch.Take();
  fs::remove(folder_.Path("lab1/v1.cu"));
  const std::jthread editor([this] {
    std::this_thread::sleep_for(FileWatch::kSettle);
    folder_.Write("lab1/v1.cu", "back");
  });
  EXPECT_THAT(watch.AwaitSave(kNever), ElementsAre("v1.cu"));
  watch.Take();
  EXPECT_THAT(watch.Changed(), IsEmpty());
}

TEST_F(FileWatchTest, AFileThatStaysAwayIsAChange) {
  EXPECT_THAT(SavedWhile([this] { fs::remove(folder_.Path("lab1/v2.cu")); }), ElementsAre("v2.cu"));
}

TEST_F(FileWatchTest, AFolderThatIsReplacedIsWatchedOn) {
  FileWatch watch(folder_.Path("lab1"), IsCuda);
  watch.Take();
  fs::remove_all(folder_.Path("lab1"));
  EXPECT_THAT(watch.AwaitSave(kNever), ElementsAre("v1.cu", "v2.cu"));
  watch.Take();
  const std::jthread editor([this] { folder_.Write("lab1/v3.cu", "three"); });
  EXPECT_THAT(watch.AwaitSave(kNever), ElementsAre("v3.cu"));
}

TEST_F(FileWatchTest, FilesInFoldersOfTheFolderCount) {
  FileWatch watch(folder_.Path(""), IsCuda);
  watch.Take();
  folder_.Write("lab1/v1.cu", "more");
  folder_.Write("lab1/notes.txt", "more");
  EXPECT_THAT(watch.AwaitSave(kNever), ElementsAre("lab1/v1.cu"));
}

TEST_F(FileWatchTest, CancellingEndsTheWait) {
  FileWatch watch(folder_.Path("lab1"), IsCuda);
  watch.Take();
  const std::atomic<bool> cancel{true};
  EXPECT_THAT(watch.AwaitSave(cancel), IsEmpty());
}

}  // namespace
}  // namespace warpgrade::cli
