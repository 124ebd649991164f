#include "grader/config/scale_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::config {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST(ScalePlacesTest, EachScaleHasThePlacesOfItsKeyAndOfItsNumbers) {
  const auto places = FindScalePlaces(
      "targets:\n"
      "  h200: {match: NVIDIA H200}\n"
      "labs:\n"
      "  lab1:\n"
      "    rungs:\n"
      "      v1:\n"
      "        throughput:\n"
      "          h200: {unit: GB/s, zero: 1e2, full: 385}\n"
      "          any:\n"
      "            unit: share_of_copy\n"
      "            steps:\n"
      "              - {at: 0.1,\n"
      "                 points: 1}\n",
      "c.yaml");
  ASSERT_TRUE(places) << places.error().message;
  ASSERT_TRUE(places->targets);
  EXPECT_EQ(places->targets->entries.at(0).name, "h200");
  EXPECT_EQ(places->targets->entries.at(0).key.line, 2);
  const auto v1 = places->throughput.find({"lab1", "v1"});
  ASSERT_NE(v1, places->throughput.end());
  ASSERT_THAT(v1->second.entries, SizeIs(2));
  const EntryPlace& h200 = v1->second.entries[0];
  EXPECT_EQ(h200.key.column, 11);
  EXPECT_EQ(h200.value.column, 17);
  EXPECT_EQ(h200.last_line, 8);
  EXPECT_EQ(h200.scalars.at("zero").second, "1e2");
  EXPECT_EQ(h200.scalars.at("zero").first.column, 36);
  EXPECT_EQ(v1->second.entries[1].last_line, 13);
}

TEST(ScalePlacesTest, ACourseWithoutLabsOrTargetsHasNone) {
  const auto places = FindScalePlaces("course: {name: C}\n", "c.yaml");
  ASSERT_TRUE(places);
  EXPECT_FALSE(places->targets);
  EXPECT_TRUE(places->throughput.empty());
  EXPECT_THAT(FindScalePlaces("a: [", "c.yaml").error().message, HasSubstr("c.yaml:"));
}

}  // namespace
}  // namespace warpgrade::config
