// Grades every wrong answer of labs/LAB/mutants. Each loses exactly the points that its row in mutants.yaml states, and
// the student is told why.
//
//   name     RUNG__WHAT: handed in as RUNG.cu. The text is what `labs/mutant.sh LAB NAME` prints
//   lost     correctness: all points of the rung, since nothing counts without right answers
//            technique: the points of the limits on `metrics`, and no others
//            nothing: the emulator is too slow for the case that shows the fault; a comment above the row names the
//            test that catches it
//   message  a regular expression, case ignored. It must match something that the student is told: a failure's message,
//            a finding's kind or message, or the metric that is missed
//   finding  may be left out: the kind of a finding that the student must be told
//   at       with `finding`: a part of the line that this finding names
//
// Nearly every mutant shows what it must in small cases, and the few large ones take most of the time. So each mutant
// is graded first without the large cases. A rung that fails there fails in every grading, since all cases must pass.
// Only the mutants that do not fail there, but must, are graded with all cases. For a mutant that loses technique, the
// small cases show that its answers are right. No mutant gets a second look (grader/judge/second_look.h), which would
// take a tenth of the time: second_look_test.cc tests it. WARPGRADE_TEST_ALL_CASES=1 grades every mutant with all
// cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <regex>
#include <set>

#include "tests/course/course_files.h"
#include "tests/course/graded.h"
#include "tests/course/mutant_rows.h"

