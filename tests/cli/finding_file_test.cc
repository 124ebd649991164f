#include "grader/cli/finding_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

constexpr const char* kRace =
    R"json({"kind":"shared-race","kernel":"sum(int*)","file":"sum.cu","line":14,"ptx_line":90,"block":[1,2,0],)json"
    R"json("thread":[33,0,0],"address":132,"access_bytes":4,"count":62,"fatal":false,)json"
    R"json("message":"read byte 132 of shared memory that thread (1,0,0) wrote in line 12, with no barrier"})json";

TEST(FindingFileTest, ReadsEveryFieldOfALine) {
  const auto finding = ParseFinding(kRace);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, "shared-race");
  EXPECT_EQ(finding->kernel, "sum(int*)");
  EXPECT_EQ(finding->place.file, "sum.cu");
  EXPECT_EQ(finding->place.line, 14);
  EXPECT_EQ(finding->block.y, 2u);
  EXPECT_EQ(finding->thread.x, 33u);
  EXPECT_EQ(finding->count, 62u);
  EXPECT_FALSE(finding->fatal);
}

TEST(FindingFileTest, TakesTheOtherAccessOfARaceFromItsMessage) {
  const auto finding = ParseFinding(kRace);
  ASSERT_TRUE(finding && finding->other);
  EXPECT_EQ(finding->other->file, "sum.cu");
  EXPECT_EQ(finding->other->line, 12);
}

TEST(FindingFileTest, PrefersTheOtherAccessThatIsNamedByItself) {
  const auto finding = ParseFinding(
      R"({"kind":"global-race","file":"a.cu","line":3,"other_file":"b.h","other_line":7,"message":"x in line 9"})");
  ASSERT_TRUE(finding && finding->other);
  EXPECT_EQ(finding->other->file, "b.h");
  EXPECT_EQ(finding->other->line, 7);
}

TEST(FindingFileTest, AFindingOfTheHostNeedsNoKernelAndNoThread) {
  const auto finding = ParseFinding(R"({"kind":"leak","message":"400 bytes were not freed"})");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kernel, "");
  EXPECT_FALSE(finding->other);
}

TEST(FindingFileTest, AFindingOfTheHostMayHavePlacesInAProgram) {
  const auto finding = ParseFinding(
      R"({"kind":"stream-race","message":"a reads what b writes","program":"/a.out","host_places":[[16,1],[32,14]]})");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->program, "/a.out");
  ASSERT_EQ(finding->host_places.size(), 2u);
  EXPECT_EQ(finding->host_places[1].address, 32u);
  EXPECT_EQ(finding->host_places[1].in_message, 14u);
  for (const char* places : {"[[1]]", "[1]", "5", "[[\"x\",2]]"}) {
    EXPECT_FALSE(ParseFinding(R"({"kind":"leak","message":"x","host_places":)" + std::string(places) + "}")) << places;
  }
}

TEST(FindingFileTest, SkipsWhatIsNoFinding) {
  EXPECT_FALSE(ParseFinding(""));
  EXPECT_FALSE(ParseFinding(R"({"kind":"leak","mess)")) << "the program died while writing";
  EXPECT_FALSE(ParseFinding("[1, 2]"));
  EXPECT_FALSE(ParseFinding(R"({"kind":5,"message":"x"})"));
  EXPECT_FALSE(ParseFinding(R"({"kind":"leak","message":"x","block":[1]})"));
}

TEST(FindingFileTest, KeepsTheWholeLinesOfAFileThatIsCutOff) {
  const TemporaryFolder folder;
  const std::string line = kRace;
  const std::string path = folder.Write("f", line + "\n" + line + "\n" + line.substr(0, 40));
  EXPECT_EQ(ReadFindings(path).size(), 2u);
  EXPECT_TRUE(ReadFindings(folder.Path("none")).empty());
}

TEST(FindingFileTest, AReadThatCameBeforeTheWriteItRacesWithIsOneFault) {
  SeenFinding race, read, elsewhere;
  race.kind = "shared-race";
  race.place = {"a.cu", 14};
  race.other = SourcePlace{"a.cu", 12};
  read.kind = elsewhere.kind = "uninitialised-read";
  read.place = {"a.cu", 12};
  elsewhere.place = {"a.cu", 13};
  std::vector<SeenFinding> findings = {read, race, elsewhere};
  DropConsequences(&findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kind, "shared-race");
  EXPECT_EQ(findings[1].place.line, 13);
  findings = {read};
  DropConsequences(&findings);
  EXPECT_EQ(findings.size(), 1u) << "without a race it is a fault of its own";
  read.in_local = true;
  findings = {read, race};
  DropConsequences(&findings);
  EXPECT_EQ(findings.size(), 2u) << "no other thread writes local memory";
}

TEST(FindingFileTest, AFaultOfSeveralInstancesIsSaidOnce) {
  SeenFinding of_int;
  of_int.kind = "out-of-bounds";
  of_int.kernel = "k<int>(int*)";
  of_int.place = {"a.cu", 12};
  of_int.message = "wrote past the end";
  SeenFinding of_float = of_int, of_double = of_int, elsewhere = of_int, unknown = of_int;
  of_float.kernel = "k<float>(float*)";
  of_float.count = 5;
  of_double.kernel = "k<double>(double*)";
  of_double.fatal = true;
  elsewhere.place.line = 13;
  unknown.place = {};
  std::vector<SeenFinding> findings = {of_int, unknown, of_float, elsewhere, unknown, of_double};
  MergeKernels(&findings);
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0].kernel, "k<int>(int*)");
  EXPECT_EQ(findings[0].count, 7u);
  EXPECT_TRUE(findings[0].fatal);
  EXPECT_EQ(findings[0].message, "wrote past the end; the same in 2 other kernels");
  EXPECT_EQ(findings[1].message, "wrote past the end") << "without a line nothing is known to be the same";
  EXPECT_EQ(findings[2].place.line, 13);
  EXPECT_EQ(findings[2].message, "wrote past the end");
}

TEST(FindingFileTest, OneLineMayReachPastALocalArrayAndPastAnotherOne) {
  const std::optional<SeenFinding> local =
      ParseFinding(R"({"kind":"out-of-bounds","kernel":"k","file":"a.cu","line":3,"message":"x","in_local":true})");
  ASSERT_TRUE(local);
  SeenFinding global = *local;
  global.in_local = false;
  std::vector<SeenFinding> findings = {global, *local, *local};
  MergeKernels(&findings);
  EXPECT_EQ(findings.size(), 2u);
}

TEST(FindingFileTest, WritesADocumentWithTheProgramsEnd) {
  const auto finding = ParseFinding(kRace);
  ASSERT_TRUE(finding);
  const auto json = nlohmann::json::parse(FindingsAsJson({*finding}, {"./a.out", "-n"}, ProgramEnd{3, 0}));
  EXPECT_EQ(json["schema"], "warpgrade.findings/1");
  EXPECT_EQ(json["program"][1], "-n");
  EXPECT_EQ(json["exit_code"], 3);
  EXPECT_TRUE(json["signal"].is_null());
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["kind"], "shared-race");
  EXPECT_EQ(json["findings"][0]["other"]["line"], 12);
  const auto killed = nlohmann::json::parse(FindingsAsJson({}, {"./a.out"}, ProgramEnd{0, 11}));
  EXPECT_EQ(killed["signal"], 11);
  EXPECT_TRUE(killed["exit_code"].is_null());
}

}  // namespace
}  // namespace warpgrade::cli
