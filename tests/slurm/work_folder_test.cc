#include "grader/slurm/work_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace warpgrade::slurm {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kKeyA(32, '1'), kKeyB(32, '2');

WorkFolder LockedAt(const std::string& path) {
  Result<WorkFolder> work = WorkFolder::Lock(path);
  EXPECT_TRUE(work) << work.error().message;
  return std::move(*work);
}

TEST(WorkFolderTest, WhatOneSideWritesTheOtherReads) {
  const TemporaryFolder folder;
  const WorkFolder batch = LockedAt(folder.Path("w"));
  ASSERT_TRUE(batch.PutOrder(kKeyA, std::string("a\0\xff", 3)).ok());
  const Result<WorkFolder> task = WorkFolder::Open(folder.Path("w"));
  ASSERT_TRUE(task);
  EXPECT_EQ(*task->Order(kKeyA), std::string("a\0\xff", 3));
  EXPECT_FALSE(task->Order(kKeyB));
  EXPECT_FALSE(batch.HasResult(kKeyA));
  ASSERT_TRUE(task->PutResult(kKeyA, "r").ok());
  EXPECT_TRUE(batch.HasResult(kKeyA));
  EXPECT_THAT(batch.Results(), ElementsAre(kKeyA));
  EXPECT_EQ(*batch.ResultOf(kKeyA), "r");
  batch.DropResult(kKeyA);
  EXPECT_THAT(batch.Results(), IsEmpty());
}

TEST(WorkFolderTest, AFileThatIsStillBeingWrittenIsNoResult) {
  const TemporaryFolder folder;
  const WorkFolder batch = LockedAt(folder.Path("w"));
  folder.Write("w/results/" + kKeyA + ".unfinished-x7", "half");
  EXPECT_THAT(batch.Results(), IsEmpty());
}

TEST(WorkFolderTest, AnArrayIsReadAsItWasWrittenAndADamagedOneIsNot) {
  const TemporaryFolder folder;
  const WorkFolder batch = LockedAt(folder.Path("w"));
  ASSERT_TRUE(batch.PutArray({10, "warpgrade-a", "", {{kKeyA}}}).ok());
  ASSERT_TRUE(batch.PutArray({2, "warpgrade-b", "4711", {{kKeyA, kKeyB}, {kKeyB}}}).ok());
  ASSERT_TRUE(batch.PutScript(2, {"true"}).ok());
  folder.Write("w/arrays/3", "name x\ntask ../../etc/passwd\n");
  folder.Write("w/arrays/4", "");
  const std::vector<Array> arrays = batch.Arrays();
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].number, 2);
  EXPECT_EQ(arrays[0].name, "warpgrade-b");
  EXPECT_EQ(arrays[0].job, "4711");
  EXPECT_THAT(arrays[0].tasks, ElementsAre(ElementsAre(kKeyA, kKeyB), ElementsAre(kKeyB)));
  EXPECT_EQ(arrays[1].number, 10);
  EXPECT_EQ(arrays[1].job, "");
  batch.DropArray(2);
  EXPECT_EQ(batch.Arrays().size(), 1u);
}

TEST(WorkFolderTest, OnlyOneBatchFollowsATask) {
  const TemporaryFolder folder;
  {
    const WorkFolder first = LockedAt(folder.Path("w"));
    const Result<WorkFolder> second = WorkFolder::Lock(folder.Path("w"));
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(second.error().message, HasSubstr("another batch follows the tasks"));
  }
  EXPECT_TRUE(WorkFolder::Lock(folder.Path("w"))) << "the lock has gone with its owner";
}

TEST(WorkFolderTest, AFolderThatCannotBeMadeOrIsNotThereIsAnErrorThatSaysWhatToDo) {
  const TemporaryFolder folder;
  folder.Write("file", "");
  const Result<WorkFolder> below_a_file = WorkFolder::Lock(folder.Path("file/w"));
  ASSERT_FALSE(below_a_file);
  EXPECT_THAT(below_a_file.error().message, HasSubstr("let slurm.folder of course.yaml be a folder in which you may"));
  const Result<WorkFolder> missing = WorkFolder::Open(folder.Path("nowhere"));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("there is no such folder on this machine"));
}

TEST(WorkFolderTest, TheScriptKeepsEveryWordWhole) {
  const TemporaryFolder folder;
  const WorkFolder batch = LockedAt(folder.Path("it's $HOME"));
  ASSERT_TRUE(batch.PutScript(1, {"printf", "%s|", "a b", "it's", "$HOME", "\"", "\\n"}).ok());
  EXPECT_EQ(RunProgram({"/bin/sh", batch.ScriptPath(1)}).out, "a b|it's|$HOME|\"|\\n|");
}

TEST(WorkFolderTest, SlurmPutsTheNumberOfATaskIntoTheNameOfItsLogAndNowhereElse) {
  const TemporaryFolder folder;
  const WorkFolder batch = LockedAt(folder.Path("50%a"));
  EXPECT_EQ(batch.LogPattern(3), folder.Path("50%%a/logs/3-%a.txt"));
  EXPECT_EQ(batch.LogPath(3, 7), folder.Path("50%a/logs/3-7.txt"));
}

TEST(WorkFolderTest, CleaningMayKeepTheLogs) {
  const TemporaryFolder folder;
  const WorkFolder batch = LockedAt(folder.Path("w"));
  folder.Write("w/logs/1-0.txt", "why");
  ASSERT_TRUE(batch.PutOrder(kKeyA, "o").ok());
  batch.Clean(/*logs=*/false);
  EXPECT_FALSE(batch.Order(kKeyA));
  EXPECT_TRUE(fs::exists(folder.Path("w/logs/1-0.txt")));
  batch.Clean(/*logs=*/true);
  EXPECT_FALSE(fs::exists(folder.Path("w/logs/1-0.txt")));
  EXPECT_TRUE(batch.PutOrder(kKeyA, "o").ok()) << "the folder can still be used";
  batch.Remove();
  EXPECT_FALSE(fs::exists(folder.Path("w")));
}

}  // namespace
}  // namespace warpgrade::slurm
