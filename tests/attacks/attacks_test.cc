// Every submission of attacks.yaml is graded, all in one class, with its honest twin beside it: no attack gains a
// point, no honest twin loses one, and nothing is left of either. On the emulator without the large cases, which can
// only cost an attack points; WARPGRADE_TEST_ALL_CASES=1 runs them too. With WARPGRADE_TEST_DEVICE=gpu in the
// environment on the GPU, and then those too that need one; that takes ten minutes, and WARPGRADE_TEST_ROWS="1-5 7"
// picks rows. `attacks_test --rebase` rewrites the table of docs/security.md. tests/as_plain_user.sh runs it once more
// for root, as an ordinary user: then only with what may depend on the user.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>

#include "grader/worker/protocol.h"
#include "tests/attacks/attack_table.h"
#include "tests/course/graded.h"

namespace warpgrade::attacks {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The document that shows the table, between these lines.
const std::string kDocument = "docs/security.md";
const std::string kTableBegin = "<!-- attacks: made from tests/attacks/attacks.yaml by `attacks_test --rebase` -->\n";
const std::string kTableEnd = "<!-- /attacks -->\n";

// A GPU's throughput is never the same twice, so an attack that changes nothing may seem to be faster by this share.
constexpr double kNoise = 0.03;

bool OnGpu() { return TestDevice() == "gpu"; }

bool IsGraded(const HostileSubmission& submission) { return OnGpu() || !submission.needs_gpu; }

const std::vector<Attack>& Table() {
  static const std::vector<Attack> table = ReadAttacks(SourcePath("tests/attacks/attacks.yaml"));
  return table;
}

// The rows that are graded.
const std::vector<Attack>& Chosen() {
  static const std::vector<Attack> chosen = [] {
    const char* const rows = std::getenv("WARPGRADE_TEST_ROWS");
    std::vector<Attack> attacks = rows == nullptr ? Table() : RowsOf(Table(), rows);
    return std::getenv("WARPGRADE_TEST_ORDINARY_USER") == nullptr ? attacks : OfBothUsers(attacks);
  }();
  return chosen;
}

// Those of a row that are needed: its own first.
std::vector<HonestTwin> TwinsOf(const Attack& attack) {
  std::vector<HonestTwin> twins = {attack.honest};
  for (const HostileSubmission& submission : attack.submissions) {
    const auto is_its = [&submission](const HonestTwin& twin) { return twin.file == submission.honest.file; };
    if (IsGraded(submission) && std::none_of(twins.begin(), twins.end(), is_its)) twins.push_back(submission.honest);
  }
  return twins;
}

void ReplaceAll(const std::string& what, const std::string& with, std::string* text) {
  for (size_t at = 0; (at = text->find(what, at)) != std::string::npos; at += with.size()) {
    text->replace(at, what.size(), with);
  }
}

// The kit's course with limits that a test can wait for. Host code of an honest rung takes a fraction of a second.
std::string CourseWithShortLimits() {
  std::string text = ReadText(SourcePath("course.yaml"));
  const auto set = [&text](const std::string& section, const std::string& limits) {
    const size_t at = text.find("\n  " + section + ": {");
    EXPECT_NE(at, std::string::npos) << "course.yaml: this test sets limits." << section;
    const size_t begin = text.find('{', at);
    text.replace(begin, text.find('}', begin) + 1 - begin, limits);
  };
  set("build", "{wall: 60s, cpu: 25s, memory: 2048MB, output: 1024KB, file: 64MB}");
  set("run", "{wall: 12s, cpu: 5s, memory: 1024MB, output: 64KB, file: 1MB, instructions: 4e8}");
  return text;
}

// Every path below `folder`.
std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) files.insert(entry.path());
  return files;
}

