#include "grader/gradebook/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::gradebook {
namespace {

TEST(PackedTest, FilesAndNotesOfAnyBytesComeBack) {
  const Sources sources = {{{"lab1/v1.cu", std::string("a\0b:\n\xff", 6)}, {"lab1/v2.cu", ""}, {"7:x", "8:y"}},
                           {"lab1/v3.cu: too large", ""}};
  const Result<Sources> back = Unpack("marks.db", Pack(sources));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->files, sources.files);
  EXPECT_EQ(back->notes, sources.notes);
}

TEST(PackedTest, DifferentSourcesHaveDifferentTexts) {
  EXPECT_NE(Pack({{{"a", "bc"}}, {}}), Pack({{{"ab", "c"}}, {}}));
  EXPECT_NE(Pack({{{"a", "b"}}, {}}), Pack({{}, {"a", "b"}}));
}

TEST(PackedTest, ADamagedTextIsRefused) {
  const std::string packed = Pack({{{"lab1/v1.cu", "text"}}, {}});
  for (size_t size = 1; size < packed.size(); ++size) {
    EXPECT_FALSE(Unpack("marks.db", packed.substr(0, size)).ok()) << packed.substr(0, size);
  }
  EXPECT_FALSE(Unpack("marks.db", "99999999999999999999:x").ok());
  EXPECT_FALSE(Unpack("marks.db", "-1:x").ok());
}

TEST(PackedTest, CompressedTextComesBackAndDamagedTextIsRefused) {
  const std::string text = std::string(100'000, 'x') + "end";
  std::string bytes = Compressed(text);
  EXPECT_LT(bytes.size(), 1000u);
  EXPECT_EQ(*Decompressed("marks.db", bytes), text);
  EXPECT_EQ(*Decompressed("marks.db", Compressed("")), "");
  EXPECT_FALSE(Decompressed("marks.db", bytes.substr(0, bytes.size() / 2)).ok());
  EXPECT_EQ(Decompressed("marks.db", "no zstd").error().message,
            "marks.db: a text in the gradebook is damaged; restore the file from a copy");
  EXPECT_FALSE(Decompressed("marks.db", "").ok());
}

}  // namespace
}  // namespace warpgrade::gradebook
