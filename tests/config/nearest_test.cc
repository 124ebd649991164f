#include "grader/config/nearest.h"

#include <gtest/gtest.h>

namespace warpgrade::config {
namespace {

TEST(NearestTest, CountsSlipsOfTheFingers) {
  EXPECT_EQ(EditDistance("title", "title"), 0);
  EXPECT_EQ(EditDistance("titel", "title"), 1);  // neighbours swapped
  EXPECT_EQ(EditDistance("tile", "title"), 1);
  EXPECT_EQ(EditDistance("tittle", "title"), 1);
  EXPECT_EQ(EditDistance("Title", "title"), 0);
  EXPECT_EQ(EditDistance("", "abc"), 3);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3);
}

TEST(NearestTest, FindsTheNameThatWasMeant) {
  EXPECT_EQ(NearestName("tehcnique", {"technique", "throughput"}), "technique");
  EXPECT_EQ(NearestName("shared_bank_conflict", {"shared_requests", "shared_bank_conflicts"}), "shared_bank_conflicts");
}

TEST(NearestTest, SuggestsNothingWhenNothingIsNear) {
  EXPECT_EQ(NearestName("colour", {"title", "points"}), std::nullopt);
  EXPECT_EQ(NearestName("", {"title"}), std::nullopt);
  EXPECT_EQ(NearestName(std::string(100'000, 'a'), {"title"}), std::nullopt);
}

TEST(NearestTest, FindsAllNamesThatMayHaveBeenMeant) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(NearestNames("lab11", {"lab0", "lab1", "lab2", "lab10"}), Names({"lab1", "lab10"}));
  EXPECT_EQ(NearestNames("lap1", {"lab0", "lab1"}), Names({"lab1"}));
  EXPECT_EQ(NearestNames("lab", {"lab0", "lab1", "lab2", "lab3"}), Names()) << "too many to be a help";
  EXPECT_EQ(NearestNames("colour", {"title"}), Names());
}

TEST(NearestTest, ListsNamesAsASentenceDoes) {
  EXPECT_EQ(ListNames({}), "");
  EXPECT_EQ(ListNames({"a"}), "a");
  EXPECT_EQ(ListNames({"a", "b"}), "a and b");
  EXPECT_EQ(ListNames({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace warpgrade::config
