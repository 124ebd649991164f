#include "grader/emulator/ptx/module.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpgrade::ptx {
namespace {

TEST(TypeTest, EveryTypeIsFoundByItsName) {
  for (int i = 1; i <= static_cast<int>(Type::kE5M2); ++i) {
    const Type type = static_cast<Type>(i);
    EXPECT_EQ(TypeFromName(Name(type), std::strlen(Name(type))), type) << Name(type);
  }
}

TEST(TypeTest, OtherWordsAreNoTypes) {
  EXPECT_EQ(TypeFromName("", 0), Type::kNone);
  EXPECT_EQ(TypeFromName("f3", 2), Type::kNone);
  EXPECT_EQ(TypeFromName("f321", 4), Type::kNone);
  EXPECT_EQ(TypeFromName("f321", 3), Type::kF32) << "only the first 3 bytes count";
}

TEST(TypeTest, SizesAreInBytes) {
  EXPECT_EQ(SizeOf(Type::kNone), 0);
  EXPECT_EQ(SizeOf(Type::kPred), 0);
  EXPECT_EQ(SizeOf(Type::kS8), 1);
  EXPECT_EQ(SizeOf(Type::kBF16), 2);
  EXPECT_EQ(SizeOf(Type::kF16x2), 4);
  EXPECT_EQ(SizeOf(Type::kF64), 8);
  EXPECT_EQ(SizeOf(Type::kB128), 16);
}

}  // namespace
}  // namespace warpgrade::ptx
