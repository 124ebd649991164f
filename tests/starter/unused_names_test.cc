#include "grader/starter/unused_names.h"

#include <gtest/gtest.h>

namespace warpgrade::starter {
namespace {

TEST(UnusedNamesTest, MarksAConstantThatNothingUses) {
  EXPECT_EQ(MarkUnusedNames("constexpr int kTile = 128;  // of a block\n"),
            "[[maybe_unused]] constexpr int kTile = 128;  // of a block\n");
}

TEST(UnusedNamesTest, MarksASharedArrayAndKeepsItsIndentation) {
  EXPECT_EQ(MarkUnusedNames("  __shared__ float tile[8][8];\r\n"),
            "  [[maybe_unused]] __shared__ float tile[8][8];\r\n");
}

TEST(UnusedNamesTest, LeavesAConstantThatTheCodeUses) {
  const char text[] = "constexpr int kTile = 128;\nvoid f() { g(kTile); }\n";
  EXPECT_EQ(MarkUnusedNames(text), text);
}

TEST(UnusedNamesTest, ACommentIsNoUse) {
  EXPECT_EQ(MarkUnusedNames("constexpr int kTile = 128;\n// kTile is for you.\n"),
            "[[maybe_unused]] constexpr int kTile = 128;\n// kTile is for you.\n");
}

TEST(UnusedNamesTest, APartOfALongerNameIsNoUse) {
  EXPECT_EQ(MarkUnusedNames("constexpr int kTile = 128;\nint kTileRows;\n"),
            "[[maybe_unused]] constexpr int kTile = 128;\nint kTileRows;\n");
}

TEST(UnusedNamesTest, LeavesFunctionsMembersAndDynamicSharedMemory) {
  const char text[] =
      "constexpr int Copies(int bins) { return 1; }\n"
      "  static constexpr int kMember = 1;\n"
      "  extern __shared__ unsigned counts[];\n"
      "constexpr int kWithoutEnd";
  EXPECT_EQ(MarkUnusedNames(text), text);
}

TEST(UnusedNamesTest, ANameThatTwoFunctionsDeclareIsLookedForInEachOfThem) {
  EXPECT_EQ(MarkUnusedNames("void a() {\n"
                            "  __shared__ float tile[8];\n"
                            "}\n"
                            "void b() {\n"
                            "  __shared__ float tile[9];\n"
                            "  tile[0] = 1;\n"
                            "}\n"
                            "void c() {\n"
                            "  __shared__ float tile[7];\n"
                            "}\n"),
            "void a() {\n"
            "  [[maybe_unused]] __shared__ float tile[8];\n"
            "}\n"
            "void b() {\n"
            "  __shared__ float tile[9];\n"
            "  tile[0] = 1;\n"
            "}\n"
            "void c() {\n"
            "  [[maybe_unused]] __shared__ float tile[7];\n"
            "}\n");
}

}  // namespace
}  // namespace warpgrade::starter