namespace warpgrade {
namespace {

using nlohmann::json;

int64_t Hundredths(const json& points) { return std::llround(points.get<double>() * 100); }

void ExpectLosesAsStated(const Mutant& mutant, const json& rung) {
  const int64_t points = Hundredths(rung.at("points"));
  if (mutant.lost == "correctness") {
    EXPECT_EQ(points, 0);
    EXPECT_NE(rung.at("status"), "passed");
    EXPECT_NE(rung.at("status"), "compile_error") << "a mutant must be wrong, not broken";
    return;
  }
  if (mutant.lost == "nothing") {
    EXPECT_EQ(rung.at("status"), "passed");
    EXPECT_EQ(points, Hundredths(rung.at("measurable_points"))) << "it is seen now: say so in mutants.yaml";
    return;
  }
  ASSERT_EQ(mutant.lost, "technique") << "mutants.yaml: lost is correctness, technique or nothing";
  EXPECT_EQ(rung.at("status"), "passed") << "its answers are right";
  int64_t lost = 0;
  std::set<std::string> missed;
  for (const json& limit : rung.at("technique")) {
    if (limit.at("passed").get<bool>()) continue;
    missed.insert(limit.at("metric").get<std::string>());
    lost += Hundredths(limit.at("max_points"));
  }
  EXPECT_EQ(missed, mutant.metrics) << "the limits that it misses";
  EXPECT_GT(lost, 0) << "the limits that it misses are worth nothing";
  EXPECT_EQ(points, Hundredths(rung.at("measurable_points")) - lost);
}

// Whether one of the rung's findings is of the kind, and names a line that has the text, as the row states.
void ExpectFindingAsStated(const Mutant& mutant, const std::string& source, const json& rung) {
  if (mutant.finding.empty()) return;
  std::string found;
  for (const json& finding : rung.at("findings")) {
    const std::string line = LineOf(source, finding.at("line").get<int>());
    if (finding.at("kind") == mutant.finding && line.find(mutant.at) != std::string::npos) return;
    found += finding.at("kind").get<std::string>() + " at: " + line + "\n";
  }
  ADD_FAILURE() << "no finding " << mutant.finding << " at a line with " << mutant.at << ", but these:\n" << found;
}

class MutantsTest : public testing::TestWithParam<std::string> {};

// The file of one mutant, its result, and everything that the student is told.
struct Outcome {
  std::string source;
  json rung;
  std::string told;
};

// Grades mutants of one lab, with `arguments` for `warpgrade grade`. The outcomes by the mutants' names.
std::map<std::string, Outcome> GradeMutants(const std::string& lab, const std::vector<Mutant>& mutants,
                                            std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  // A submission has at most one mutant of each rung, so that one run of the compiler is enough for several mutants.
  std::map<std::string, std::string> submission_of, source_of;
  std::map<std::string, int> handed_in;  // for each rung
  for (const Mutant& mutant : mutants) {
    const std::string submission = "mutants_" + std::to_string(++handed_in[mutant.rung()]);
    submission_of[mutant.name] = submission;
    source_of[mutant.name] = WithHeadersOfAllRungs(lab, MutantText(lab, mutant.name));
    folder.Write("class/" + submission + "/" + lab + "/" + mutant.rung() + ".cu", source_of.at(mutant.name));
  }
  arguments.insert(arguments.end(), {"--lab", lab, "--believe-together", "--no-second-look"});
  const Graded graded = Grade(folder.Path("class"), arguments);
  EXPECT_EQ(graded.program.exit_code, 0) << graded.program.err;
  std::map<std::string, Outcome> outcomes;
  for (const Mutant& mutant : mutants) {
    const json& rung = graded.Rung(submission_of.at(mutant.name), lab, mutant.rung());
    outcomes[mutant.name] = {source_of.at(mutant.name), rung, Told(rung)};
  }
  return outcomes;
}

bool IsTold(const Mutant& mutant, const std::string& told) {
  return std::regex_search(told, std::regex(mutant.message, std::regex::icase));
}

bool NeedsLargeCases(const Mutant& mutant, const Outcome& with_small_cases) {
  if (mutant.lost == "technique") return false;
  return with_small_cases.rung.at("status") == "passed" || !IsTold(mutant, with_small_cases.told);
}

TEST_P(MutantsTest, EachLosesExactlyWhatItStatesAndIsToldWhy) {
  const std::string& lab = GetParam();
  const std::vector<Mutant> mutants = ReadMutants(lab);
  std::vector<Mutant> left = mutants;
  std::map<std::string, Outcome> outcomes;
  if (!IsWithAllCases()) {
    outcomes = GradeMutants(lab, mutants, WithSmallCases({}));
    std::erase_if(left, [&](const Mutant& mutant) { return !NeedsLargeCases(mutant, outcomes.at(mutant.name)); });
  }
  for (const Mutant& mutant : left) std::cout << "with all cases: " << mutant.name << " (" << mutant.lost << ")\n";
  if (!left.empty()) {
    for (auto& [name, outcome] : GradeMutants(lab, left, {})) outcomes[name] = std::move(outcome);
  }
  for (const Mutant& mutant : mutants) {
    const Outcome& outcome = outcomes.at(mutant.name);
    SCOPED_TRACE(lab + " " + mutant.name + " is told:\n" + outcome.told);
    ExpectLosesAsStated(mutant, outcome.rung);
    ExpectFindingAsStated(mutant, outcome.source, outcome.rung);
    EXPECT_TRUE(IsTold(mutant, outcome.told)) << "nothing that it is told matches: " << mutant.message;
  }
}

TEST_P(MutantsTest, TheTableListsEachFileOnce) {
  const std::string& lab = GetParam();
  const std::string folder = "labs/" + lab + "/mutants/";
  std::set<std::string> listed;
  for (const Mutant& mutant : ReadMutants(lab)) {
    EXPECT_TRUE(listed.insert(mutant.name).second) << folder << "mutants.yaml lists " << mutant.name << " twice";
  }
  for (const auto& entry : std::filesystem::directory_iterator(SourcePath(folder))) {
    if (entry.path().filename() == "mutants.yaml") continue;
    EXPECT_TRUE(listed.erase(entry.path().stem()))
        << folder << "mutants.yaml has no row for " << entry.path().filename() << ": add one";
  }
  EXPECT_THAT(listed, testing::IsEmpty()) << folder << "mutants.yaml lists these, but there is no NAME.diff or NAME.cu";
}

INSTANTIATE_TEST_SUITE_P(Labs, MutantsTest, testing::ValuesIn(CourseLabNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpgrade
