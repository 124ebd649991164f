#include "grader/roster/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::roster {
namespace {

using testing::HasSubstr;
using testing::Not;

class RosterTest : public testing::Test {
 protected:
  std::vector<Student> Read(const std::string& csv) const {
    const Result<std::vector<Student>> students = ReadRoster(folder_.Write("roster.csv", csv));
    EXPECT_TRUE(students.ok()) << students.error().message;
    return students.ok() ? *students : std::vector<Student>();
  }
  std::string MistakesIn(const std::string& csv) const {
    const Result<std::vector<Student>> students = ReadRoster(folder_.Write("roster.csv", csv));
    EXPECT_FALSE(students.ok());
    return students.ok() ? "" : students.error().message;
  }
  const TemporaryFolder folder_;
};

TEST_F(RosterTest, ReadsEveryColumnInAnyOrder) {
  const std::vector<Student> students = Read(
      "Section,Name,id,E-Mail,extension,canvas_id,github,room\nA,\"Lovelace, Ada\", s1 "
      ",ada@example.org,2,77,ada-l,9\n");
  ASSERT_EQ(students.size(), 1u);
  EXPECT_EQ(students[0].id, "s1");
  EXPECT_EQ(students[0].name, "Lovelace, Ada");
  EXPECT_EQ(students[0].email, "ada@example.org");
  EXPECT_EQ(students[0].section, "A");
  EXPECT_EQ(students[0].extension, "2");
  EXPECT_EQ(students[0].canvas, "77");
  EXPECT_EQ(students[0].github, "ada-l");
}

TEST_F(RosterTest, AnIdIsEnough) { EXPECT_EQ(Read("id\ns1\ns2\n").size(), 2u); }

TEST_F(RosterTest, TheGradebookOfCanvasAndTheRosterOfClassroomAreRead) {
  const Student canvas = Read("Student,ID,SIS User ID,SIS Login ID,Section\n\"Lovelace, Ada\",77,s1,ada,A\n").at(0);
  EXPECT_EQ(canvas.id, "s1");
  EXPECT_EQ(canvas.canvas, "77");
  EXPECT_EQ(canvas.login, "ada");
  EXPECT_EQ(canvas.name, "Lovelace, Ada");
  const Student classroom =
      Read("\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"s1\",\"ada-l\",\"123\",\"Ada Lovelace\"\n")
          .at(0);
  EXPECT_EQ(classroom.id, "s1");
  EXPECT_EQ(classroom.github, "ada-l");
}

TEST_F(RosterTest, NamesMayBeAnything) {
  for (const std::string& name : {std::string("=cmd|' /C calc'!A0"), std::string("\xF0\x9F\x90\xA7"),
                                  std::string(300, 'x'), std::string("\xE2\x80\x8F\xD7\x93")}) {
    EXPECT_EQ(Read("id,name\ns1,\"" + name + "\"\n").at(0).name, name);
    EXPECT_EQ(Read("id\n" + name + "\n").at(0).id, name);
  }
}

TEST_F(RosterTest, AllMistakesAreListedWithTheirPlaces) {
  const std::string mistakes = MistakesIn("id,name,extension\ns1,Ada,2\n,Bob,\ns1,Eve,\ns4,Zed,next week\n");
  EXPECT_THAT(mistakes, HasSubstr("roster.csv:3:1: this student has no id"));
  EXPECT_THAT(mistakes, HasSubstr("roster.csv:4:1: the id 's1' already stands in line 2; ids must be unique"));
  EXPECT_THAT(mistakes, HasSubstr("roster.csv:5:8: 'next week' is not an extension; write a number of days"));
}

TEST_F(RosterTest, AFileWithoutIdsOrStudentsSaysWhatIsMissing) {
  EXPECT_THAT(MistakesIn("name,points\nAda,3\n"), HasSubstr("roster.csv:1:1: no column is called 'id'"));
  EXPECT_THAT(MistakesIn("id,name\n"), HasSubstr("there is no student"));
  EXPECT_THAT(MistakesIn(""), HasSubstr("there is no student"));
  EXPECT_THAT(MistakesIn("id,Name,name\ns1,a,b\n"), HasSubstr("roster.csv:1:9: two columns are called 'name'"));
  EXPECT_THAT(MistakesIn("id\na\x01z\n"), HasSubstr("has a control character"));
  EXPECT_THAT(MistakesIn("id,name\ns1," + std::string(5000, 'x') + "\n"), HasSubstr("the name has 5000 bytes"));
}

TEST_F(RosterTest, AFileThatIsNotThereOrAFolderIsNamed) {
  const Result<std::vector<Student>> none = ReadRoster(folder_.Path("none.csv"));
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message, HasSubstr("none.csv: cannot be read: No such file"));
  const Result<std::vector<Student>> folder = ReadRoster(folder_.Path("."));
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().message, HasSubstr("not a regular file"));
}

TEST(ExtensionTest, IsANumberOfDaysOrADate) {
  for (const char* good : {"0", "2", "366", "2026-11-29", "2026-11-29T12:00Z"}) EXPECT_TRUE(IsExtension(good)) << good;
  for (const char* bad : {"-1", "367", "2.5", "two", "29.11.2026", "2026-02-30"}) EXPECT_FALSE(IsExtension(bad)) << bad;
}

}  // namespace
}  // namespace warpgrade::roster
