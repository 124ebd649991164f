#include "grader/build/executable_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "grader/leftovers/leftovers.h"
#include "tests/build/temporary_folder.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

std::string Key(char digit) { return std::string(64, digit); }

TEST(ExecutableCacheTest, FindsWhatWasPublished) {
  const TemporaryFolder folder;
  const ExecutableCache cache((folder.path() / "deep/cache").string());
  ASSERT_TRUE(cache.usable());
  EXPECT_FALSE(cache.Find(Key('a')));
  const auto published = cache.Publish(Key('a'), folder.Write("program", "content", true));
  ASSERT_TRUE(published);
  EXPECT_EQ(cache.Find(Key('a')), published);
  EXPECT_FALSE(cache.Find(Key('b')));
  EXPECT_EQ(fs::status(folder.path() / "deep/cache").permissions(), fs::perms::owner_all);
}

TEST(ExecutableCacheTest, WithoutAFolderNothingIsKept) {
  const ExecutableCache cache("");
  EXPECT_FALSE(cache.usable());
  EXPECT_FALSE(cache.Find(Key('a')));
  EXPECT_FALSE(cache.Publish(Key('a'), "/bin/true"));
}

TEST(ExecutableCacheTest, AFileInTheFoldersPlaceOrALinkIsNotUsed) {
  const TemporaryFolder folder;
  EXPECT_FALSE(ExecutableCache(folder.Write("file", "")).usable());
  fs::create_directories(folder.path() / "real");
  fs::create_directory_symlink(folder.path() / "real", folder.path() / "link");
  EXPECT_FALSE(ExecutableCache((folder.path() / "link").string()).usable());
}

TEST(ExecutableCacheTest, AnEntryThatOthersMayWriteIsNotTrusted) {
  const TemporaryFolder folder;
  const ExecutableCache cache((folder.path() / "cache").string());
  const auto published = cache.Publish(Key('a'), folder.Write("program", "content", true));
  fs::permissions(*published, fs::perms::all);
  EXPECT_FALSE(cache.Find(Key('a')));
}

TEST(ExecutableCacheTest, TrimsTheLeastRecentlyUsed) {
  const TemporaryFolder folder;
  const ExecutableCache cache((folder.path() / "cache").string());
  const std::string program = folder.Write("program", std::string(1000, 'x'), true);
  const auto now = fs::file_time_type::clock::now();
  for (char digit : {'a', 'b', 'c'})
    fs::last_write_time(*cache.Publish(Key(digit), program), now - std::chrono::hours('d' - digit));
  ASSERT_TRUE(cache.Find(Key('a')));  // was the oldest, is now the newest
  cache.Trim(2000);
  EXPECT_TRUE(cache.Find(Key('a')));
  EXPECT_FALSE(cache.Find(Key('b')));
  EXPECT_TRUE(cache.Find(Key('c')));
}

TEST(ExecutableCacheTest, AGiganticFileIsNotKept) {
  const TemporaryFolder folder;
  const ExecutableCache cache((folder.path() / "cache").string(), {.bytes = 100'000, .file_bytes = 1000});
  EXPECT_TRUE(cache.Publish(Key('a'), folder.Write("usual", std::string(1000, 'x'), true)));
  EXPECT_FALSE(cache.Publish(Key('b'), folder.Write("gigantic", std::string(1001, 'x'), true)));
  EXPECT_FALSE(cache.Find(Key('b')));
  EXPECT_TRUE(cache.Find(Key('a')));
}

TEST(ExecutableCacheTest, IsNeverLargerThanItsLimitWhileItIsUsed) {
  const TemporaryFolder folder;
  const fs::path directory = folder.path() / "cache";
  const ExecutableCache cache(directory.string(), {.bytes = 64'000, .file_bytes = 10'000});
  const std::string program = folder.Write("program", std::string(900, 'x'), true);
  for (int i = 0; i < 200; ++i) {
    char key[65];
    std::snprintf(key, sizeof key, "%064d", i);
    ASSERT_TRUE(cache.Publish(key, program)) << i;
    EXPECT_TRUE(cache.Find(key)) << "the newest stays";
    int64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.is_regular_file()) bytes += static_cast<int64_t>(entry.file_size());
    }
    ASSERT_LE(bytes, 64'000) << i;
  }
  EXPECT_FALSE(cache.Find(std::string(64, '0'))) << "the oldest went first";
}

TEST(ExecutableCacheTest, TrimRemovesWhatADeadGraderLeftHalfWritten) {
  const TemporaryFolder folder;
  const ExecutableCache cache(folder.path().string());
  const std::string dead = folder.Write(".new-abc", "half"), alive = folder.Write(".new-def", "half");
  const auto claim = Claim::Take(alive);
  ASSERT_TRUE(claim);
  cache.Trim(1 << 20);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(alive));
}

}  // namespace
}  // namespace warpgrade::build
