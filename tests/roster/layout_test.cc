#include "grader/roster/layout.h"

#include <gtest/gtest.h>

namespace warpgrade::roster {
namespace {

TEST(LayoutTest, ANameOfCanvasHasTheStudentsNameAndNumber) {
  const auto plain = ParseCanvasName("lovelaceada_12345_67890_lab3");
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->name, "lovelaceada");
  EXPECT_EQ(plain->user, "12345");
  EXPECT_FALSE(plain->late);
  const auto late = ParseCanvasName("lovelaceada_LATE_12345_67890_my_lab_3-1");
  ASSERT_TRUE(late.has_value());
  EXPECT_EQ(late->name, "lovelaceada");
  EXPECT_TRUE(late->late);
  EXPECT_EQ(ParseCanvasName("van_der_berg_1_2_x")->name, "van_der_berg");
}

TEST(LayoutTest, OtherNamesAreNotOfCanvas) {
  for (const char* name :
       {"s1042", "lab3-ada", "submission_123456789", "a_12345_x", "_1_2_x", "a_LATE_b_1_x", "a_1_2", ""}) {
    EXPECT_FALSE(ParseCanvasName(name).has_value()) << name;
  }
}

TEST(LayoutTest, AFolderOfClassroomIsTheAssignmentAndTheNameOnGitHub) {
  EXPECT_EQ(ParseClassroomName("lab3-ada-lovelace", "lab3"), "ada-lovelace");
  EXPECT_EQ(ParseClassroomName("lab3", "lab3"), std::nullopt);
  EXPECT_EQ(ParseClassroomName("lab3-", "lab3"), std::nullopt);
  EXPECT_EQ(ParseClassroomName("lab33-ada", "lab3"), std::nullopt);
  EXPECT_EQ(ParseClassroomName("ada", ""), std::nullopt);
}

TEST(LayoutTest, ASqueezedNameHasOnlyLettersAndDigits) {
  EXPECT_EQ(Squeezed("O'Neill, Mary-Ann 2"), "oneillmaryann2");
  EXPECT_EQ(Squeezed("M\xC3\xBCller"), "m\xC3\xBCller");
}

}  // namespace
}  // namespace warpgrade::roster