// The whole class, graded once for all tests.
class AttacksTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // What a submission leaves running becomes ours, however it detaches itself.
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    folder_ = new TemporaryFolder;
    for (const Attack& attack : Chosen()) HandIn(attack);
    for (const std::string& name : StrangeNames()) {  // with a rung that takes no time: only their names count
      Write(folder_->Path("class/" + name + "/lab2/v1_naive.cu"), ReadText(SourcePath("starter/lab2/v1_naive.cu")));
    }
    fs::create_directories(folder_->Path("tmp"));
    handed_in_ = new std::set<std::string>(FilesIn(folder_->Path("class")));
    setenv("TMPDIR", folder_->Path("tmp").c_str(), 1);
    graded_ = new Graded(Grade(folder_->Path("class"), WithSmallCases(Arguments())));
    unsetenv("TMPDIR");
    ASSERT_EQ(graded_->program.exit_code, 0) << graded_->program.err;
  }

  static void TearDownTestSuite() {
    delete graded_;
    delete handed_in_;
    delete folder_;
  }

  // Names that a terminal, a spreadsheet or a browser would act on.
  static std::vector<std::string> StrangeNames() {
    return {"=HYPERLINK(\"http:x\")",
            "=cmd|' C calc'!A0",
            "+1+1",
            "-1",
            "@SUM(A1)",
            "\x1b[2J\x1b[31mred",
            "<script>alert(1)<",
            "\"quoted\",comma",
            "line\nbreak",
            "\xff\xfe not utf-8",
            "\u202Eright to left"};
  }

  // Of `grade`: only the labs and rungs that the table names.
  static std::vector<std::string> Arguments() {
    std::set<std::string> labs, rungs;
    const auto add = [&](const auto& one) {
      labs.insert(one.lab);
      rungs.insert(one.rung);
    };
    for (const Attack& attack : Table()) {
      for (const HonestTwin& twin : TwinsOf(attack)) add(twin);
      for (const HostileSubmission& submission : attack.submissions) add(submission);
    }
    std::vector<std::string> arguments = {"--details",
                                          "--course",
                                          folder_->Write("course.yaml", CourseWithShortLimits()),
                                          "--csv",
                                          folder_->Path("marks.csv"),
                                          "--junit",
                                          folder_->Path("marks.xml")};
    for (const std::string& lab : labs) arguments.insert(arguments.end(), {"--lab", lab});
    for (const std::string& rung : rungs) arguments.insert(arguments.end(), {"--rung", rung});
    return arguments;
  }

  static void Write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << text;
  }

  static void WriteHostile(const std::string& path, std::string text) {
    ReplaceAll("@KIT@", SourcePath("."), &text);
    ReplaceAll("@CLASS@", folder_->Path("class"), &text);
    Write(path, text);
  }

  static void HandIn(const Attack& attack) {
    const auto place = [](const std::string& id, const std::string& lab, const std::string& rung) {
      return folder_->Path("class/" + id + "/" + lab + "/" + rung + ".cu");
    };
    for (const HonestTwin& twin : TwinsOf(attack)) {
      Write(place(twin.Id(), twin.lab, twin.rung), ReadText(SourcePath("tests/attacks/" + twin.file)));
    }
    for (const HostileSubmission& submission : attack.submissions) {
      if (!IsGraded(submission)) continue;
      const std::string from = SourcePath("tests/attacks/" + submission.file);
      if (fs::is_directory(from)) {
        fs::copy(from, folder_->Path("class/" + submission.Id()), fs::copy_options::recursive);
      } else {
        WriteHostile(place(submission.Id(), submission.lab, submission.rung), ReadText(from));
      }
    }
  }

  static double PointsOf(const HonestTwin& twin) {
    return graded_->Rung(twin.Id(), twin.lab, twin.rung).at("points").get<double>();
  }

  // "value", in GB/s, or "share", of the copy or the solution; 0 when it was not measured or is not believed.
  static double Speed(const json& rung, const char* key) {
    const json& throughput = rung.at("throughput");
    return throughput.value("status", "") == "measured" ? throughput.at(key).get<double>() : 0;
  }

  // Points alone would not tell: the twin may have full marks already.
  static void ExpectNoFaster(const HostileSubmission& submission, const HonestTwin& twin) {
    const json& rung = graded_->Rung(submission.Id(), submission.lab, submission.rung);
    const json& honest = graded_->Rung(twin.Id(), twin.lab, twin.rung);
    std::cout << "  " << rung.at("points") << " points, " << Speed(rung, "value") << " GB/s; its twin "
              << honest.at("points") << " points, " << Speed(honest, "value") << " GB/s. "
              << rung.at("throughput").at("reason") << "\n";
    if (submission.lab != twin.lab || submission.rung != twin.rung) return;  // two rungs have two speeds
    EXPECT_LE(Speed(rung, "share"), (1 + kNoise) * Speed(honest, "share"));
    // What is mostly the host's work takes another time each time.
    if (honest.at("throughput").value("ceiling_of", "") == "solution") return;
    EXPECT_LE(Speed(rung, "value"), (1 + kNoise) * Speed(honest, "value"));
  }

  static TemporaryFolder* folder_;
  static std::set<std::string>* handed_in_;
  static Graded* graded_;
};

