// The data for the page of submissions that are alike. The lists come first, and then the lines of the first pairs that
// fit. Each source is in the page once, and so is each line, because alike sources share many. similar.js lays the
// lines out side by side. Tests: tests/report/html_similar_test.cc, and tests/report/html/ in a browser.
#include "grader/report/html_similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using SimilarPageJson = nlohmann::ordered_json;

constexpr size_t kMostBytesOfData = 900'000;         // the scripts and the style take 50,000 more
constexpr size_t kMostBytesOfSubmission = 96 << 10;  // of its lines in the page, so that one cannot fill it
constexpr size_t kMostBytesOfLine = 2000;
constexpr size_t kMostBytesOfName = 120;
constexpr int kMostColumnsOfName = 80;
constexpr size_t kBytesOfNumbers = 48;  // of a pair or a match, as JSON
constexpr size_t kBytesOfIndex = 7;     // of a number below 1,000,000, as JSON
constexpr size_t kMostPairsInPage = 1000;
constexpr size_t kMostMatchesOfFile = 100;
constexpr size_t kMostRows = 100;  // of the groups and of the equal files
constexpr size_t kMostNamesOfRow = 200;
constexpr size_t kMostNotes = 20;
constexpr size_t kMostBytesOfNote = 400;

// In one line, cut between two characters.
std::string CutLine(std::string_view text, size_t most) {
  if (text.size() <= most) return PrintableLine(text);
  for (int i = 0; i < 3 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80; ++i) --most;
  return PrintableLine(text.substr(0, most)) + " … (" + Counted(text.size() - most, "more byte") + ")";
}

// Gives each line of a text, printable, to `use`, until it returns false.
template <typename Use>
void EachLine(std::string_view text, const Use& use) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!use(CutLine(line, kMostBytesOfLine))) return;
    at = end + 1;
  }
}

