// Writes and reads "warpgrade.similar/1". A file that was read may come from anywhere: its size is bounded, and an
// exception of the JSON library is an error that names the file. Tests: tests/cli/similar_file_test.cc.
#include "grader/cli/similar_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "warpgrade.similar/1";
constexpr size_t kMostBytes = size_t{64} << 20;  // 2,000 submissions that are all alike stay below it
constexpr size_t kMostGroups = 100'000;          // of one file

Json NamesOf(const std::vector<size_t>& places, const std::vector<similarity::Source>& sources) {
  Json names = Json::array();
  for (const size_t place : places) names.push_back(sources[place].name);
  return names;
}

Json PairJson(const similarity::Pair& pair, const std::vector<similarity::Source>& sources) {
  Json matches = Json::array();
  for (const similarity::Match& match : pair.matches) {
    matches.push_back({{"file", match.file},
                       {"lines", {match.first_line, match.last_line}},
                       {"other_lines", {match.other_first_line, match.other_last_line}},
                       {"tokens", match.tokens}});
  }
  return {{"first", sources[pair.first].name},
          {"second", sources[pair.second].name},
          {"share", pair.share()},
          {"alike", pair.alike},
          {"shorter", pair.shorter},
          {"matches", std::move(matches)}};
}

// "v1_naive.cu: lines 6 to 12 and 8 to 14", of the longest match; and how many others there are.
std::string WhereOf(const Json& matches) {
  if (matches.empty()) return "";
  const Json& longest = matches[0];
  const Json &lines = longest.at("lines"), &others = longest.at("other_lines");
  std::string where =
      fmt::format("{}: lines {} to {} and {} to {}", longest.at("file").get<std::string>(), lines.at(0).get<int>(),
                  lines.at(1).get<int>(), others.at(0).get<int>(), others.at(1).get<int>());
  if (matches.size() > 1) {
    where += fmt::format(", and {} shorter {}", matches.size() - 1, matches.size() == 2 ? "match" : "matches");
  }
  return where;
}

// The functions below let the exceptions of the JSON library pass. AddFile catches them.
void AddDocument(const Json& document, score::ClassNotes* notes) {
  const auto lab = document.at("lab").get<std::string>();
  notes->compared.push_back(lab);
  std::vector<score::Alike> found;
  for (const Json& equal : document.at("equal")) {
    const bool given = equal.at("given").get<bool>();
    found.push_back({lab, equal.at("submissions").get<std::vector<std::string>>(), 1,
                     equal.at("file").get<std::string>() + ": equal apart from comments and layout" +
                         (given ? ", and also the course's solution" : "")});
  }
  for (const Json& pair : document.at("pairs")) {
    found.push_back({lab,
                     {pair.at("first").get<std::string>(), pair.at("second").get<std::string>()},
                     pair.at("share").get<double>(),
                     WhereOf(pair.at("matches"))});
    if (found.size() > kMostGroups) break;
  }
  notes->alike.insert(notes->alike.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

Status AddFile(const std::string& path, score::ClassNotes* notes) {
  const auto wrong = [&path](const std::string& what) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("--similar {}: {}; make it with `warpgrade similar DIR --lab LAB --json FILE`", path, what)};
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return wrong("the file cannot be read");
  std::string text;
  for (std::array<char, 1 << 16> part; text.size() <= kMostBytes && file.read(part.data(), part.size()).gcount() > 0;) {
    text.append(part.data(), static_cast<size_t>(file.gcount()));
  }
  if (text.size() > kMostBytes) return wrong("the file is larger than 64 MB");
  try {
    const Json document = Json::parse(text);
    if (document.at("schema").get<std::string>() != kSchema) return wrong(fmt::format("this is no {}", kSchema));
    AddDocument(document, notes);
  } catch (const nlohmann::json::exception&) {
    return wrong(fmt::format("this is no {}", kSchema));
  }
  return Status();
}

}  // namespace

std::string SimilarJson(const std::string& lab, const std::vector<similarity::Source>& sources,
                        const similarity::Comparison& comparison, double least_share) {
  Json document = {{"schema", kSchema}, {"lab", lab}, {"least_share", least_share}};
  for (const char* list : {"pairs", "groups", "equal", "left_out"}) document[list] = Json::array();
  for (const similarity::Pair& pair : comparison.pairs) document["pairs"].push_back(PairJson(pair, sources));
  for (const auto& group : comparison.groups) document["groups"].push_back(NamesOf(group, sources));
  for (const similarity::EqualFiles& equal : comparison.equal) {
    document["equal"].push_back(
        {{"file", equal.file}, {"submissions", NamesOf(equal.sources, sources)}, {"given", equal.given}});
  }
  for (const similarity::LeftOut& one : comparison.left_out) {
    const char* const why = one.why == similarity::LeftOut::Why::kNoFile ? "no file" : "too little of its own";
    document["left_out"].push_back({{"submission", sources[one.source].name}, {"why", why}});
  }
  document["notes"] = comparison.notes;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status AddAlike(const std::vector<std::string>& paths, score::ClassNotes* notes) {
  for (const std::string& path : paths) {
    if (Status added = AddFile(path, notes); !added.ok()) return added;
  }
  const auto order = [](double share) { return std::isfinite(share) ? share : 0; };
  std::stable_sort(notes->alike.begin(), notes->alike.end(),
                   [&order](const score::Alike& a, const score::Alike& b) { return order(a.share) > order(b.share); });
  return Status();
}

}  // namespace warpgrade::cli
