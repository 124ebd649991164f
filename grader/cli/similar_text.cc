// Lays out pairs of submissions: a line for each pair, then for the first pairs their longest matches, with the lines
// of both files side by side. Tests: tests/cli/similar_text_test.cc.
#include "grader/cli/similar_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

using report::PrintableLine;

constexpr size_t kMostMatches = 3;  // of a pair
constexpr int kMostLines = 12;      // of a match
constexpr int kIndent = 6;
constexpr int kNumber = 4;  // columns of a line number

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(PrintableLine(std::string_view(text).substr(at, end - at)));
    if (lines.back().ends_with("\\x0d")) lines.back().erase(lines.back().size() - 4);
    at = end + 1;
  }
  return lines;
}

// One side of a match: "  12  float sum = 0;", in `width` columns.
std::string Side(const std::vector<std::string>& lines, int line, int last, int width) {
  if (line > last || line < 1 || line > static_cast<int>(lines.size()))
    return std::string(static_cast<size_t>(width), ' ');
  const std::string text = fmt::format("{:>{}}  {}", line, kNumber, lines[static_cast<size_t>(line) - 1]);
  return report::PadRight(report::Shorten(text, width), width);
}

std::string MatchText(const similarity::Match& match, const similarity::Source& first, const similarity::Source& second,
                      int width) {
  const std::vector<std::string> left = Lines(first.files.at(match.file)), right = Lines(second.files.at(match.file));
  const int column = std::max((width - kIndent - 3) / 2, 20);
  const int lines = std::max(match.last_line - match.first_line, match.other_last_line - match.other_first_line) + 1;
  std::string text = fmt::format("\n{:{}}{}, {}:\n", "", kIndent, PrintableLine(match.file),
                                 Counted(static_cast<uint64_t>(match.tokens), "token"));
  for (int i = 0; i < std::min(lines, kMostLines); ++i) {
    std::string row = std::string(kIndent, ' ') + Side(left, match.first_line + i, match.last_line, column) + " | " +
                      Side(right, match.other_first_line + i, match.other_last_line, column);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  if (lines > kMostLines) text += fmt::format("{:{}}... {} more lines\n", "", kIndent, lines - kMostLines);
  return text;
}

std::string GroupsText(const std::vector<similarity::Source>& sources, const similarity::Comparison& comparison,
                       int width) {
  std::string text = "Groups to look at:\n\n";
  for (size_t i = 0; i < comparison.groups.size(); ++i) {
    std::vector<std::string> names;
    for (const size_t member : comparison.groups[i]) names.push_back(PrintableLine(sources[member].name));
    const std::string line = fmt::format("{}", fmt::join(names, ", "));
    bool first = true;
    for (const std::string& part : report::Wrap(line, std::max(width - kIndent, 20))) {
      text +=
          first ? fmt::format("{:>{}}  {}\n", i + 1, kIndent - 2, part) : fmt::format("{:{}}{}\n", "", kIndent, part);
      first = false;
    }
  }
  return text;
}

// "a, b, c" in lines of this width, each after `indent` spaces; the first after `first`.
std::string NamesText(const std::string& first, const std::vector<size_t>& places,
                      const std::vector<similarity::Source>& sources, int width) {
  std::vector<std::string> names;
  names.reserve(places.size());
  for (const size_t place : places) names.push_back(PrintableLine(sources[place].name));
  std::string text;
  for (const std::string& part :
       report::Wrap(fmt::format("{}", fmt::join(names, ", ")), std::max(width - kIndent, 20))) {
    text += fmt::format("{:{}}{}\n", "", kIndent, part);
  }
  return first + "\n" + text;
}

std::string EqualText(const std::vector<similarity::Source>& sources, const similarity::Comparison& comparison,
                      int width) {
  if (comparison.equal.empty()) return "";
  std::string text = "Equal files, apart from comments and layout:\n\n";
  for (const similarity::EqualFiles& equal : comparison.equal) {
    const char* const given = equal.given ? ", which is also the course's solution" : "";
    text += NamesText(fmt::format("   {}{}:", PrintableLine(equal.file), given), equal.sources, sources, width);
  }
  return text + "\n";
}

// Who is in no pair, and why.
std::string LeftOutText(const std::vector<similarity::Source>& sources, const similarity::Comparison& comparison,
                        const SimilarTextOptions& options) {
  std::vector<size_t> no_file, too_little;
  for (const similarity::LeftOut& one : comparison.left_out) {
    (one.why == similarity::LeftOut::Why::kNoFile ? no_file : too_little).push_back(one.source);
  }
  std::string text;
  if (!too_little.empty()) {
    text += NamesText(fmt::format("Left out, because fewer than {} tokens differ from what the course has given:",
                                  options.least_tokens),
                      too_little, sources, options.width);
  }
  if (!no_file.empty())
    text += NamesText("Left out, because they have no file of the lab:", no_file, sources, options.width);
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string SimilarText(const std::string& heading, const std::vector<similarity::Source>& sources,
                        const similarity::Comparison& comparison, const SimilarTextOptions& options) {
  const auto older = static_cast<uint64_t>(
      std::count_if(sources.begin(), sources.end(), [](const similarity::Source& source) { return source.older; }));
  std::string text = fmt::format("{} · {}", PrintableLine(heading), Counted(sources.size() - older, "submission"));
  if (older > 0) text += fmt::format(", and {} older", older);
  text += "\n\n" + LeftOutText(sources, comparison, options) + EqualText(sources, comparison, options.width);
  for (const std::string& note : comparison.notes) text += "note: " + PrintableLine(note) + "\n";
  if (!comparison.notes.empty()) text += "\n";
  if (comparison.pairs.empty()) {
    return text + fmt::format(
                      "No two submissions are alike in {:.0f}% of the shorter one or more, without what the "
                      "course has given.\n",
                      options.least_share * 100);
  }
  text += GroupsText(sources, comparison, options.width) + "\nPairs to look at, the most alike first:\n";
  for (size_t i = 0; i < comparison.pairs.size(); ++i) {
    const similarity::Pair& pair = comparison.pairs[i];
    const similarity::Source &first = sources[pair.first], &second = sources[pair.second];
    const bool shows_lines = i < options.pairs;
    if (shows_lines || i == options.pairs) text += "\n";
    text += fmt::format("{:>{}}  {} and {}: {:.0f}% of the shorter one ({} of {} tokens)\n", i + 1, kIndent - 2,
                        PrintableLine(first.name), PrintableLine(second.name), pair.share() * 100, pair.alike,
                        pair.shorter);
    if (!shows_lines) continue;
    for (size_t j = 0; j < std::min(pair.matches.size(), kMostMatches); ++j) {
      text += MatchText(pair.matches[j], first, second, options.width);
    }
    if (pair.matches.size() > kMostMatches) {
      text += fmt::format("{:{}}... and {}\n", "", kIndent,
                          pair.matches.size() - kMostMatches == 1
                              ? "1 shorter match"
                              : fmt::format("{} shorter matches", pair.matches.size() - kMostMatches));
    }
  }
  text += "\n";
  for (const std::string& line : report::Wrap(similarity::kReminder, std::max(options.width, 20))) text += line + "\n";
  return text;
}

}  // namespace warpgrade::cli
