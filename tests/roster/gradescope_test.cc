#include "grader/roster/gradescope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::roster {
namespace {

using testing::HasSubstr;

Result<std::map<std::string, GradescopeEntry>> Read(const std::string& yaml) {
  const TemporaryFolder folder;
  return ReadGradescope(folder.Write("submission_metadata.yml", yaml));
}

TEST(GradescopeTest, SubmittersAndTimesAreRead) {
  const auto entries = Read(
      "---\nsubmission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '100'\n    :email: ada@example.org\n"
      "  :created_at: 2026-11-22 10:15:00.123456000 Z\n  :score: 3.0\n  :results:\n    tests:\n    - output: \"x\"\n"
      "submission_2:\n  :submitters:\n  - :name: B\n    :sid:\n    :email: b@example.org\n  - :name: C\n    :sid: "
      "s3\n");
  ASSERT_TRUE(entries.ok()) << entries.error().message;
  const GradescopeEntry& one = entries->at("submission_1");
  ASSERT_EQ(one.submitters.size(), 1u);
  EXPECT_EQ(one.submitters[0].sid, "100");
  EXPECT_EQ(one.submitters[0].email, "ada@example.org");
  EXPECT_EQ(one.created_at, 1'795'342'500);
  EXPECT_EQ(entries->at("submission_2").submitters.size(), 2u);
  EXPECT_EQ(entries->at("submission_2").submitters[0].sid, "");
  EXPECT_EQ(entries->at("submission_2").created_at, std::nullopt);
}

TEST(GradescopeTest, MistakesHaveTheirPlace) {
  const auto bad = Read("submission_1:\n  :created_at: yesterday\n  :submitters: []\nsubmission_2:\n  :score: 3\n");
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(bad.error().message, HasSubstr("submission_metadata.yml:2:16: 'yesterday' is not a time"));
  EXPECT_THAT(bad.error().message, HasSubstr("submission_metadata.yml:5:3: this submission has no list of submitters"));
  EXPECT_FALSE(Read("- a\n- b\n").ok());
}

TEST(GradescopeTest, AClassOfAThousandWithTheOutputOfTheirTestsIsRead) {
  std::string yaml;
  for (int i = 0; i < 1000; ++i) {
    yaml += "submission_" + std::to_string(i) + ":\n  :submitters:\n  - :sid: s" + std::to_string(i) +
            "\n  :results:\n    output: \"" + std::string(4000, 'x') +
            "\"\n    tests: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n";
  }
  const auto entries = Read(yaml);
  ASSERT_TRUE(entries.ok()) << entries.error().message;
  EXPECT_EQ(entries->size(), 1000u);
}

}  // namespace
}  // namespace warpgrade::roster
