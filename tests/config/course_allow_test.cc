// `allow` in course.yaml.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<Course> Load(const std::string& course, const std::string& lab, const std::string& rung) {
  return LoadText("course: {name: C}\n" + course + "labs:\n  lab1:\n    title: L\n" + lab +
                  "    rungs:\n      v1: {title: T, points: {correctness: 1}" + rung +
                  "}\n      v2: {title: T, points: {correctness: 1}}\n");
}

TEST(CourseAllowTest, NothingMoreByDefault) {
  const Result<Course> course = Load("", "", "");
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_THAT(course->labs[0].rungs[0].allow.headers, IsEmpty());
  EXPECT_THAT(course->labs[0].rungs[0].allow.symbols, IsEmpty());
}

TEST(CourseAllowTest, ARungHasItsOwnItsLabsAndTheCourses) {
  const Result<Course> course =
      Load("allow: {symbols: [getenv]}\n", "    allow: {headers: [cub/block/*]}\n", ", allow: {headers: [thread]}");
  ASSERT_TRUE(course) << course.error().message;
  const Rung &v1 = course->labs[0].rungs[0], &v2 = course->labs[0].rungs[1];
  EXPECT_THAT(v1.allow.headers, ElementsAre("cub/block/*", "thread"));
  EXPECT_THAT(v1.allow.symbols, ElementsAre("getenv"));
  EXPECT_THAT(v2.allow.headers, ElementsAre("cub/block/*"));
}

TEST(CourseAllowTest, MistakesHaveTheirPlace) {
  const Result<Course> course =
      Load("allow: {headers: cub, symbol: [x]}\n", "    allow: {headers: [<cub/cub.cuh>]}\n", "");
  ASSERT_FALSE(course);
  EXPECT_THAT(course.error().message, HasSubstr("course.yaml:2:18: allow.headers is not a list"));
  EXPECT_THAT(course.error().message, HasSubstr("course.yaml:2:23: "));
  EXPECT_THAT(course.error().message, HasSubstr("'<cub/cub.cuh>' is not a plain name"));
}

}  // namespace
}  // namespace warpgrade::config