size_t CountLines(std::string_view text) {
  const auto ends = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

// As fmt's {:.0f} rounds it, so that page and terminal agree.
int PercentOf(double share) { return static_cast<int>(std::nearbyint(share * 100)); }

size_t BytesOf(const std::string& line) { return ScriptSafe(line).size() + 1 + kBytesOfIndex; }

// The names that the page has, each once.
class NameTable {
 public:
  explicit NameTable(const std::vector<similarity::Source>& sources) : sources_(sources) {}

  size_t PlaceOf(size_t source) {
    const auto [found, is_new] = places_.try_emplace(source, json_.size());
    if (is_new) {
      json_.push_back(Shorten(CutLine(sources_[source].name, kMostBytesOfName), kMostColumnsOfName));
    }
    return found->second;
  }

  // The first names of a row, and how many there are.
  SimilarPageJson RowOf(const std::vector<size_t>& row) {
    SimilarPageJson names = SimilarPageJson::array();
    for (size_t i = 0; i < std::min(row.size(), kMostNamesOfRow); ++i) names.push_back(PlaceOf(row[i]));
    return {{"count", row.size()}, {"names", std::move(names)}};
  }

  const SimilarPageJson& json() const { return json_; }

 private:
  const std::vector<similarity::Source>& sources_;
  std::map<size_t, size_t> places_;
  SimilarPageJson json_ = SimilarPageJson::array();
};

// The sources that the page has: of each the numbers of its lines in one list of all lines.
class SourceTable {
 public:
  explicit SourceTable(const std::vector<similarity::Source>& sources) : sources_(sources) {}

  // The file, if the submission has it.
  const std::string* Find(size_t source, const std::string& file) const {
    const auto found = sources_[source].files.find(file);
    return found == sources_[source].files.end() ? nullptr : &found->second;
  }

  // The most that the page grows when Add gets these files.
  size_t MostBytes(size_t source, const std::vector<const std::string*>& files) {
    const size_t left = kMostBytesOfSubmission - used_[source];
    size_t bytes = 0;
    for (const std::string* file : files) {
      if (bytes < left) bytes += MostBytesOf(source, *file);
    }
    return std::min(bytes, left);
  }

  // The place of the file in the page. Adds what is not there yet to `bytes`. REQUIRES: the submission has it.
  size_t Add(size_t source, const std::string& file, size_t* bytes) {
    const auto [found, is_new] = places_.try_emplace({source, file}, shown_.size());
    if (!is_new) return found->second;
    const std::string& text = *Find(source, file);
    size_t& used = used_[source];
    SimilarPageJson numbers = SimilarPageJson::array();
    EachLine(text, [&](const std::string& line) {
      const size_t size = BytesOf(line);
      if (used + size > kMostBytesOfSubmission) return false;
      used += size;
      const auto [number, is_new_line] = numbers_.try_emplace(line, lines_.size());
      if (is_new_line) lines_.push_back(line);
      *bytes += is_new_line ? size : kBytesOfIndex;
      numbers.push_back(number->second);
      return true;
    });
    shown_.push_back(static_cast<int>(numbers.size()));
    const size_t more = CountLines(text) - numbers.size();
    json_.push_back({{"lines", std::move(numbers)}, {"more", more}});
    return found->second;
  }

  // How many lines of the source at this place the page has.
  int ShownLines(size_t place) const { return shown_[place]; }

  const SimilarPageJson& json() const { return json_; }
  const SimilarPageJson& lines() const { return lines_; }

 private:
  using Key = std::pair<size_t, std::string>;

  size_t MostBytesOf(size_t source, const std::string& file) {
    if (places_.contains({source, file})) return 0;
    const auto [found, is_new] = most_bytes_.try_emplace({source, file}, 0);
    size_t& bytes = found->second;
    if (!is_new) return bytes;
    EachLine(*Find(source, file), [&bytes](const std::string& line) {
      bytes += BytesOf(line);
      return bytes < kMostBytesOfSubmission;
    });
    return bytes;
  }

  const std::vector<similarity::Source>& sources_;
  std::map<Key, size_t> places_, most_bytes_;
  std::map<size_t, size_t> used_;  // bytes of each submission
  std::map<std::string, size_t> numbers_;
  std::vector<int> shown_;
  SimilarPageJson json_ = SimilarPageJson::array(), lines_ = SimilarPageJson::array();
};

using Matches = std::vector<const similarity::Match*>;

// By the files that both submissions have.
std::map<std::string_view, Matches> MatchesOf(const similarity::Pair& pair, const SourceTable& sources) {
  std::map<std::string_view, Matches> matches;
  for (const similarity::Match& match : pair.matches) {
    if (sources.Find(pair.first, match.file) == nullptr || sources.Find(pair.second, match.file) == nullptr) continue;
    matches[match.file].push_back(&match);
  }
  return matches;
}

// [name, place of the source, place of the other, [[lines, other lines, tokens], ...], matches that are not shown].
SimilarPageJson FileJson(size_t first, size_t second, const SourceTable& sources, const Matches& matches) {
  SimilarPageJson rows = SimilarPageJson::array();
  size_t more = 0;
  for (const similarity::Match* match : matches) {
    const int begin = std::max(match->first_line, 1), other_begin = std::max(match->other_first_line, 1);
    const int end = std::min(match->last_line, sources.ShownLines(first));
    const int other_end = std::min(match->other_last_line, sources.ShownLines(second));
    if (begin > end || other_begin > other_end || rows.size() == kMostMatchesOfFile) {
      ++more;
    } else {
      rows.push_back({begin, end, other_begin, other_end, match->tokens});
    }
  }
  return {CutLine(matches[0]->file, kMostBytesOfName), first, second, std::move(rows), more};
}

// The files of a pair with their matches; null if they take more than `left`, from which their bytes are taken.
SimilarPageJson FilesJson(const similarity::Pair& pair, SourceTable* sources, size_t* left) {
  const std::map<std::string_view, Matches> by_file = MatchesOf(pair, *sources);
  std::vector<const std::string*> names;
  size_t most = 0;
  for (const auto& [file, matches] : by_file) {
    names.push_back(&matches[0]->file);
    most += 2 * kBytesOfNumbers + 6 * kMostBytesOfName + std::min(matches.size(), kMostMatchesOfFile) * kBytesOfNumbers;
  }
  most += sources->MostBytes(pair.first, names) + sources->MostBytes(pair.second, names);
  if (most > *left) return nullptr;
  SimilarPageJson files = SimilarPageJson::array();
  size_t bytes = 0;
  for (const auto& [file, matches] : by_file) {
    const std::string& name = matches[0]->file;
    const size_t first = sources->Add(pair.first, name, &bytes), second = sources->Add(pair.second, name, &bytes);
    files.push_back(FileJson(first, second, *sources, matches));
  }
  *left -= std::min(*left, bytes + ScriptSafe(files).size());
  return files;
}

SimilarPageJson NotesJson(const std::vector<std::string>& notes) {
  SimilarPageJson json = SimilarPageJson::array();
  for (const std::string& note : notes) {
    if (json.size() == kMostNotes) {
      json.push_back(Counted(notes.size() - kMostNotes, "more note") + " not shown here");
      break;
    }
    json.push_back(CutLine(note, kMostBytesOfNote));
  }
  return json;
}

// Rows of names with how many rows there are.
template <typename Row, typename MakeRow>
SimilarPageJson ListJson(const std::vector<Row>& rows, const MakeRow& make_row) {
  SimilarPageJson shown = SimilarPageJson::array();
  for (size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) shown.push_back(make_row(rows[i]));
  return {{"count", rows.size()}, {"rows", std::move(shown)}};
}

SimilarPageJson LeftOutJson(const SimilarPage& page, NameTable* names) {
  std::vector<size_t> no_file, too_little;
  for (const similarity::LeftOut& one : page.comparison.left_out) {
    (one.why == similarity::LeftOut::Why::kNoFile ? no_file : too_little).push_back(one.source);
  }
  SimilarPageJson json = SimilarPageJson::array();
  const auto add = [&](const std::string& why, const std::vector<size_t>& sources) {
    if (sources.empty()) return;
    SimilarPageJson row = names->RowOf(sources);
    row["why"] = why;
    json.push_back(std::move(row));
  };
  add(fmt::format("Fewer than {} tokens differ from what the course has given", page.least_tokens), too_little);
  add("They have no file of the lab", no_file);
  return json;
}

}  // namespace

