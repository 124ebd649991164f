// `warpgrade similar` over a generated class: copies are found however they are disguised, and nobody who wrote his own
// program stands above them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "tests/class/class_maker.h"
#include "tests/class/own_words.h"
#include "tests/class/packing.h"
#include "tests/cli/program.h"

namespace warpgrade::classes {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Couple = std::pair<std::string, std::string>;  // in the order of the alphabet

Couple CoupleOf(const std::string& a, const std::string& b) { return a < b ? Couple{a, b} : Couple{b, a}; }

// The pairs that a run of `similar` lists, in its order.
std::vector<Couple> PairsIn(const std::string& out) {
  static const std::regex kPair(R"(\n +\d+  (\S+(?: \(older\))?) and (\S+(?: \(older\))?): \d+% of the shorter one)");
  std::vector<Couple> pairs;
  for (std::sregex_iterator it(out.begin(), out.end(), kPair), end; it != end; ++it) {
    pairs.push_back(CoupleOf((*it)[1], (*it)[2]));
  }
  return pairs;
}

ProgramResult Similar(const std::string& folder, const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> command = {WARPGRADE_BINARY, "similar", folder, "--lab", "lab2"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunProgram(command);
}

// Those of whom `key` gives the same text, which is not "".
template <typename Key>
std::set<Couple> CouplesWith(const MadeClass& made, const Key& key) {
  std::set<Couple> couples;
  for (const Member& a : made.members) {
    for (const Member& b : made.members) {
      if (a.id < b.id && !key(a).empty() && key(a) == key(b)) couples.insert(CoupleOf(a.id, b.id));
    }
  }
  return couples;
}

TEST(SimilarTest, CopiesStandAboveAllWhoWroteTheirOwn) {
  for (const uint64_t seed : {1, 2, 3}) {
    const TemporaryFolder folder;
    const MadeClass made = MakeClass({.size = 120, .seed = seed}, folder.Path("class"));
    const ProgramResult result = Similar(folder.Path("class"), {"--pairs", "0", "--least", "20"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    // Two who copied each other, directly or through a third.
    const std::set<Couple> copies = CouplesWith(made, [](const Member& member) {
      return member.copied_from.empty() && member.kind == "own words" ? member.id : member.copied_from;
    });
    // Some hand in the same attack or the same mistake.
    const std::set<Couple> same = CouplesWith(made, [](const Member& member) {
      return member.copied_from.empty() && !member.what.empty() ? member.kind + member.what : "";
    });
    ASSERT_GT(copies.size(), 5u);
    size_t found = 0;
    for (const Couple& pair : PairsIn(result.out)) {
      if (found == copies.size()) break;
      found += copies.count(pair);
      EXPECT_TRUE(copies.count(pair) + same.count(pair) > 0)
          << pair.first << " and " << pair.second << " stand above a copy, with seed " << seed << "\n"
          << result.out;
    }
    EXPECT_EQ(found, copies.size()) << result.out;
  }
}

TEST(SimilarTest, WhoeverHandsInWhatTheCourseHasGivenIsNotLinked) {
  const TemporaryFolder folder;
  const MadeClass made = MakeClass({.size = 60, .seed = 4}, folder.Path("class"));
  const ProgramResult result = Similar(folder.Path("class"), {"--pairs", "0"});
  for (const Couple& couple : PairsIn(result.out)) {
    for (const Member& member : made.members) {
      if (member.id != couple.first && member.id != couple.second) continue;
      EXPECT_THAT(member.kind, testing::AnyOf("own words", "duplicate", "hostile", "wrong", "slow")) << result.out;
    }
  }
}

// The classes that the tests below make by hand.
class SmallClass : public testing::Test {
 protected:
  void Add(const std::string& student, const std::string& v1, const std::string& term = "class") {
    folder_.Write(term + "/" + student + "/lab2/v1_naive.cu", v1);
  }
  std::string Class(const std::string& term = "class") const { return folder_.Path(term); }

  TemporaryFolder folder_;
  Random random_{5};
};

TEST_F(SmallClass, ShowsTheLinesSideBySideAndAccusesNobody) {
  const std::string source = OwnWords(3, &random_);
  Add("ann", source);
  Add("bob", Disguised(source, &random_));
  Add("cid", OwnWords(40, &random_));
  const ProgramResult result = Similar(Class());
  EXPECT_THAT(PairsIn(result.out), testing::ElementsAre(Couple{"ann", "bob"})) << result.out;
  EXPECT_THAT(result.out, HasSubstr("lab2 Transpose · 3 submissions\n"));
  EXPECT_THAT(result.out, HasSubstr("Groups to look at:\n\n   1  ann, bob\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("\n +[0-9]+ +[^\n]*threadIdx.x[^\n]* \\| +[0-9]+ +[^\n]*threadIdx.x"));
  EXPECT_THAT(result.out, HasSubstr("Alike code is no proof of anything."));
  for (const char* word : {"cheat", "plagiar", "copied", "guilty"}) EXPECT_THAT(result.out, Not(HasSubstr(word)));
}

TEST_F(SmallClass, EqualFilesThatAreTheSolutionAreNamedAndSoIsWhoIsLeftOut) {
  const std::string solution = ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/solutions/lab2/v1_naive.cu");
  Add("ann", solution);
  Add("bob", "// mine\n" + solution);
  Add("cid", ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/starter/lab2/v1_naive.cu"));
  Add("dan", ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/starter/lab2/v1_naive.cu"));
  const ProgramResult result = Similar(Class());
  EXPECT_THAT(result.out, HasSubstr("tokens differ from what the course has given:\n      ann, bob, cid, dan\n"));
  EXPECT_THAT(result.out, HasSubstr("   v1_naive.cu, which is also the course's solution:\n      ann, bob\n\n"));
}

TEST_F(SmallClass, ThreeWhoAreLinkedAreOneGroup) {
  const std::string source = OwnWords(3, &random_), other = OwnWords(40, &random_);
  Add("ann", source);
  Add("bob", Disguised(source, &random_));
  Add("cid", Disguised(source, &random_));
  Add("dan", other);
  Add("eve", Disguised(other, &random_));
  EXPECT_THAT(Similar(Class()).out, HasSubstr("Groups to look at:\n\n   1  ann, bob, cid\n   2  dan, eve\n"));
}

TEST_F(SmallClass, OlderSubmissionsAreComparedWithThisTermOnly) {
  const std::string source = OwnWords(3, &random_);
  Add("ann", source);
  Add("old1", Disguised(source, &random_), "last-years");
  Add("old2", Disguised(source, &random_), "last-years");
  EXPECT_THAT(PairsIn(Similar(Class()).out), IsEmpty());
  const ProgramResult result = Similar(Class(), {"--with", Class("last-years")});
  EXPECT_THAT(PairsIn(result.out),
              testing::UnorderedElementsAre(Couple{"ann", "old1 (older)"}, Couple{"ann", "old2 (older)"}));
  EXPECT_THAT(result.out, HasSubstr("1 submission, and 2 older\n"));
}

TEST_F(SmallClass, AFileThatRepeatsItselfIsNamedAndDoesNotHoldUpTheOthers) {
  std::string repeats = "#include \"labs/lab2/lab2.h\"\nvoid f() {\n";
  for (int i = 0; i < 5000; ++i) repeats += "a += " + std::string(static_cast<size_t>(i % 40), '+') + "b;\n";
  const std::string source = OwnWords(3, &random_);
  Add("ann", source);
  Add("bob", Disguised(source, &random_));
  Add("cid", repeats);
  Add("dan", repeats);
  Add("eve", std::string(200'000, 'a') + std::string(50'000, ';') + "/* \"");
  const ProgramResult result = Similar(Class());
  EXPECT_THAT(PairsIn(result.out), Contains(Couple{"ann", "bob"})) << result.out.substr(0, 2000);
  EXPECT_THAT(result.out, HasSubstr("v1_naive.cu of cid is not compared, because it mostly repeats itself"));
}

TEST_F(SmallClass, ANameFromAStrangerDoesNotActOnTheTerminal) {
  std::string source = OwnWords(3, &random_);
  for (size_t at = 0; (at = source.find("\n  ", at)) != std::string::npos; ++at) source.insert(at + 3, "/*\u202E*/");
  Add("ann", source);
  Add("$(touch pwned) -o x\x1b[1m", source);
  const ProgramResult result = Similar(Class());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("$(touch pwned) -o x"));
  EXPECT_THAT(result.out, HasSubstr("\\u202e"));
  EXPECT_THAT(result.out, Not(HasSubstr("\u202E")));
  for (const char c : result.out) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST_F(SmallClass, WithoutTheProgramTheErrorNamesThePackage) {
  Add("ann", OwnWords(3, &random_));
  const ProgramResult result =
      RunProgram({"/usr/bin/env", "PATH=/nowhere", WARPGRADE_BINARY, "similar", Class(), "--lab", "lab2"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("install the package similarity-tester: apt-get install similarity-tester"));
}

TEST_F(SmallClass, TheFileForThePageOfTheClassHasThePairs) {
  const std::string source = OwnWords(3, &random_);
  Add("ann", source);
  Add("bob", Disguised(source, &random_));
  const std::string file = folder_.Path("alike.json");
  const ProgramResult result = Similar(Class(), {"--json", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(ReadText(file), HasSubstr("\"schema\": \"warpgrade.similar/1\""));
  EXPECT_THAT(ReadText(file), HasSubstr("\"first\": \"ann\",\n      \"second\": \"bob\""));
  EXPECT_THAT(Similar(Class(), {"--json", folder_.Path("none/alike.json")}).err, HasSubstr("there is no folder"));
}

TEST_F(SmallClass, ThePageHasThePairsWithTheirLinesAndAccusesNobody) {
  const std::string source = OwnWords(3, &random_), file = folder_.Path("alike.html");
  Add("ann", source + "// </script><script>alert(1)</script>\n");
  Add("=cmd|'C calc'!A0", Disguised(source, &random_));
  const ProgramResult result = Similar(Class(), {"--html", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Groups to look at:"));
  const std::string page = ReadText(file);
  EXPECT_THAT(page, HasSubstr("\"names\":[\"=cmd|'C calc'!A0\",\"ann\"]"));
  EXPECT_THAT(page, HasSubstr("[\"v1_naive.cu\",0,1,[["));
  EXPECT_THAT(page, HasSubstr("// \\u003c/script\\u003e"));
  EXPECT_THAT(page, HasSubstr("Alike code is no proof of anything."));
  for (const char* word : {"cheat", "plagiar", "copied", "guilty"}) EXPECT_THAT(page, Not(HasSubstr(word)));
}

TEST_F(SmallClass, APageThatCannotBeWrittenIsAnErrorWithTheReason) {
  Add("ann", OwnWords(3, &random_));
  const ProgramResult missing = Similar(Class(), {"--html", folder_.Path("none/alike.html")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("--html " + folder_.Path("none/alike.html") + ": there is no folder"));
  EXPECT_THAT(Similar(Class(), {"--html", Class()}).err, HasSubstr("this is a folder; name a file"));
  const ProgramResult full = Similar(Class(), {"--html", "/dev/full"});
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_THAT(full.err, HasSubstr("/dev/full: cannot be written"));
}

TEST_F(SmallClass, AnUnknownLabIsAnsweredWithTheNearest) {
  Add("ann", "");
  const ProgramResult result = RunProgram({WARPGRADE_BINARY, "similar", Class(), "--lab", "lap2"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'lab2'?"));
}

}  // namespace
}  // namespace warpgrade::classes
