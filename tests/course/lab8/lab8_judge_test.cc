// lab8 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that the fault of each
// rung has one name which cannot be guessed, and that the lines which the names mean are in the starter files.
#include "labs/lab8/lab8_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "labs/lab8/cases.h"
#include "labs/lab8/lab8.h"
#include "labs/lab8/reference.h"
#include "labs/lab8/values.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using lab8::Problem;
using testing::HasSubstr;
using testing::Not;

// One call with its inputs drawn; the outputs are computed here, in another way than by reference.cc.
struct Drawn {
  explicit Drawn(const Problem& problem) : p(problem) {
    c.variant = p.task;
    c.sizes = {p.first, p.second};
    Random random(1);
    specs = Lab8().Buffers(c);
    for (size_t i = 0; i < specs.size(); ++i) {
      buffers.emplace_back(specs[i].bytes / sizeof(int));
      if (specs[i].role != BufferSpec::Role::kInput) continue;
      Lab8().DrawInput(c, static_cast<int>(i), random, std::as_writable_bytes(std::span(buffers.back())));
    }
  }

  void Answer() {
    const std::vector<int>& in = buffers[0];
    std::vector<int>& out = buffers.back();
    if (p.task == lab8::kBlockSums) {
      for (size_t b = 0; b < out.size(); ++b) {
        for (size_t i = 2 * p.second * b; i < std::min(p.first, 2 * p.second * (b + 1)); ++i) out[b] += in[i];
      }
    }
    if (p.task == lab8::kTotal) out[0] = std::accumulate(in.begin(), in.end(), 0);
    if (p.task == lab8::kTranspose) {
      for (size_t k = 0; k < in.size(); ++k) out[k % p.second * p.first + k / p.second] = in[k];
    }
    if (p.task == lab8::kNeurons) {
      std::fill(out.begin(), out.end(), 1);
      for (size_t k = 0; k < p.first; ++k) {
        const int next = in[k] - in[k] / 16 + buffers[1][k];
        buffers[2][k] = next < 100 ? next : 0;
        if (next >= 100) out[k / 128] = 0;
      }
    }
  }

  std::optional<Mismatch> Check() const {
    std::vector<std::span<const std::byte>> spans;
    for (size_t i = 0; i < specs.size(); ++i) {
      spans.push_back(std::as_bytes(std::span(buffers[i])));
      if (specs[i].role == BufferSpec::Role::kWorkspace) spans.back() = {};
    }
    return Lab8().Check(c, spans);
  }

  Problem p;
  Case c;
  std::vector<BufferSpec> specs;
  std::vector<std::vector<int>> buffers;
};

