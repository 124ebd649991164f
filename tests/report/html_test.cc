// What is in the file: the data, the policy and the scripts. tests/report/html/ opens pages in a browser.
#include "grader/report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "grader/digest/digest.h"
#include "grader/report/formats.h"
#include "grader/report/html_parts.h"
#include "grader/report/html_steps.h"
#include "grader/report/race_text.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"
#include "tests/report/step_blocks.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The text between `begin` and the next `end`.
std::string Between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

score::GradingReport OneStudent() { return EmulatorReport({Submission("s1042", {EmulatorLab()})}); }

score::GradingReport Class(int size) {
  std::vector<score::SubmissionScore> submissions;
  for (int i = 0; i < size; ++i) {
    submissions.push_back(Submission("s" + std::to_string(1000 + i), {EmulatorLab(), GpuLab()}));
  }
  return GpuReport(std::move(submissions));
}

TEST(HtmlTest, ARooflineWithARungThatIsNotShownIsNotShown) {
  score::GradingReport report = EmulatorReport({Submission("ada", {EmulatorLab()})});
  score::SubmissionScore& ada = report.submissions[0];
  plot::Chart& chart = ada.rooflines[ada.labs[0].lab];
  chart.title = "the roofs";
  chart.series = {{.name = ada.labs[0].rungs.at(0).rung}, {.name = "roofs", .is_bound = true}};
  EXPECT_THAT(SubmissionData(report), testing::HasSubstr("the roofs"));
  chart.series.push_back({.name = "v9_hidden"});
  EXPECT_THAT(SubmissionData(report), testing::Not(testing::HasSubstr("the roofs")));
}

