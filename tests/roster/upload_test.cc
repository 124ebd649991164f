#include "grader/roster/upload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::roster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class UploadTest : public testing::Test {
 protected:
  Result<UploadedTo> Read(const std::string& text) const { return ReadUpload(folder_.Write("metadata.json", text)); }
  const TemporaryFolder folder_;
};

TEST_F(UploadTest, AGroupAndThePointsOfTheAssignmentAreRead) {
  const auto upload = Read(R"({"assignment": {"total_points": "110.0", "title": "x"}, "previous_submissions": [{}],
      "users": [{"email": "ada@example.org", "id": 1, "name": "Ada \ud83d\ude00"}, {"email": "b@example.org"}]})");
  ASSERT_TRUE(upload.ok()) << upload.error().message;
  EXPECT_THAT(upload->emails, ElementsAre("ada@example.org", "b@example.org"));
  EXPECT_EQ(upload->total_points, 110);
}

TEST_F(UploadTest, WhatIsMissingOrOfAnotherTypeIsLeftOut) {
  for (const char* text : {"{}", R"({"users": 7, "assignment": []})", R"({"users": [7, {"email": 8}, {"email": ""}]})",
                           R"({"assignment": {"total_points": "many"}})", R"({"users": null})"}) {
    const auto upload = Read(text);
    ASSERT_TRUE(upload.ok()) << text;
    EXPECT_THAT(upload->emails, IsEmpty()) << text;
    EXPECT_EQ(upload->total_points, std::nullopt) << text;
  }
}

TEST_F(UploadTest, WhatIsNoJsonIsAnErrorThatNamesTheFile) {
  for (const char* text : {"", "[]", "{", "users: []"}) {
    const auto upload = Read(text);
    ASSERT_FALSE(upload.ok()) << text;
    EXPECT_THAT(upload.error().message, HasSubstr("metadata.json: it is not JSON"));
  }
  EXPECT_THAT(ReadUpload(folder_.Path("none.json")).error().message, HasSubstr("none.json: it cannot be read"));
}

TEST_F(UploadTest, TheRosterSaysTheIdElseTheAddressDoes) {
  Student ada;
  ada.id = "s1042";
  ada.email = "ada@example.org";
  ada.github = "ada-l";
  EXPECT_EQ(IdOfEmails({"other@example.org", "Ada@Example.org"}, {ada}), "s1042");
  EXPECT_EQ(IdOfEmails({"grace@example.org"}, {ada}), "grace");
  EXPECT_EQ(IdOfEmails({}, {ada}), "student");
  EXPECT_EQ(IdOfEmails({"@"}, {ada}), "student");
  EXPECT_EQ(IdOfGithubName("Ada-L", {ada}), "s1042");
  EXPECT_EQ(IdOfGithubName("grace", {ada}), "grace");
}

// A student whose e-mail address the roster does not know must not be everybody without one.
TEST_F(UploadTest, AStudentWithoutAnAddressIsNobody) {
  Student nobody;
  nobody.id = "s1";
  EXPECT_EQ(IdOfEmails({""}, {nobody}), "student");
  EXPECT_EQ(IdOfGithubName("", {nobody}), "student");
}

}  // namespace
}  // namespace warpgrade::roster
