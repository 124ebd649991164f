// An audit of the technique limits in course.yaml by generated adversaries. For each limit, a program that misses it (a
// mutant) is handed in with each trick of tests/course/tricks added: work that costs the student nothing to write, and
// that moves averages and totals. No limit may be met in this way. docs/security.md has a table of what stops each
// trick; it is made here and kept true here.
//
//   base      mutants.yaml: `lost: technique`, with the metrics that it misses
//   trick     tests/course/tricks/NAME.cu: a function trick(answer, stream), called after the mutant's own
//   program   the mutant with its function renamed, the trick, and a function of the right name that calls both
//
// By default each limit is tried by the first mutant that misses it, with one trick. WARPGRADE_TEST_AUDIT=all: every
// mutant gets every trick, which takes ten to forty minutes for all labs, and the table's rows are compared.
// WARPGRADE_TEST_AUDIT=rebase: the same, and the rows are written anew.
// `--gtest_filter='*Adversaries*lab7:*WholeAudit*'` does this for the rows of one lab.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <utility>

#include "tests/course/course_files.h"
#include "tests/course/graded.h"
#include "tests/course/mutant_rows.h"

namespace warpgrade {
namespace {

using nlohmann::json;

constexpr const char* kTableBegin = "<!-- audit: made by adversaries_test.cc with WARPGRADE_TEST_AUDIT=rebase -->\n";
constexpr const char* kTableEnd = "<!-- /audit -->\n";

struct Trick {
  const char* file;
  const char* heading;  // of its column
};
// A large array of a trick is allocated: what is compiled together may have 60 KB of variables.
constexpr Trick kTricks[] = {
    {"dilution", "dilution"},
    {"decoy", "decoy"},
    {"other_space", "other space"},
    {"other_launch", "other launch"},
    {"library_copy", "library copy"},
    {"local_memory", "local memory"},
    {"atomics", "atomics"},
    {"printf", "printf"},
    {"host", "host"},
};

std::string Audit() {
  const char* const audit = std::getenv("WARPGRADE_TEST_AUDIT");
  return audit == nullptr ? "" : audit;
}
bool IsWhole() { return !Audit().empty(); }

// The student's function in a rung's file.
struct StudentFunction {
  std::string template_line;   // "template <typename T>\n" or ""
  std::string template_names;  // "T"
  std::string result, name, parameters;
  std::vector<std::string> names;  // of the parameters
  std::string answer = "nullptr";  // the first parameter that is a device pointer to write through
  std::string stream = "nullptr";
};

StudentFunction ReadFunction(const std::string& source) {
  static const std::regex function(R"((?:^|\n)((?:template <([^\n>]*)>\n)?)(void|int) (\w+)\(([^)]*)\) \{)");
  StudentFunction found;
  for (std::sregex_iterator it(source.begin(), source.end(), function), end; it != end; ++it) {
    found = {};
    found.template_line = (*it)[1];
    found.result = (*it)[3];
    found.name = (*it)[4];
    found.parameters = (*it)[5];
    const std::string kinds = (*it)[2];
    static const std::regex kind(R"((?:typename|int|unsigned|size_t|bool) (\w+))");
    for (std::sregex_iterator name(kinds.begin(), kinds.end(), kind); name != end; ++name) {
      found.template_names += (found.template_names.empty() ? "" : ", ") + (*name)[1].str();
    }
  }
  static const std::regex parameter(R"(([^,]*?)(\w+)\s*(?:,|$))");
  for (std::sregex_iterator it(found.parameters.begin(), found.parameters.end(), parameter), end; it != end; ++it) {
    const std::string type = (*it)[1], name = (*it)[2];
    found.names.push_back(name);
    if (type.find("cudaStream_t") != std::string::npos) found.stream = name;
    const bool writable = type.find('*') != std::string::npos && type.find("const") == std::string::npos;
    if (writable && name.starts_with("d_") && found.answer == "nullptr") found.answer = name;
  }
  return found;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

// The program of the file's head. REQUIRES: the source ends as every rung's does, with LABn_...();
std::string WithTrick(const std::string& source, const std::string& trick) {
  const StudentFunction function = ReadFunction(source);
  const size_t last_line = source.rfind("\nLAB");
  EXPECT_NE(last_line, std::string::npos);
  EXPECT_NE(function.name, "");
  const std::string renamed = "without_trick_" + function.name;
  std::string text =
      std::regex_replace(source.substr(0, last_line), std::regex("\\b" + function.name + "\\b"), renamed);
  text += "\nnamespace {\n" + trick + "}  // namespace\n\n";
  const std::string arguments = function.template_names.empty() ? "" : "<" + function.template_names + ">";
  text += fmt::format("{}{} {}({}) {{\n  {}{}{}({});\n  trick({}, {});\n{}}}\n", function.template_line,
                      function.result, function.name, function.parameters,
                      function.result == "int" ? "const int result = " : "", renamed, arguments, Joined(function.names),
                      function.answer, function.stream, function.result == "int" ? "  return result;\n" : "");
  return text + source.substr(last_line);
}

// One program of the audit.
struct Adversary {
  Mutant mutant;
  Trick trick;
  std::string submission;
};

std::string SolutionText(const std::string& lab, const std::string& rung) {
  return ReadText(SourcePath("solutions/" + lab + "/" + rung + ".cu"));
}

// The programs that miss limits: the mutants and, for limits that none of them misses, the solution of the first rung
// with the same function, handed in as the rung.
std::vector<Mutant> BasesOf(const std::string& lab) {
  std::vector<Mutant> bases;
  std::map<std::string, std::set<std::string>> missed;
  for (Mutant& mutant : ReadMutants(lab)) {
    if (mutant.lost != "technique") continue;
    // It shows only in a public case, and here technique is measured alone.
    if (mutant.name.ends_with("__leaks_after_an_error")) continue;
    missed[mutant.rung()].insert(mutant.metrics.begin(), mutant.metrics.end());
    bases.push_back(std::move(mutant));
  }
  std::map<std::string, std::string> simplest;  // the first rung's name, by function
  for (const CourseRung& rung : FindCourseLab(lab).rungs) {
    const std::string function = ReadFunction(SolutionText(lab, rung.name)).name;
    const auto [first, is_new] = simplest.emplace(function, rung.name);
    Mutant base{rung.name + "__" + first->second, "technique", "", {}};
    for (const std::string& metric : rung.metrics) {
      if (missed[rung.name].count(metric) == 0) base.metrics.insert(metric);
    }
    if (!is_new && !base.metrics.empty()) bases.push_back(std::move(base));
  }
  return bases;
}

std::string TextOf(const std::string& lab, const Mutant& base) {
  const std::string what = base.name.substr(base.rung().size() + 2);
  const bool is_rung = std::filesystem::exists(SourcePath("solutions/" + lab + "/" + what + ".cu"));
  return is_rung ? SolutionText(lab, what) : MutantText(lab, base.name);
}

std::vector<Adversary> AdversariesOf(const std::string& lab) {
  std::vector<Adversary> adversaries;
  std::map<std::string, int> handed_in;                 // by rung
  std::set<std::pair<std::string, std::string>> tried;  // rung and metric
  size_t next_trick = 0;
  for (const Mutant& mutant : BasesOf(lab)) {
    const size_t tried_before = tried.size();
    for (const std::string& metric : mutant.metrics) tried.emplace(mutant.rung(), metric);
    if (tried.size() == tried_before && !IsWhole()) continue;
    const size_t first = IsWhole() ? 0 : next_trick++ % std::size(kTricks);
    const size_t last = IsWhole() ? std::size(kTricks) : first + 1;
    for (size_t trick = first; trick < last; ++trick) {
      const std::string submission = fmt::format("adversaries_{:03}", ++handed_in[mutant.rung()]);
      adversaries.push_back({mutant, kTricks[trick], submission});
    }
  }
  return adversaries;
}

// Whether a value is within a limit's text: "<= 4.5", ">= 0.9" or both.
bool Holds(const std::string& limit, double value) {
  static const std::regex bound(R"((<=|>=) ([-+.e0-9]+))");
  bool holds = !std::isnan(value);
  for (std::sregex_iterator it(limit.begin(), limit.end(), bound), end; it != end; ++it) {
    const double at = std::stod((*it)[2]);
    holds = holds && ((*it)[1] == "<=" ? value <= at : value >= at);
  }
  return holds;
}

double NumberOr(const json& object, const std::string& key, double otherwise) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? otherwise : found->get<double>();
}

// What keeps the adversary from meeting the limit, as the table says it; "" if nothing does. It depends on the value
// over everything that ran in the case that is counted, which is the same in each run of this test, and not on the case
// of another size, which is drawn.
std::string WhatStops(const json& rung, const json& limit) {
  if (rung.at("status") != "passed") return "error";
  if (limit.at("passed").get<bool>()) return "";
  const std::string text = limit.at("limit");
  if (!Holds(text, NumberOr(rung.at("metrics"), limit.at("metric"), NAN))) return "value";
  return Holds(text, NumberOr(limit, "value", NAN)) ? "bound" : "answer";
}

// lab9 before lab10.
struct ByNumber {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

// By lab, rung, metric and trick.
using Table =
    std::map<std::string, std::map<std::string, std::map<std::string, std::map<std::string, std::string>>>, ByNumber>;

Table& Seen() {
  static Table seen;
  return seen;
}

class AdversariesTest : public testing::TestWithParam<std::string> {};

TEST_P(AdversariesTest, NoTrickMeetsALimit) {
  const std::string& lab = GetParam();
  const TemporaryFolder folder;
  const std::vector<Adversary> adversaries = AdversariesOf(lab);
  for (const Adversary& a : adversaries) {
    const std::string trick = ReadText(SourcePath(fmt::format("tests/course/tricks/{}.cu", a.trick.file)));
    const std::string place = "class/" + a.submission + "/" + lab + "/";
    folder.Write(place + a.mutant.rung() + ".cu", WithHeadersOfAllRungs(lab, WithTrick(TextOf(lab, a.mutant), trick)));
    for (const auto& file : std::filesystem::directory_iterator(SourcePath("solutions/" + lab))) {
      if (file.path().extension() == ".h") folder.Write(place + file.path().filename().string(), ReadText(file.path()));
    }
  }
  const Graded graded = Grade(folder.Path("class"), {"--lab", lab, "--technique-alone", "--believe-together"});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  for (const Adversary& a : adversaries) {
    const json& rung = graded.Rung(a.submission, lab, a.mutant.rung());
    SCOPED_TRACE(lab + " " + a.mutant.name + " with " + a.trick.file + " is told:\n" + Told(rung));
    EXPECT_NE(rung.at("status"), "compile_error") << "the adversary must be hostile, not broken";
    for (const json& limit : rung.at("technique")) {
      const std::string metric = limit.at("metric");
      if (a.mutant.metrics.count(metric) == 0) continue;
      const std::string stops = WhatStops(rung, limit);
      EXPECT_NE(stops, "") << metric << ": the trick gets " << limit.at("max_points")
                           << " points that the program does not get without it. Bind the limit with `provided`";
      std::string& cell = Seen()[lab][a.mutant.rung()][metric][a.trick.file];
      if (cell.empty()) cell = stops;
    }
  }
}

TEST_P(AdversariesTest, EachLimitHasAProgramThatMissesIt) {
  const std::string& lab = GetParam();
  std::map<std::string, std::set<std::string>> missed;
  for (const Mutant& base : BasesOf(lab)) missed[base.rung()].insert(base.metrics.begin(), base.metrics.end());
  for (const CourseRung& rung : FindCourseLab(lab).rungs) {
    for (const std::string& metric : rung.metrics) {
      EXPECT_TRUE(missed[rung.name].count(metric) != 0) << lab << " " << rung.name << ": no mutant misses " << metric
                                                        << ", so no adversary tries to meet it. Write one";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, AdversariesTest, testing::ValuesIn(LabsWithLimits()),
                         [](const auto& info) { return info.param; });

// --- the table of docs/security.md

std::string TableInTheBook() {
  const std::string page = ReadText(SourcePath("docs/security.md"));
  const size_t begin = page.find(kTableBegin), end = page.find(kTableEnd);
  if (begin == std::string::npos || end == std::string::npos) return "";
  const size_t first = begin + std::string(kTableBegin).size();
  return page.substr(first, end - first);
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string Head() {
  std::vector<std::string> headings = {"limit"}, rule = {"---"};
  for (const Trick& trick : kTricks) {
    headings.emplace_back(trick.heading);
    rule.emplace_back("---");
  }
  std::string text = Row(headings);
  return text + "|" + [&] {
    std::string rules;
    for (size_t k = 0; k < rule.size(); ++k) rules += "---|";
    return rules;
  }() + "\n";
}

// The rows of each lab.
using Rows = std::map<std::string, std::string, ByNumber>;

Rows RowsOf(const std::string& table) {
  static const std::regex row(R"(\| (lab[0-9]+) [^\n]*\n)");
  Rows rows;
  for (std::sregex_iterator it(table.begin(), table.end(), row), end; it != end; ++it) rows[(*it)[1]] += it->str();
  return rows;
}

// The table of the book, with new rows for the labs that this process has seen.
std::string TableText(const Table& seen) {
  Rows rows = RowsOf(TableInTheBook());
  for (const auto& [lab, rungs] : seen) {
    std::string& text = rows[lab];
    text.clear();
    for (const auto& [rung, metrics] : rungs) {
      for (const auto& [metric, cells] : metrics) {
        std::vector<std::string> row = {fmt::format("{} {} `{}`", lab, rung.substr(0, rung.find('_')), metric)};
        for (const Trick& trick : kTricks) {
          const auto cell = cells.find(trick.file);
          row.push_back(cell == cells.end() ? "" : cell->second);
        }
        text += Row(row);
      }
    }
  }
  std::string text = Head();
  for (const auto& [lab, of_lab] : rows) text += of_lab;
  return text;
}

TEST(AuditTableTest, HasARowForEachLimitAndNoEmptyCell) {
  const std::string table = TableInTheBook();
  for (const CourseLab& lab : CourseLabs()) {
    for (const CourseRung& rung : lab.rungs) {
      for (const std::string& metric : rung.metrics) {
        const std::string limit =
            fmt::format("| {} {} `{}` |", lab.name, rung.name.substr(0, rung.name.find('_')), metric);
        EXPECT_THAT(table, testing::HasSubstr(limit)) << "run it with WARPGRADE_TEST_AUDIT=rebase";
      }
    }
  }
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("|  |")));
}

// Looks at what the tests of the labs saw in this process. GoogleTest runs suites with parameters in the order of this
// file.
class WholeAuditTest : public testing::TestWithParam<int> {};
TEST_P(WholeAuditTest, TheTableSaysWhatStopsEachTrick) {
  if (!IsWhole() || Seen().empty()) GTEST_SKIP() << "the whole audit did not run in this process";
  const std::string text = TableText(Seen());
  if (Audit() == "rebase") {
    const std::string path = SourcePath("docs/security.md");
    std::string page = ReadText(path);
    const size_t begin = page.find(kTableBegin), end = page.find(kTableEnd);
    ASSERT_NE(end, std::string::npos) << "docs/security.md lacks the comments around the table";
    const size_t first = begin + std::string(kTableBegin).size();
    page.replace(first, end - first, text);
    std::ofstream(path) << page;
  }
  EXPECT_EQ(TableInTheBook(), text) << "look at the difference, then run it with WARPGRADE_TEST_AUDIT=rebase";
}

INSTANTIATE_TEST_SUITE_P(AllLabs, WholeAuditTest, testing::Values(0));

}  // namespace
}  // namespace warpgrade
