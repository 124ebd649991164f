// The pictures of `warpgrade explain`, for the course's mutants whose technique is wrong because of memory. For every
// line of each of them, what was recorded must be what the counters of the same run say, and the drawing of the worst
// request must have the turns and sectors that an oracle counts from its addresses (tests/report/picture_oracle.h).
//
// docs/pictures.md shows the pictures of ten of them, which must be those that are drawn here.
//
// Two mutants are drawn in every run of the tests. WARPGRADE_TEST_EXPLAIN=1 draws all of them, which takes minutes;
// WARPGRADE_TEST_EXPLAIN=rebase writes the ten into the document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "grader/judge/measurement_json.h"
#include "grader/report/explain_text.h"
#include "tests/cli/program.h"
#include "tests/course/course_files.h"
#include "tests/course/graded.h"
#include "tests/course/mutant_rows.h"
#include "tests/report/picture_oracle.h"

namespace warpgrade {
namespace {

using Does = score::LineRequests::Does;

// The metrics that say something of how memory is accessed.
bool IsOfMemory(const std::string& metric) {
  static const std::set<std::string> kOfMemory = {"global_load_sectors_per_request",
                                                  "global_store_sectors_per_request",
                                                  "global_load_efficiency",
                                                  "global_store_efficiency",
                                                  "global_bytes_per_element",
                                                  "shared_requests_per_warp",
                                                  "shared_wavefronts",
                                                  "shared_bank_conflicts",
                                                  "atomics"};
  return kOfMemory.contains(metric);
}

std::vector<Mutant> MutantsOfMemory(const std::string& lab) {
  std::vector<Mutant> mutants = ReadMutants(lab);
  std::erase_if(mutants, [](const Mutant& mutant) {
    return mutant.lost != "technique" || std::none_of(mutant.metrics.begin(), mutant.metrics.end(), IsOfMemory);
  });
  return mutants;
}

struct Explained {
  ProgramResult program;
  score::RungMeasurement measurement;
};

Explained Explain(const std::string& lab, const Mutant& mutant) {
  const TemporaryFolder folder;
  folder.Write("mine/" + lab + "/" + mutant.rung() + ".cu", MutantText(lab, mutant.name));
  const std::string file = folder.Path("measurement.json");
  Explained explained;
  explained.program = RunProgram(
      {WARPGRADE_BINARY, "explain", lab, mutant.rung(), "--submission", folder.Path("mine"), "--measurement", file},
      {"LC_ALL=C"});
  EXPECT_EQ(explained.program.exit_code, 0) << explained.program.err;
  const Result<score::RungMeasurement> measurement = judge::ParseMeasurement(ReadText(file));
  EXPECT_TRUE(measurement.ok());
  if (measurement.ok()) explained.measurement = *measurement;
  return explained;
}

// What was recorded at each line is what the counters say.
void ExpectTheCounters(const score::RungMeasurement& measurement) {
  std::map<int, score::LineCounts> recorded;
  for (const score::LineRequests& one : measurement.pictures.requests) {
    score::LineCounts& counts = recorded[one.line];
    uint64_t requests = 0, cost = 0;
    for (const score::RequestsOfCost& of_cost : one.costs) {
      requests += of_cost.count;
      cost += of_cost.count * of_cost.cost;
    }
    EXPECT_EQ(requests, one.requests) << "line " << one.line;
    EXPECT_EQ(cost, one.cost) << "line " << one.line;
    if (one.in_shared) {
      counts.shared_requests += requests;
      counts.shared_turns += cost;
    } else if (one.does == Does::kLoad) {
      counts.load_requests += requests;
      counts.load_sectors += cost;
    } else {
      counts.store_requests += requests;
      counts.store_sectors += cost;
    }
  }
  for (const score::LineCounts& counts : measurement.line_counts) {
    if (counts.line == 0) continue;  // of no line of the rung's own file
    const score::LineCounts& of_line = recorded[counts.line];
    EXPECT_EQ(of_line.load_requests, counts.load_requests) << "line " << counts.line;
    EXPECT_EQ(of_line.load_sectors, counts.load_sectors) << "line " << counts.line;
    EXPECT_EQ(of_line.store_requests, counts.store_requests) << "line " << counts.line;
    EXPECT_EQ(of_line.store_sectors, counts.store_sectors) << "line " << counts.line;
    EXPECT_EQ(of_line.shared_requests, counts.shared_requests) << "line " << counts.line;
    EXPECT_EQ(of_line.shared_turns, counts.shared_turns) << "line " << counts.line;
  }
}

// The worst request of each line is drawn as the oracle counts it, and as it was counted when it was made.
void ExpectTheDrawings(const score::RungMeasurement& measurement) {
  for (const score::LineRequests& one : measurement.pictures.requests) {
    const score::MemoryRequest& shown = one.shown;
    const std::string text = report::RequestText(one, {});
    SCOPED_TRACE("line " + std::to_string(one.line) + ":\n" + text);
    const CountedDrawing drawn = CountDrawing(text, one.in_shared);
    uint64_t most_above = 0;
    for (const score::RequestsOfCost& of_cost : one.costs) {
      most_above = std::max(most_above, of_cost.cost - of_cost.fewest);
    }
    EXPECT_EQ(shown.cost - shown.fewest, most_above) << "the worst one is shown";
    if (one.in_shared) {
      EXPECT_EQ(TurnsByService(shown), shown.cost);
      EXPECT_EQ(drawn.turns.size(), shown.cost);
      EXPECT_EQ(drawn.banks_of_lane.size(), shown.at.size());
    } else {
      EXPECT_EQ(SectorsByByte(shown), shown.cost);
      EXPECT_EQ(drawn.sectors, shown.cost);
      EXPECT_EQ(drawn.wanted, WantedBytes(shown).size());
    }
  }
}

void ExpectDrawnAsCounted(const std::string& lab, const Mutant& mutant) {
  SCOPED_TRACE(lab + " " + mutant.name);
  const Explained explained = Explain(lab, mutant);
  EXPECT_EQ(explained.measurement.status, score::RungStatus::kPassed) << "its answers are right";
  ASSERT_FALSE(explained.measurement.pictures.requests.empty());
  ExpectTheCounters(explained.measurement);
  ExpectTheDrawings(explained.measurement);
  const auto chosen = report::ChooseRequests(explained.measurement.pictures, std::nullopt);
  for (const score::LineRequests* one : chosen) {
    EXPECT_THAT(explained.program.out, testing::HasSubstr(report::RequestText(*one, {}))) << "it is printed";
  }
}

std::string Switch() {
  const char* const value = std::getenv("WARPGRADE_TEST_EXPLAIN");
  return value == nullptr ? "" : value;
}
bool IsWithAllMutants() { return Switch() == "1"; }
bool IsRebase() { return Switch() == "rebase"; }

// The mutants that are drawn in every run.
bool IsSample(const Mutant& mutant) {
  return mutant.name == "v3_padded__unpadded" || mutant.name == "v2_shared__naive";
}

// A picture in the document: "<!-- picture: lab2 NAME -->", then a block of text.
struct Shown {
  std::string lab, name;
  size_t begin = 0, end = 0;  // of the text in the block
};

std::vector<Shown> ShownIn(const std::string& document) {
  constexpr std::string_view kMark = "<!-- picture: ", kOpen = "```text\n", kClose = "```\n";
  std::vector<Shown> all;
  for (size_t at = document.find(kMark); at != std::string::npos; at = document.find(kMark, at + 1)) {
    std::istringstream words(document.substr(at + kMark.size(), document.find(" -->", at) - at - kMark.size()));
    Shown shown;
    words >> shown.lab >> shown.name;
    shown.begin = document.find(kOpen, at) + kOpen.size();
    shown.end = document.find(kClose, shown.begin);
    all.push_back(shown);
  }
  return all;
}

// What the document shows of a mutant: the request that costs most.
std::string PictureOf(const std::string& lab, const Mutant& mutant) {
  const score::RungMeasurement measurement = Explain(lab, mutant).measurement;
  const auto chosen = report::ChooseRequests(measurement.pictures, std::nullopt);
  EXPECT_FALSE(chosen.empty()) << lab << " " << mutant.name;
  return chosen.empty() ? "" : report::RequestText(*chosen[0], {.utf8 = true});
}

TEST(ExplainedMutantsTest, TwoAreDrawnAsTheyAreCounted) {
  for (const Mutant& mutant : MutantsOfMemory("lab2")) {
    if (IsSample(mutant)) ExpectDrawnAsCounted("lab2", mutant);
  }
}

TEST(ExplainedMutantsTest, AllAreDrawnAsTheyAreCounted) {
  if (!IsWithAllMutants()) GTEST_SKIP() << "WARPGRADE_TEST_EXPLAIN=1 draws all of them";
  size_t drawn = 0;
  for (const std::string& lab : CourseLabNames()) {
    for (const Mutant& mutant : MutantsOfMemory(lab)) {
      ExpectDrawnAsCounted(lab, mutant);
      ++drawn;
    }
  }
  EXPECT_GE(drawn, 40u);
}

TEST(ExplainedMutantsTest, TheDocumentShowsTenOfThemAsTheyAreDrawn) {
  const std::string path = SourcePath("docs/pictures.md");
  std::string document = ReadText(path);
  std::vector<Shown> all = ShownIn(document);
  EXPECT_EQ(all.size(), 10u);
  std::reverse(all.begin(), all.end());  // so that places stay right when text changes
  for (const Shown& shown : all) {
    const std::vector<Mutant> mutants = MutantsOfMemory(shown.lab);
    const auto mutant =
        std::find_if(mutants.begin(), mutants.end(), [&](const Mutant& m) { return m.name == shown.name; });
    ASSERT_NE(mutant, mutants.end()) << shown.lab << " has no mutant " << shown.name << " whose technique is wrong "
                                     << "because of memory";
    if (!IsSample(*mutant) && !IsWithAllMutants() && !IsRebase()) continue;
    const std::string picture = PictureOf(shown.lab, *mutant);
    if (IsRebase()) {
      document.replace(shown.begin, shown.end - shown.begin, picture);
    } else {
      EXPECT_EQ(document.substr(shown.begin, shown.end - shown.begin), picture)
          << "run this test with WARPGRADE_TEST_EXPLAIN=rebase, and look at the difference";
    }
  }
  if (IsRebase()) std::ofstream(path) << document;
}

}  // namespace
}  // namespace warpgrade