TemporaryFolder* AttacksTest::folder_ = nullptr;
std::set<std::string>* AttacksTest::handed_in_ = nullptr;
Graded* AttacksTest::graded_ = nullptr;

TEST_F(AttacksTest, EachGetsWhatTheTableSaysAndIsToldWhy) {
  for (const Attack& attack : Chosen()) {
    for (const HostileSubmission& submission : attack.submissions) {
      if (!IsGraded(submission)) {
        std::cout << "skipped: no GPU: " << submission.Id() << ", which " << submission.tries << "\n";
        continue;
      }
      const json& rung = graded_->Rung(submission.Id(), submission.lab, submission.rung);
      const std::string told = Told(rung), status = rung.at("status");
      const std::string wanted =
          OnGpu() ? "(?:" + submission.told + ")|(?:" + submission.told_on_gpu + ")" : submission.told;
      std::cout << submission.Id() << ": " << status << ": " << told.substr(0, told.find('\n')) << "\n";
      SCOPED_TRACE(submission.file + " " + submission.tries + ". It is " + status + " and is told:\n" + told);
      EXPECT_TRUE(std::regex_match(status, std::regex(submission.status))) << "wanted: " << submission.status;
      EXPECT_TRUE(std::regex_search(told, std::regex(wanted, std::regex::icase)))
          << "nothing that it is told matches: " << wanted;
      double points = rung.at("points").get<double>();
      if (submission.without_it > 0) points -= rung.at("throughput").at("points").get<double>();
      if (OnGpu()) ExpectNoFaster(submission, submission.honest);
      EXPECT_LE(points, submission.as_honest ? PointsOf(submission.honest) : submission.without_it);
      EXPECT_THAT(told, Not(HasSubstr("LEAKED")));
    }
  }
}

TEST_F(AttacksTest, EachHonestTwinGetsAllThatCanBeMeasured) {
  for (const Attack& attack : Chosen()) {
    for (const HonestTwin& twin : TwinsOf(attack)) {
      const json& rung = graded_->Rung(twin.Id(), twin.lab, twin.rung);
      SCOPED_TRACE(twin.file + " " + twin.does + ". It is told:\n" + Told(rung));
      EXPECT_EQ(rung.at("status"), "passed");
      EXPECT_GT(rung.at("points").get<double>(), 0);
      if (OnGpu()) continue;  // where a simple rung is slow
      EXPECT_EQ(rung.at("points"), rung.at("measurable_points"));
    }
  }
}

TEST_F(AttacksTest, NothingIsLeftOfThem) {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process has outlived the grader";
  EXPECT_THAT(FilesIn(folder_->Path("tmp")), IsEmpty());
  EXPECT_EQ(FilesIn(folder_->Path("class")), *handed_in_);
  for (const char* path : {"/tmp/huge", "/tmp/answers", "/tmp/results.json", "/tmp/warpgrade.json", "/results.json",
                           "/dev/shm/results.json", "/warpgrade-message", "/dev/shm/warpgrade-message"}) {
    EXPECT_FALSE(fs::exists(path)) << path;
  }
  EXPECT_THAT(graded_->program.out + graded_->program.err, Not(HasSubstr("LEAKED")));
}

TEST_F(AttacksTest, NamesAndOutputAreFitToPrintInEveryReport) {
  const std::map<std::string, std::string> reports = {{"table", graded_->program.out},
                                                      {"progress", graded_->program.err},
                                                      {"JSON", graded_->report.dump()},
                                                      {"CSV", ReadText(folder_->Path("marks.csv"))},
                                                      {"JUnit", ReadText(folder_->Path("marks.xml"))}};
  for (const auto& [name, text] : reports) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << name;
    EXPECT_THAT(text, Not(HasSubstr("\u202E"))) << name;
    EXPECT_EQ(text.find('\x07'), std::string::npos) << name;
    EXPECT_EQ(text.find('\r') == std::string::npos || name == "CSV", true) << name;
  }
  EXPECT_THAT(reports.at("JUnit"), Not(HasSubstr("<script")));
  // A cell that begins with one of these is a formula to a spreadsheet, unless it is a negative number.
  EXPECT_FALSE(std::regex_search(reports.at("CSV"), std::regex("(^|\n|,)\"?(?!-[0-9.]+[,\n])[=+@-]")))
      << reports.at("CSV");
  const std::vector<std::string> names = StrangeNames();
  std::set<std::string> ids(names.begin(), names.end());
  for (const Attack& attack : Chosen()) {
    for (const HonestTwin& twin : TwinsOf(attack)) ids.insert(twin.Id());
    for (const HostileSubmission& submission : attack.submissions) {
      if (IsGraded(submission)) ids.insert(submission.Id());
    }
  }
  EXPECT_EQ(graded_->report.at("submissions").size(), ids.size());
}

TEST(AttackTableTest, HasAllRowsAndEveryFileThatIsThere) {
  std::set<std::string> listed, twins;  // a twin may be that of two rows
  int row = 0;
  for (const Attack& attack : Table()) {
    EXPECT_EQ(attack.row, ++row);
    twins.insert(attack.honest.file);
    for (const HostileSubmission& submission : attack.submissions) twins.insert(submission.honest.file);
    EXPECT_FALSE(attack.submissions.empty()) << attack.row;
    for (const HostileSubmission& submission : attack.submissions) {
      EXPECT_TRUE(listed.insert(submission.file).second) << submission.file << " is listed twice";
    }
  }
  EXPECT_EQ(row, 28);
  for (const std::string& twin : twins) EXPECT_TRUE(listed.insert(twin).second) << twin << " is an attack, too";
  for (const auto& kind : fs::directory_iterator(SourcePath("tests/attacks"))) {
    if (!kind.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(kind)) {
      const std::string file = fs::relative(entry, SourcePath("tests/attacks"));
      EXPECT_TRUE(listed.erase(file)) << file << " is not in attacks.yaml";
    }
  }
  EXPECT_THAT(listed, IsEmpty()) << "listed, but there is no such file";
}

TEST(AttackTableTest, WhatForgesMessagesForgesThoseOfTodaysProtocol) {
  const std::regex version("uint16_t version = (\\d+)");
  int forgers = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(SourcePath("tests/attacks"))) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::smatch found;
    if (!std::regex_search(text, found, version)) continue;
    ++forgers;
    EXPECT_EQ(found[1], std::to_string(protocol::kVersion)) << entry.path();
  }
  EXPECT_GE(forgers, 5);
}

TEST(AttackTableTest, IsTheDocuments) {
  const std::string document = ReadText(SourcePath(kDocument));
  const size_t begin = document.find(kTableBegin), end = document.find(kTableEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const size_t first = begin + kTableBegin.size();
  EXPECT_EQ(document.substr(first, end - first), MarkdownTable(Table()))
      << "run attacks_test --rebase and look at the diff";
}

void Rebase() {
  std::string document = ReadText(SourcePath(kDocument));
  const size_t begin = document.find(kTableBegin) + kTableBegin.size();
  document.replace(begin, document.find(kTableEnd) - begin, MarkdownTable(Table()));
  std::ofstream(SourcePath(kDocument)) << document;
}

}  // namespace
}  // namespace warpgrade::attacks

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && std::string(argv[1]) == "--rebase") {
    warpgrade::attacks::Rebase();
    return 0;
  }
  return RUN_ALL_TESTS();
}
