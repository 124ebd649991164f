#include "labs/support/rung_name.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(RungNameTest, IsFoundInTheNameOfItsProgram) {
  EXPECT_EQ(RungOfProgram("/build/labs/lab2/v3_padded_test"), "v3_padded");
  EXPECT_EQ(RungOfProgram("v10_two_passes_bench"), "v10_two_passes");
  EXPECT_EQ(RungOfProgram("build/labs/lab4/v5_image_tiled_picture"), "v5_image_tiled");
  EXPECT_EQ(RungOfProgram("tests/lab0_starter_v1_vector_add"), "v1_vector_add");
}

TEST(RungNameTest, IsEmptyWhereThereIsNone) {
  for (const char* program : {"", "a.out", "build/v1_naive/a.out", "v_test", "v2", "v2test", "nav1_igator"}) {
    EXPECT_EQ(RungOfProgram(program), "") << program;
  }
}

}  // namespace
}  // namespace lab
