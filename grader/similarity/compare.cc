// Takes out what the course has given, runs sim_c++ for each rung, and adds its runs up to pairs and groups. Tests:
// tests/similarity/compare_test.cc, and tests/class/similar_test.cc with a generated class.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "grader/similarity/sim.h"
#include "grader/similarity/similarity.h"
#include "grader/similarity/statements.h"

namespace warpgrade::similarity {
namespace {

// The shortest run that counts. Two people who solve the same task write runs of this length now and then.
constexpr int kLeastRun = 14;
// Statements of one shape in one file: a hostile file that repeats itself would take sim_c++ hours.
constexpr int kMostOfAShape = 6;
constexpr int kMostTokensOfAFile = 8000;
// Files of more tokens than this must have at least this share of different groups of six tokens.
constexpr int kLongFile = 1000;
constexpr double kLeastVariety = 0.2;

// What is left of a file, and where it stands in it.
struct Rest {
  std::vector<Statement> statements;  // statement i is line i + 1 of the text for sim_c++
  int tokens = 0;
  bool repeats_itself = false;
};

bool RepeatsItself(const std::vector<Statement>& statements, int tokens) {
  if (tokens <= kLongFile) return false;
  std::vector<std::string_view> all;
  for (const Statement& statement : statements) {
    std::string_view rest = statement.shape;
    while (!rest.empty()) {
      const size_t space = std::min(rest.find(' '), rest.size());
      all.push_back(rest.substr(0, space));
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
  }
  std::set<std::string> groups;
  for (size_t i = 0; i + 6 <= all.size(); ++i) groups.insert(fmt::format("{}", fmt::join(&all[i], &all[i] + 6, " ")));
  return static_cast<double>(groups.size()) < kLeastVariety * static_cast<double>(all.size());
}

// A file without comments and layout.
std::string Plain(const std::vector<Statement>& statements) {
  std::string text;
  for (const Statement& statement : statements) text += statement.text + "\n";
  return text;
}

Rest WithoutGiven(std::vector<Statement> statements, const std::set<std::string>& given) {
  Rest rest;
  std::map<std::string, int> count;
  for (Statement& statement : statements) {
    if (given.count(statement.shape) > 0 || ++count[statement.shape] > kMostOfAShape) continue;
    if (rest.tokens + statement.tokens > kMostTokensOfAFile) break;
    rest.tokens += statement.tokens;
    rest.statements.push_back(std::move(statement));
  }
  rest.repeats_itself = RepeatsItself(rest.statements, rest.tokens);
  return rest;
}

using Pairs = std::map<std::pair<size_t, size_t>, Pair>;

// The place of a run in the files of the students.
Match MatchOf(const EqualRun& run, const Rest& first, const Rest& second, const std::string& file) {
  const auto at = [](const Rest& rest, int line) -> const Statement& {
    const auto last = static_cast<int>(rest.statements.size()) - 1;
    return rest.statements[static_cast<size_t>(std::clamp(line - 1, 0, last))];
  };
  return {.file = file,
          .first_line = at(first, run.first_line).first_line,
          .last_line = at(first, run.last_line).last_line,
          .other_first_line = at(second, run.other_first_line).first_line,
          .other_last_line = at(second, run.other_last_line).last_line,
          .tokens = run.tokens};
}

class Comparer {
 public:
  Comparer(const std::vector<Source>& sources, const Given& given, const CompareOptions& options)
      : sources_(sources), options_(options), own_tokens_(sources.size()) {
    for (const std::vector<std::string>* texts : {&given.starter, &given.others}) {
      for (const std::string& text : *texts) {
        const std::vector<Statement> statements = Statements(text);
        for (const Statement& statement : statements) given_.insert(statement.shape);
        (texts == &given.starter ? starter_ : solutions_).insert(Plain(statements));
      }
    }
  }

  // Compares one file of all submissions.
  Status CompareFile(const std::string& sim, const std::string& file) {
    std::vector<size_t> places;  // in sources_, those of this term first
    std::vector<Rest> rests;
    size_t older = 0;
    for (const bool is_older : {false, true}) {
      for (size_t i = 0; i < sources_.size(); ++i) {
        const auto text = sources_[i].files.find(file);
        if (sources_[i].older != is_older || text == sources_[i].files.end()) continue;
        std::vector<Statement> statements = Statements(text->second);
        equal_[file][Plain(statements)].push_back(i);
        Rest rest = WithoutGiven(std::move(statements), given_);
        own_tokens_[i] += rest.tokens;
        if (rest.repeats_itself) {
          comparison_.notes.push_back(fmt::format(
              "{} of {} is not compared, because it mostly repeats itself; look at it", file, sources_[i].name));
        }
        if (rest.tokens == 0 || rest.repeats_itself) continue;
        places.push_back(i);
        rests.push_back(std::move(rest));
      }
      if (!is_older) older = places.size();
    }
    if (older == 0 || places.size() < 2) return Status();
    std::vector<std::string> texts;
    texts.reserve(rests.size());
    for (const Rest& rest : rests) texts.push_back(Plain(rest.statements));
    const Result<Runs> runs = RunSim(sim, texts, older, kLeastRun, options_.cancel);
    if (!runs) return runs.error();
    if (!runs->complete) {
      comparison_.notes.push_back(fmt::format("{} is not compared, because it takes too long", file));
      return Status();
    }
    AddRuns(*runs, places, rests, file);
    return Status();
  }

  Comparison Finish() {
    for (auto& [places, pair] : pairs_) {
      pair.shorter = std::min(totals_[places.first], totals_[places.second]);
      pair.alike = std::min(pair.alike, pair.shorter);
      if (pair.alike < options_.least_tokens || pair.share() < options_.least_share) continue;
      std::sort(pair.matches.begin(), pair.matches.end(), [](const Match& a, const Match& b) {
        return std::tie(b.tokens, a.file, a.first_line) < std::tie(a.tokens, b.file, b.first_line);
      });
      comparison_.pairs.push_back(std::move(pair));
    }
    std::stable_sort(comparison_.pairs.begin(), comparison_.pairs.end(), [](const Pair& a, const Pair& b) {
      return std::pair(a.share(), a.alike) > std::pair(b.share(), b.alike);
    });
    MakeGroups();
    ListEqualFiles();
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].older) continue;
      if (sources_[i].files.empty()) {
        comparison_.left_out.push_back({i, LeftOut::Why::kNoFile});
      } else if (own_tokens_[i] < options_.least_tokens) {
        comparison_.left_out.push_back({i, LeftOut::Why::kTooLittle});
      }
    }
    return std::move(comparison_);
  }