std::string SimilarData(const SimilarPage& page) {
  NameTable names(page.sources);
  const similarity::Comparison& comparison = page.comparison;
  const auto older = std::count_if(page.sources.begin(), page.sources.end(),
                                   [](const similarity::Source& source) { return source.older; });
  SimilarPageJson json = {{"kit", PrintableLine(page.kit_version)},
                          {"course", PrintableLine(page.course)},
                          {"title", PrintableLine(page.title)},
                          {"submissions", page.sources.size() - static_cast<size_t>(older)},
                          {"older", older},
                          {"least", PercentOf(page.least_share)},
                          {"reminder", similarity::kReminder},
                          {"notes", NotesJson(comparison.notes)}};
  json["groups"] = ListJson(comparison.groups, [&](const auto& group) { return names.RowOf(group); });
  json["equal"] = ListJson(comparison.equal, [&](const similarity::EqualFiles& equal) {
    SimilarPageJson row = names.RowOf(equal.sources);
    row["file"] = CutLine(equal.file, kMostBytesOfName);
    row["given"] = equal.given;
    return row;
  });
  json["leftOut"] = LeftOutJson(page, &names);
  const size_t shown = std::min(comparison.pairs.size(), kMostPairsInPage);
  for (size_t i = 0; i < shown; ++i) {
    names.PlaceOf(comparison.pairs[i].first);
    names.PlaceOf(comparison.pairs[i].second);
  }
  json["names"] = names.json();
  const size_t taken = ScriptSafe(json).size() + shown * kBytesOfNumbers;
  size_t left = kMostBytesOfData - std::min(kMostBytesOfData, taken);
  SourceTable sources(page.sources);
  SimilarPageJson pairs = SimilarPageJson::array();
  for (size_t i = 0; i < shown; ++i) {
    const similarity::Pair& pair = comparison.pairs[i];
    pairs.push_back({names.PlaceOf(pair.first), names.PlaceOf(pair.second), PercentOf(pair.share()), pair.alike,
                     pair.shorter, FilesJson(pair, &sources, &left)});
  }
  json["pairs"] = {{"count", comparison.pairs.size()}, {"rows", std::move(pairs)}};
  json["lines"] = sources.lines();
  json["sources"] = sources.json();
  return ScriptSafe(json);
}

std::string SimilarPageText(const SimilarPage& page) {
  return PageOf(kSimilarJs, SimilarData(page), "", {.charts = false});
}

}  // namespace warpgrade::report