TEST(HtmlTest, TheHashesAreOfTheTextAlone) {
  // The vectors of FIPS 180-4, in base64.
  EXPECT_EQ(Sha256Base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(Sha256Base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(HtmlTest, ThePolicyNamesTheScriptsAndTheStyleThatAreInThePage) {
  for (const score::GradingReport& report : {OneStudent(), Class(2)}) {
    const std::string page = HtmlText(report);
    const std::string policy = Between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\">");
    EXPECT_THAT(policy, StartsWith("default-src 'none'; script-src 'sha256-"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_THAT(policy, HasSubstr("style-src 'sha256-" + Sha256Base64(Between(page, "<style>", "</style>")) + "'"));
    int scripts = 0;
    for (size_t at = page.find("\n<script>"); at != std::string::npos;
         at = page.find("\n<script>", at + 1), ++scripts) {
      EXPECT_THAT(policy,
                  HasSubstr("'sha256-" + Sha256Base64(Between(page.substr(at), "<script>", "</script>")) + "'"));
    }
    EXPECT_EQ(scripts, 2);
  }
}

// Whatever a part holds, it must not end its element or look like the place of another part.
TEST(HtmlTest, ThePartsFitIntoThePage) {
  for (const std::string_view part : {kPageCss, kSharedJs, kPicturesJs, kSourceJs, kChartsJs, kSubmissionJs, kClassJs,
                                      kPlotJs, kProgramJs, kThresholdsJs, kUiJs, kChartJs}) {
    for (const char* mark : {"</script", "</style", "<!--", "@policy@", "@style@", "@script@", "@chart@", "@data@"}) {
      EXPECT_EQ(part.find(mark), std::string_view::npos) << mark << " in " << part.substr(0, 80);
    }
  }
  for (const std::string_view part : {kSharedJs, kPicturesJs, kSourceJs, kChartsJs, kSubmissionJs, kClassJs, kPlotJs,
                                      kProgramJs, kThresholdsJs, kUiJs, kPageHtml}) {
    for (const char* banned :
         {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", " onclick="}) {
      EXPECT_EQ(part.find(banned), std::string_view::npos) << banned;
    }
  }
}

TEST(HtmlTest, HasAllInOneFileOfLessThanOneMegabyteForAClassOf200) {
  const std::string page = HtmlText(Class(200));
  EXPECT_LT(page.size(), 1'000'000u);
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
}

TEST(HtmlTest, NoTextEndsTheDataOrIsMoreThanData) {
  for (const char* text :
       {"</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;", "\u2028\u2029", "@data@"}) {
    score::GradingReport report = OneStudent();
    report.submissions[0].id = text;
    report.submissions[0].labs[0].rungs[0].measurement.messages = {text};
    const std::string data = SubmissionData(report);
    EXPECT_EQ(data.find_first_of("<>&"), std::string::npos) << data;
    for (const char c : data) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
    EXPECT_THAT(HtmlText(report), HasSubstr(">" + data + "</script>"));
  }
}

TEST(HtmlTest, APageOfOwnFilesIsHeadedByTheLabAndNotByTheFolder) {
  score::GradingReport report = OneStudent();
  report.own_files = true;
  report.submissions[0].id = "starter";
  EXPECT_EQ(json::parse(SubmissionData(report))["id"], "lab2 Transpose");
  report.submissions[0].labs.push_back(report.submissions[0].labs[0]);
  EXPECT_EQ(json::parse(SubmissionData(report))["id"], "starter") << "of two labs";
}

TEST(HtmlTest, EachRungHasItsNotesAndWhatIsToSayAtItsLines) {
  score::GradingReport report = OneStudent();
  report.submissions[0].sources["lab2/v4_unrolled.cu"] = std::string(30, '\n') + "last\tline\r\n";
  report.submissions[0].sources["lab2/v5_open.cu"] = std::string(20, '\n');
  const json data = json::parse(SubmissionData(report));
  EXPECT_EQ(data["id"], "s1042");
  const json& rungs = data["labs"][0]["rungs"];
  EXPECT_EQ(rungs[0]["correct"], "ok 12/12");
  EXPECT_EQ(rungs[0]["points"], json({10, 12, 10}));
  EXPECT_FALSE(rungs[0].contains("source")) << "it was not handed in";
  EXPECT_EQ(rungs[1]["limits"][0]["passed"], false);
  const json& race = rungs[3];
  EXPECT_THAT(race["notes"][0], StartsWith("v4_unrolled.cu:27  shared-race: read a value of tile"));
  EXPECT_EQ(race["source"].size(), 31u);
  EXPECT_EQ(race["source"][30], "last    line");
  ASSERT_EQ(race["marks"].size(), 2u);
  EXPECT_EQ(race["marks"][0]["line"], 27);
  EXPECT_EQ(race["marks"][0]["level"], "error");
  EXPECT_THAT(race["marks"][0]["text"], StartsWith("shared-race: read a value"));
  EXPECT_THAT(race["marks"][0]["text"], EndsWith("to do: put a __syncthreads() between the two accesses"));
  EXPECT_EQ(race["marks"][1]["line"], 22);
  EXPECT_EQ(race["marks"][1]["text"], "the other access of the fault in line 27");
  EXPECT_THAT(rungs[4]["marks"][0]["text"], StartsWith("error: expected a \";\"\n"));
  EXPECT_EQ(rungs[4]["marks"][0]["line"], 12);
}

TEST(HtmlTest, AMissedLimitStandsAtTheLineThatCostsMost) {
  score::GradingReport report = OneStudent();
  score::RungScore& missed = report.submissions[0].labs[0].rungs[1];
  missed.measurement.metric_lines["global_load_sectors_per_request"] = "v2_shared.cu:3: each load of a warp touches 32";
  report.submissions[0].sources["lab2/v2_shared.cu"] = "1\n2\n3\n";
  const json marks = json::parse(SubmissionData(report))["labs"][0]["rungs"][1]["marks"];
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0]["line"], 3);
  EXPECT_EQ(marks[0]["level"], "warning");
  EXPECT_EQ(marks[0]["text"], "31.5 global load sectors per request (limit 4.5)\neach load of a warp touches 32");
}

TEST(HtmlTest, TheMarginHasWhatWasCountedAtEachLine) {
  score::GradingReport report = OneStudent();
  report.submissions[0].sources["lab2/v1_naive.cu"] = "1\n2\n3\n";
  EXPECT_EQ(json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["counters"], nullptr) << "nothing is invented";
  report.submissions[0].labs[0].rungs[0].measurement.line_counts = {
      {.line = 0, .instructions = 50},
      {.line = 2, .instructions = 150, .load_requests = 4, .load_sectors = 18},
      {.line = 3, .shared_requests = 1, .shared_turns = 32, .branches = 3, .divergent_branches = 1},
      {.line = 4, .instructions = 0}};
  const json counters = json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["counters"];
  EXPECT_EQ(counters["names"], json({"instr. %", "load", "turns", "diverg. %"})) << "no store";
  EXPECT_EQ(counters["lines"], json({{2, "75.0", "4.5", "", ""}, {3, "0.0", "", "32.0", "33.3"}}));
  report.submissions[0].labs[0].rungs[0].measurement.line_counts[2] = {.line = 3, .instructions = 1};
  const json fewer = json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["counters"];
  EXPECT_EQ(fewer["names"], json({"instr. %", "load"})) << "no line has a value in the others";
  EXPECT_EQ(fewer["lines"][0], json({2, "74.6", "4.5"}));
}

TEST(HtmlTest, ThePicturesHaveTheTurnsAndSectorsOfTheWorstRequests) {
  score::GradingReport report = OneStudent();
  report.submissions[0].sources["lab2/v1_naive.cu"] = "1\n2\n3\n";
  score::RungMeasurement& measurement = report.submissions[0].labs[0].rungs[0].measurement;
  EXPECT_EQ(json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["pictures"], json::array());
  score::LineRequests column{.line = 2, .in_shared = true, .requests = 5, .cost = 160, .fewest = 5};
  score::LineRequests scattered{.line = 3, .requests = 5, .cost = 160, .fewest = 20};
  for (uint64_t lane = 0; lane < 32; ++lane) {
    column.shown.at.push_back(128 * lane);
    scattered.shown.at.push_back(128 * lane + 36);
  }
  for (score::LineRequests* one : {&column, &scattered}) {
    one->shown.bytes = 4;
    one->shown.lanes = 0xFFFFFFFF;
    one->shown.cost = 32;
    one->shown.kernel = "k<int>";
    one->shown.block_size = {32, 1, 1};
  }
  scattered.shown.array = "d_in";
  score::LineRequests fine = scattered;
  fine.fewest = fine.cost;
  measurement.pictures = {"512 x 512", {column, scattered, fine}};
  const json pictures = json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["pictures"];
  ASSERT_EQ(pictures.size(), 2u) << "a line that costs no more than it must has none";
  EXPECT_EQ(pictures[0]["line"], 2);
  ASSERT_EQ(pictures[0]["cells"].size(), 32u);
  EXPECT_EQ(pictures[0]["cells"][31], json({31, 0, 32, true}));
  ASSERT_EQ(pictures[1]["rows"].size(), 32u);
  EXPECT_EQ(pictures[1]["rows"][1], json({"d_in + 128", 1, "00001111000000000000000000000000", "lane 1"}));
  EXPECT_THAT(pictures[1]["notes"][0], StartsWith("kernel k<int>, block (0,0,0)"));
}

TEST(HtmlTest, ThePicturesHaveTheStepsOfTheWorstWarp) {
  score::GradingReport report = OneStudent();
  report.submissions[0].sources["lab2/v1_naive.cu"] = "1\n2\n3\n";
  score::LineBranches line{2, 40, 20, "k<int>", {0, 0, 0}, {32, 1, 1}, 0, 3, 2};
  line.steps = {{0xFF, 0xFF, 1}, {0xFF, 0xFF, 1}, {0xFF, 0xFF, 0xFF}};
  report.submissions[0].labs[0].rungs[0].measurement.pictures.branches = {line};
  const json pictures = json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["pictures"];
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_EQ(pictures[0]["words"], "lanes of one warp go both ways at 2 of 3 steps");
  const std::string none(24, '0');
  EXPECT_EQ(pictures[0]["steps"],
            json({{1, 2, "10000000" + none, "01111111" + none}, {3, 3, "11111111" + none, "00000000" + none}}));
}

TEST(HtmlTest, ThePictureOfARaceHasWhatTheTerminalDraws) {
  score::GradingReport report = OneStudent();
  report.submissions[0].sources["lab2/v1_naive.cu"] = "{\n  tile[t] = 1;\n\n  x = tile[s - t];\n}\n";
  const score::RaceOfTwo race{"k\x1b[2J",
                              "tile[33] in shared memory",
                              "block",
                              {2, "wrote", {1, 0, 0}, {33, 0, 0}, 1, 1},
                              {4, "read", {1, 0, 0}, {2, 0, 0}, 0, 2},
                              4};
  score::RaceOfTwo elsewhere = race;
  elsewhere.first.line = elsewhere.second.line = 0;
  report.submissions[0].labs[0].rungs[0].measurement.pictures.races = {elsewhere, race};
  const json pictures = json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["pictures"];
  ASSERT_EQ(pictures.size(), 1u) << "a race that is at no line of the file has no place for a picture";
  const json& drawn = pictures[0];
  EXPECT_EQ(drawn["line"], 4);
  EXPECT_EQ(drawn["words"], RaceWords(race));
  EXPECT_EQ(drawn["missing"], "no __syncthreads() here");
  EXPECT_EQ(drawn["accesses"][0], json({{"thread", "thread (33,0,0)"},
                                        {"where", "block (1,0,0), warp 1, lane 1"},
                                        {"lane", 1},
                                        {"deed", "line 2: wrote tile[33]"},
                                        {"code", "tile[t] = 1;"}}));
  EXPECT_EQ(drawn["accesses"][1]["deed"], "line 4: read tile[33]");
  EXPECT_EQ(drawn["notes"], json({"kernel k\\x1b[2J", RaceOutcomeWords(race)}));
}

TEST(HtmlTest, ThePageOfStepsHasWhatIsDrawnOfEachStep) {
  const std::string page = StepsPage(Tree(64), {"lab1 v2", "a case", "one\ntwo\nthree\n", "0.1"});
  const json data = json::parse(Between(page, "<script type=\"application/json\" id=\"data\">", "</script>"));
  ASSERT_EQ(data["steps"].size(), 7u);
  const json& step = data["steps"][1];
  EXPECT_EQ(step["lines"], json({{3, "three"}}));
  EXPECT_EQ(step["panels"][0]["wires"][1], json({{2, 3}, 2, 0, 2}));
  EXPECT_EQ(step["panels"][0]["bottom"][2], json({"2", "7", true, false}));
  EXPECT_EQ(step["warps"], json({{"warps 0 to 1", "10101010101010101010101010101010", "16 of 32 lanes"}}));
  EXPECT_EQ(data["notes"], json::array());
}

TEST(HtmlTest, ThePageOfManyStepsIsBounded) {
  score::BlockSteps block = Tree(1024);
  while (block.steps.size() < 4000) block.steps.push_back(block.steps[1]);
  const std::string page = StepsPage(block, {"lab1 v2", "a case", "", "0.1"});
  EXPECT_LT(page.size(), size_t{1} << 20);
  EXPECT_THAT(page, HasSubstr("This page has the first 256 of 4000 steps."));
}

TEST(HtmlTest, ThePageOfManyStepsHasTheStepThatItShowsFirst) {
  score::BlockSteps block = Tree(64);
  while (block.steps.size() < 4000) block.steps.push_back(block.steps[1]);
  const auto data = [&block](size_t step) {
    const std::string page = StepsPage(block, {"lab1 v2", "a case", "", "0.1", step});
    return json::parse(Between(page, "<script type=\"application/json\" id=\"data\">", "</script>"));
  };
  for (const size_t step : {size_t{1}, size_t{3}, size_t{256}, size_t{257}, size_t{3999}, size_t{4000}}) {
    const json shown = data(step);
    EXPECT_EQ(shown["steps"].size(), 256u);
    EXPECT_THAT(shown["steps"][shown["at"].get<size_t>()]["title"].get<std::string>(),
                StartsWith("step " + std::to_string(step) + " of 4000: "));
  }
  EXPECT_EQ(data(4000)["notes"], json({"This page has the steps 3745 to 4000 of 4000."}));
}

TEST(HtmlTest, TheStepsOfABlockAreOnThePageOfItsSubmission) {
  score::GradingReport report = OneStudent();
  report.check_options = " --submission mine";
  score::SubmissionScore& student = report.submissions[0];
  score::Pictures& pictures = student.labs[0].rungs[0].measurement.pictures;
  const auto steps = [&report] { return json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["blockSteps"]; };
  pictures.steps = {Tree(64)};
  pictures.case_name = "a case";
  EXPECT_EQ(steps(), nullptr) << "without the source there is no place for them";
  student.sources["lab2/v1_naive.cu"] = "one\ntwo\nthree\n";
  EXPECT_EQ(steps()["case"], "a case");
  EXPECT_THAT(steps()["words"].get<std::string>(), StartsWith("kernel reduce<float>, launch 1 of 3: block (0,0,0)"));
  EXPECT_EQ(steps()["notes"], json::array());
  ASSERT_EQ(steps()["steps"].size(), 7u);
  EXPECT_EQ(steps()["steps"][1]["lines"], json({{3, "three"}}));
  EXPECT_THAT(steps()["steps"][1]["title"].get<std::string>(), StartsWith("step 2 of 7: "));
  pictures.steps[0].steps.resize(1);
  EXPECT_EQ(steps(), nullptr) << "one step cannot be gone through";
  pictures.steps[0].steps[0].writes[0].what.array = 7;
  EXPECT_EQ(steps(), nullptr);
}

TEST(HtmlTest, ThePageOfASubmissionHasAFewHundredKilobytesOfSteps) {
  score::GradingReport report = OneStudent();
  report.check_program = "./warpgrade";
  report.check_options = " --submission mine";
  score::SubmissionScore& student = report.submissions[0];
  score::BlockSteps block = Tree(64);
  while (block.steps.size() < 4000) block.steps.push_back(block.steps[1]);
  std::vector<score::RungScore>& rungs = student.labs[0].rungs;
  while (rungs.size() < 12) rungs.push_back(rungs[0]);
  for (size_t i = 0; i < rungs.size(); ++i) {
    rungs[i].rung = "v" + std::to_string(i + 1) + "_naive";
    rungs[i].measurement.pictures.steps = {block};
    student.sources["lab2/" + rungs[i].rung + ".cu"] = "one\ntwo\n";
  }
  const std::string page = HtmlText(report);
  EXPECT_LT(page.size(), size_t{700} << 10);
  const json data = json::parse(SubmissionData(report))["labs"][0]["rungs"];
  const size_t first = data[0]["blockSteps"]["steps"].size();
  EXPECT_GT(first, 20u);
  EXPECT_EQ(
      data[0]["blockSteps"]["notes"],
      json({"This page has the first " + std::to_string(first) +
            " of 4000 steps. `./warpgrade explain lab2 v1 --submission mine --steps --html v1.html` writes a page "
            "with more."}));
  EXPECT_EQ(data[11]["blockSteps"]["steps"], json::array());
  EXPECT_EQ(data[11]["blockSteps"]["notes"],
            json({"The steps do not fit into this page. `./warpgrade explain lab2 v12 --submission mine --steps --html "
                  "v12.html` writes a page with more."}));
}

TEST(HtmlTest, AVeryLongSourceIsCutAndSaysSo) {
  score::GradingReport report = OneStudent();
  report.submissions[0].sources["lab2/v1_naive.cu"] = "first\n" + std::string(2 * kMostSourceBytes, 'x') + "\nlast\n";
  const json source = json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["source"];
  EXPECT_THAT(source, ElementsAre("first", HasSubstr("more bytes not shown)")));
}

TEST(HtmlTest, TheDirectionOfWritingInASourceIsVisible) {
  score::GradingReport report = OneStudent();
  report.submissions[0].sources["lab2/v1_naive.cu"] = "/*\u202E } \u2066if (isAdmin)\u2069*/";
  const std::string line = json::parse(SubmissionData(report))["labs"][0]["rungs"][0]["source"][0];
  EXPECT_EQ(line, "/*\\u202e } \\u2066if (isAdmin)\\u2069*/");
}

TEST(HtmlTest, AnUnfinishedSubmissionHasNoSum) {
  score::GradingReport report = Class(3);
  report.submissions[1].unfinished = {{"lab1", "v9_one", "no memory"}};
  const json data = json::parse(ClassData(report));
  EXPECT_EQ(data["students"][1]["total"], nullptr);
  EXPECT_EQ(data["students"][1]["labs"][1], nullptr) << "lab1";
  EXPECT_EQ(data["students"][1]["labs"][0], 18) << "lab2 is finished";
  EXPECT_EQ(data["machine"]["rows"], json({{"s1001", "lab1.v9_one", "no memory"}}));
  EXPECT_EQ(json::parse(SubmissionData(GpuReport({report.submissions[1]})))["finished"], false);
}

TEST(HtmlTest, TheClassHasItsDistributionAndWhatToLookAt) {
  score::GradingReport report = Class(20);
  score::RungScore& slow = report.submissions[4].labs[1].rungs[0];
  slow.measurement.throughput.value = 17;
  report.submissions[7].labs[1].rungs[1].measurement.throughput.gpu = HotGpu();
  report.submissions[9].points = config::Points();
  const json data = json::parse(ClassData(report));
  const json& forged = data["labs"][1]["rungs"][2];
  EXPECT_EQ(forged["name"], "v3_forged");
  EXPECT_EQ(forged["states"]["f"], 20);
  EXPECT_EQ(data["labs"][0]["rungs"][0]["bins"], json({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20}));
  EXPECT_EQ(data["labs"][0]["rungs"][1]["bins"], json({0, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0})) << "8 of 10";
  EXPECT_EQ(data["flagged"]["count"], 20);
  EXPECT_THAT(data["flagged"]["rows"][0][2], HasSubstr("FLAGGED 8000 GB/s: the worker's own clock"));
  EXPECT_EQ(data["outliers"]["rows"], json({{"s1009", "all points", "0% of the points, fewer than most"},
                                            {"s1004", "lab1.v1_fast", "17 GB/s, slower than most"}}));
  EXPECT_THAT(data["machine"]["rows"][0][1], "lab1.v2_slow");
  EXPECT_EQ(data["students"][0]["rungs"][0][1], "apwwwnw");
}

TEST(HtmlTest, StaffSeeWhoIsAlikeAndWhatHasNoResult) {
  score::GradingReport report = Class(20);
  report.submissions[3].labs.clear();
  report.submissions[3].messages = {"nothing handed in"};
  report.submissions[5].unfinished = {{"lab2", "v1", "no memory"}, {"lab2", "v2", "no memory"}, {"lab2", "v3", "hot"}};
  report.students["s1004"] = {.id = "s1004", .name = "Ada\nLovelace", .section = "B"};
  report.class_notes = {{"lab2"},
                        {{"lab2", {"s1001", "s1002"}, 0.987, "v1.cu"}, {"lab2", {"s1001", "x"}, NAN, "\x1b"}},
                        {"foo.zip: no student foo"},
                        {"the node has failed"}};
  const json data = json::parse(ClassData(report));
  EXPECT_EQ(data["alike"]["labs"], json({"lab2"}));
  EXPECT_EQ(data["alike"]["rows"], json({{"lab2", "s1001, s1002", 99, "v1.cu"}, {"lab2", "s1001, x", 0, "\\x1b"}}));
  EXPECT_EQ(data["students"][2]["alike"], true);
  EXPECT_FALSE(data["students"][3].contains("alike"));
  EXPECT_EQ(data["students"][4]["name"], "Ada Lovelace");
  EXPECT_EQ(data["students"][4]["section"], "B");
  EXPECT_EQ(data["whole"]["rows"],
            json({{"–", "no student", "foo.zip: no student foo"}, {"s1003", "no result", "nothing handed in"}}));
  EXPECT_EQ(data["machine"]["rows"][0], json({"–", "this run", "the node has failed"}));
  EXPECT_EQ(data["machine"]["rows"][1], json({"s1005", "lab2: 2 rungs", "no memory"}));
  EXPECT_EQ(data["machine"]["rows"][2], json({"s1005", "lab2.v3", "hot"}));
}

TEST(HtmlTest, WhoIsAlikeIsNotInAPageForStudents) {
  score::GradingReport report = Class(2);
  report.class_notes = {{"lab2"}, {{"lab2", {"s1000", "s1001"}, 0.9, "v1.cu: alike"}}, {}, {}};
  for (const Format& format : Formats()) {
    if (format.flag != "--html") continue;
    EXPECT_THAT(*TextOf(format, report, {0, std::nullopt}), HasSubstr("v1.cu: alike"));
    EXPECT_THAT(*TextOf(format, report, {0, score::Reader::kStudents}), Not(HasSubstr("v1.cu: alike")));
  }
}

TEST(HtmlTest, ASpeedThatIsNoNumberIsNoOutlier) {
  score::GradingReport report = Class(20);
  report.submissions[4].labs[1].rungs[0].measurement.throughput.value = NAN;
  report.submissions[5].labs[1].rungs[0].measurement.throughput.value = INFINITY;
  report.submissions[6].labs[1].rungs[0].measurement.throughput.value = 1e9;
  const json outliers = json::parse(ClassData(report))["outliers"]["rows"];
  ASSERT_EQ(outliers.size(), 1u);
  EXPECT_EQ(outliers[0][0], "s1006");
}

TEST(HtmlTest, OneSubmissionMayHaveThePageOfAClass) {
  const score::GradingReport report = OneStudent();
  EXPECT_THAT(ClassPage(report), HasSubstr("\"students\":[{\"id\":\"s1042\""));
  EXPECT_THAT(HtmlText(report), Not(HasSubstr("\"students\"")));
}

TEST(HtmlTest, AFewSubmissionsHaveNoOutliers) {
  score::GradingReport report = Class(7);
  report.submissions[3].points = config::Points();
  EXPECT_EQ(json::parse(ClassData(report))["outliers"]["count"], 0);
}

TEST(HtmlTest, ALongListIsCutAndCounted) {
  const json flagged = json::parse(ClassData(Class(150)))["flagged"];
  EXPECT_EQ(flagged["count"], 150);
  EXPECT_EQ(flagged["rows"].size(), 100u);
}

}  // namespace
}  // namespace warpgrade::report
