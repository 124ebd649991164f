// A generated class is graded as its manifest says, and the generator makes the same class again.
// WARPGRADE_CLASS=200 in the environment sets the size of the class that is graded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "tests/class/class_maker.h"
#include "tests/course/graded.h"

namespace warpgrade::classes {
namespace {

namespace fs = std::filesystem;

// Every file below `folder`, with its time.
std::map<std::string, std::pair<std::string, int64_t>> Snapshot(const std::string& folder) {
  std::map<std::string, std::pair<std::string, int64_t>> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files[fs::relative(entry.path(), folder).string()] = {ReadText(entry.path().string()),
                                                          entry.last_write_time().time_since_epoch().count()};
  }
  return files;
}

TEST(ClassMakerTest, TheSameSeedMakesTheSameBytesAndAnotherSeedOthers) {
  const TemporaryFolder folder;
  const ClassOptions options{.size = 40, .seed = 7}, others{.size = 40, .seed = 8};
  const auto first = ManifestOf(options, MakeClass(options, folder.Path("a")));
  EXPECT_EQ(first, ManifestOf(options, MakeClass(options, folder.Path("b"))));
  EXPECT_EQ(Snapshot(folder.Path("a")), Snapshot(folder.Path("b")));
  EXPECT_NE(first, ManifestOf(others, MakeClass(others, folder.Path("c"))));
}

TEST(ClassMakerTest, AClassOfThirteenHasEveryKindAndMostWaysToHandIn) {
  const TemporaryFolder folder;
  const MadeClass made = MakeClass({}, folder.Path("class"));
  std::set<std::string> kinds, packings, ids;
  for (const Member& member : made.members) {
    kinds.insert(member.kind);
    packings.insert(member.packing);
    EXPECT_TRUE(ids.insert(member.id).second) << member.id;
    EXPECT_TRUE(fs::exists(folder.Path("class/") + member.file)) << member.file;
    EXPECT_EQ(member.late, member.handed_in > made.due) << member.id;
  }
  EXPECT_EQ(kinds.size(), 13u);
  EXPECT_GE(packings.size(), 8u);
}

TEST(ClassMakerTest, AClassOfAnotherLabHasFilesOfThisLabOnly) {
  for (const char* lab : {"lab1", "lab3", "lab5"}) {
    const TemporaryFolder folder;
    const ClassOptions options{.lab = lab, .size = 13};
    const MadeClass made = MakeClass(options, folder.Path("class"));
    std::set<std::string> kinds;
    for (const Member& member : made.members) kinds.insert(member.kind);
    EXPECT_EQ(kinds.count("own words") + kinds.count("duplicate"), 0u) << lab;
    EXPECT_GE(kinds.size(), 9u) << lab;
    for (const auto& [file, content] : Snapshot(folder.Path("class"))) {
      EXPECT_EQ(content.first.find("labs/lab2/lab2.h"), std::string::npos) << lab << ": " << file;
    }
  }
}

TEST(ClassTest, IsGradedAsItsManifestSays) {
  const TemporaryFolder folder;
  const char* const size = std::getenv("WARPGRADE_CLASS");
  const ClassOptions options{.size = size == nullptr ? 13 : static_cast<size_t>(std::atoi(size))};
  const MadeClass made = MakeClass(options, folder.Path("class"));
  // Three rungs are enough to see every kind, and take half the time of all. With all cases: the wrong program of this
  // class is wrong only in a large one.
  std::vector<std::string> arguments = {"--lab", options.lab, "--course",
                                        folder.Write("course.yaml", ImpatientCourse())};
  if (size == nullptr) arguments.insert(arguments.end(), {"--rung", "v1", "--rung", "v2", "--rung", "v3"});
  const Graded graded = Grade(folder.Path("class"), arguments);
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  EXPECT_EQ(graded.report.at("submissions").size(), made.members.size());
  for (const Member& member : made.members) {
    const std::string who = member.id + ", " + member.kind + " (" + member.what + "), " + member.packing;
    for (const nlohmann::json& rung : graded.Submission(member.id).at("labs").at(0).at("rungs")) {
      if (rung.at("rung") == "quiz") continue;
      const Expected& expected = member.rungs.at(rung.at("rung"));
      EXPECT_TRUE(std::regex_match(rung.at("status").get<std::string>(), std::regex(expected.status)))
          << who << ": " << rung.at("rung") << " is " << rung.at("status") << ", not " << expected.status << "\n"
          << Told(rung);
      EXPECT_GE(rung.at("points").get<double>(), expected.least) << who << ": " << rung.at("rung") << "\n"
                                                                 << Told(rung);
      EXPECT_LE(rung.at("points").get<double>(), expected.most) << who << ": " << rung.at("rung") << "\n" << Told(rung);
    }
  }
}

}  // namespace
}  // namespace warpgrade::classes