std::vector<Problem> SomeProblems() {
  std::vector<Problem> problems = {{lab8::kBlockSums, 0, 256}, {lab8::kBlockSums, 1000, 64}, {lab8::kTotal, 0, 0},
                                   {lab8::kTotal, 70'001, 0},  {lab8::kTranspose, 0, 5},     {lab8::kTranspose, 33, 70},
                                   {lab8::kNeurons, 0, 0},     {lab8::kNeurons, 1000, 0}};
  return problems;
}

TEST(Lab8CheckTest, AcceptsTheRightAnswerAndNoOther) {
  for (const Problem& p : SomeProblems()) {
    Drawn drawn(p);
    drawn.Answer();
    EXPECT_FALSE(drawn.Check().has_value()) << Name(p);
    for (size_t i = 0; i < drawn.specs.size(); ++i) {
      if (drawn.specs[i].role != BufferSpec::Role::kOutput || drawn.buffers[i].empty()) continue;
      for (const size_t at : {size_t{0}, drawn.buffers[i].size() - 1, drawn.buffers[i].size() / 2}) {
        Drawn wrong = drawn;
        wrong.buffers[i][at] ^= 1;
        const auto mismatch = wrong.Check();
        ASSERT_TRUE(mismatch.has_value()) << Name(p) << ", output " << i << ", element " << at;
        EXPECT_EQ(mismatch->index, at);
        EXPECT_EQ(mismatch->count, 1u);
      }
    }
  }
}

TEST(Lab8CheckTest, NamesTheFirstWrongElementAndWhatWasNeverWritten) {
  Drawn drawn({lab8::kTranspose, 3, 5});
  drawn.Answer();
  std::fill(drawn.buffers[1].begin() + 7, drawn.buffers[1].end(), static_cast<int>(0xCBCBCBCB));
  EXPECT_EQ(drawn.Check()->message, "3 x 5: d_out[7] (row 2, column 1) was never written (first of 8).");
}

TEST(Lab8CheckTest, SeesThatHalfOfEachBlockIsMissing) {
  Drawn drawn({lab8::kBlockSums, 5000, 1024});
  for (size_t i = 0; i < 5000; ++i) {
    if (i % 1024 < 512) drawn.buffers[1][i / 2048] += drawn.buffers[0][i];
  }
  EXPECT_THAT(drawn.Check()->message, HasSubstr("as if the threads of the upper half of each block had been left out"));
}

// Some groups are quiet and some are not, or a flag that is always the same would be right.
TEST(Lab8ValuesTest, GroupsOfNeuronsAreOfBothKinds) {
  Drawn drawn({lab8::kNeurons, 5000, 0});
  drawn.Answer();
  const std::set<int> kinds(drawn.buffers[3].begin(), drawn.buffers[3].end());
  EXPECT_EQ(kinds, (std::set<int>{0, 1}));
}

// The answers to one rung: every kind with every pair of letters.
template <typename Visit>
void ForEachName(const Visit& visit) {
  for (int kind = 0; kind < lab8::kKindCount; ++kind) {
    for (int first = 'A'; first <= 'H'; ++first) {
      for (int second = 'A'; second <= 'H'; ++second) visit(std::vector<int>{kind, first, second});
    }
  }
}

TEST(Lab8NameTest, OneOfManyNamesIsRightAndNoMessageTellsWhichPartIsWrong) {
  for (size_t rung = 1; rung <= 9; ++rung) {
    Drawn drawn({lab8::kName, rung, 0});
    const lab8::Fault right = lab8::FaultOf(static_cast<int>(rung));
    int accepted = 0, wrong = 0;
    ForEachName([&](const std::vector<int>& name) {
      drawn.buffers[0] = name;
      const auto mismatch = drawn.Check();
      accepted += mismatch ? 0 : 1;
      wrong += mismatch ? 1 : 0;
      const bool is_right = name == std::vector<int>{right.kind, right.first, right.second};
      EXPECT_EQ(mismatch.has_value(), !is_right) << "v" << rung;
      if (!mismatch || name[0] == lab8::kNotNamed) return;
      const std::string as_written = std::string(lab8::kKindNames[name[0]]) + ", '" + static_cast<char>(name[1]) +
                                     "', '" + static_cast<char>(name[2]) + "'";
      EXPECT_EQ(mismatch->message,
                "the name of the fault is " + as_written +
                    " in LAB8_FAULT, but another kind or other lines are right. lab8.h explains them.");
    });
    EXPECT_EQ(accepted, 1) << "v" << rung;
    EXPECT_GT(wrong, 200) << "v" << rung << ": too few to try";
  }
}

TEST(Lab8NameTest, AnAnswerThatNoFileCouldGiveIsWrongAndIsNotPrinted) {
  Drawn drawn({lab8::kName, 1, 0});
  drawn.buffers[0] = {1 << 30, -1, 'A' + 256};
  EXPECT_EQ(drawn.Check()->got, "?, '?', '?'");
  drawn.buffers[0] = {lab8::kNotNamed, '-', '-'};
  EXPECT_THAT(drawn.Check()->message, HasSubstr("is not written yet"));
}

std::string ReadText(const std::string& name) {
  std::ifstream file(std::string(WARPGRADE_SOURCE_DIR) + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Lab8NameTest, TheLinesHaveTheirLettersInTheStarterAndTheAnswerIsOnlyInTheSolution) {
  std::set<std::string> names;
  for (const std::string& rung : RungsOf("lab8")) {
    const std::string starter = ReadText("starter/lab8/" + rung + ".cu");
    const lab8::Fault fault = lab8::FaultOf(lab8::NumberOf(rung));
    std::set<char> letters;
    for (char letter = 'A'; letter <= 'H'; ++letter) {
      const std::string mark = std::string("// (") + letter + ")\n";
      const size_t at = starter.find(mark);
      if (at == std::string::npos) continue;
      letters.insert(letter);
      EXPECT_EQ(starter.find(mark, at + 1), std::string::npos) << rung << " has two lines " << mark;
    }
    EXPECT_TRUE(letters.contains(fault.first) && letters.contains(fault.second)) << rung;
    EXPECT_GT((lab8::kKindCount - 1) * letters.size() * letters.size(), 300u) << rung << ": the handout says so";
    const std::string name =
        std::string("LAB8_FAULT(") + lab8::kKindNames[fault.kind] + ", '" + fault.first + "', '" + fault.second + "');";
    EXPECT_THAT(ReadText("solutions/lab8/" + rung + ".cu"), HasSubstr(name));
    EXPECT_THAT(starter, Not(HasSubstr(name)));
    EXPECT_THAT(starter, HasSubstr("LAB8_FAULT(kNotNamed, '-', '-');"));
    EXPECT_TRUE(names.insert(name).second) << rung << ": the rungs have different answers";
  }
  EXPECT_EQ(names.size(), 9u);
}

TEST(Lab8CasesTest, EachRungHasSizesOfTheTextsOtherSizesAndTheName) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab8")) {
    std::set<std::string> cases;
    for (const Case& c : Lab8().Cases(rung, CaseSet::kPublic, random)) cases.insert(c.name);
    EXPECT_GE(cases.size(), 9u) << rung;
    EXPECT_TRUE(cases.contains("the name of the fault")) << rung;
    EXPECT_GE(Lab8().Cases(rung, CaseSet::kHidden, random).size(), 4u) << rung;
    EXPECT_EQ(Lab8().Cases(rung, CaseSet::kTechnique, random).size(), 1u) << rung;
    EXPECT_TRUE(Lab8().Cases(rung, CaseSet::kThroughput, random).empty()) << rung;
    EXPECT_NE(Lab8().Hint(rung, "correctness"), "") << rung;
  }
}

}  // namespace
}  // namespace warpgrade