 private:
  void AddRuns(const Runs& runs, const std::vector<size_t>& places, const std::vector<Rest>& rests,
               const std::string& file) {
    for (size_t i = 0; i < places.size(); ++i) totals_[places[i]] += runs.tokens[i];
    for (const EqualRun& run : runs.runs) {
      if (rests[run.first].statements.empty() || rests[run.second].statements.empty()) continue;
      size_t first = places[run.first], second = places[run.second];
      Match match = MatchOf(run, rests[run.first], rests[run.second], file);
      if (first > second) {
        std::swap(first, second);
        std::swap(match.first_line, match.other_first_line);
        std::swap(match.last_line, match.other_last_line);
      }
      Pair& pair = pairs_[{first, second}];
      pair.first = first;
      pair.second = second;
      pair.alike += run.tokens;
      pair.matches.push_back(std::move(match));
    }
  }

  void ListEqualFiles() {
    for (auto& [file, by_text] : equal_) {
      for (auto& [text, places] : by_text) {
        const bool of_this_term =
            std::any_of(places.begin(), places.end(), [&](size_t i) { return !sources_[i].older; });
        if (places.size() < 2 || !of_this_term || text.empty() || starter_.contains(text)) continue;
        comparison_.equal.push_back({file, std::move(places), solutions_.contains(text)});
      }
    }
  }

  // The groups of submissions that pairs link, directly or through others.
  void MakeGroups() {
    std::vector<size_t> leader(sources_.size());
    std::iota(leader.begin(), leader.end(), size_t{0});
    const auto find = [&leader](size_t i) {
      while (leader[i] != i) i = leader[i] = leader[leader[i]];
      return i;
    };
    for (const Pair& pair : comparison_.pairs) leader[find(pair.second)] = find(pair.first);
    std::map<size_t, std::vector<size_t>> members;
    for (size_t i = 0; i < sources_.size(); ++i) members[find(i)].push_back(i);
    for (auto& [first, group] : members) {
      if (group.size() > 1) comparison_.groups.push_back(std::move(group));
    }
    std::stable_sort(comparison_.groups.begin(), comparison_.groups.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
  }

  const std::vector<Source>& sources_;
  const CompareOptions& options_;
  std::set<std::string> given_;                                              // shapes of statements
  std::set<std::string> starter_, solutions_;                                // whole files, as Plain makes them
  std::map<std::string, std::map<std::string, std::vector<size_t>>> equal_;  // by file and Plain text: the sources
  std::vector<int> own_tokens_;  // of each source, over all files, without what the course has given
  Pairs pairs_;
  std::map<size_t, int> totals_;  // tokens of each source, over all files
  Comparison comparison_;
};

}  // namespace

Result<Comparison> Compare(const std::vector<Source>& sources, const Given& given, const CompareOptions& options) {
  const Result<std::string> sim = FindSim();
  if (!sim) return sim.error();
  if (sources.size() > kMostSources) {
    return Error{ErrorKind::kUsage, fmt::format("there are {} submissions, and at most {} are compared; compare fewer "
                                                "at a time",
                                                sources.size(), kMostSources)};
  }
  std::set<std::string> files;
  for (const Source& source : sources) {
    for (const auto& [file, text] : source.files) files.insert(file);
  }
  Comparer comparer(sources, given, options);
  for (const std::string& file : files) {
    if (const Status compared = comparer.CompareFile(*sim, file); !compared.ok()) return compared.error();
  }
  return comparer.Finish();
}

}  // namespace warpgrade::similarity
