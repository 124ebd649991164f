// Chooses what is drawn, and writes the sentences around the drawings. Tests: tests/report/explain_text_test.cc,
// tests/cli/explain_command_test.cc.
#include "grader/report/explain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/report/race_text.h"
#include "grader/report/source_line.h"
#include "grader/report/style.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using score::LineRequests;

constexpr int kTextWidth = 80;
constexpr size_t kMostOtherLines = 6;

bool CostsMore(const LineRequests& a, const LineRequests& b) { return a.Above() > b.Above(); }

const LineRequests* MostCostly(const score::Pictures& pictures) {
  const auto& all = pictures.requests;
  const auto worst =
      std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return CostsMore(b, a); });
  if (worst == all.end()) return nullptr;
  if (worst->Above() > 0) return &*worst;
  return &*std::max_element(all.begin(), all.end(),
                            [](const auto& a, const auto& b) { return a.requests < b.requests; });
}

std::string LineTitle(const ExplainedRung& rung, int line, const PictureStyle& style) {
  const std::string place = fmt::format("{}:{}", PrintableLine(rung.file), line);
  const int left = std::max(4, kTextWidth - 2 - static_cast<int>(place.size()));
  return Toned(place, Tone::kTitle, style.colour) + "  " + Shorten(SourceLine(rung.source, line), left) + "\n";
}

std::string Paragraph(const std::string& text) {
  std::string lines;
  for (const std::string& line : Wrap(Printable(text), kTextWidth)) lines += line + "\n";
  return lines;
}

// The other lines that cost more than they must, the most costly first.
std::string OtherLines(const score::Pictures& pictures, int drawn) {
  struct Extra {
    uint64_t turns = 0, sectors = 0;
  };
  std::map<int, Extra> of_line;
  for (const LineRequests& one : pictures.requests) {
    if (one.line == drawn || one.Above() == 0) continue;
    (one.in_shared ? of_line[one.line].turns : of_line[one.line].sectors) += one.Above();
  }
  std::vector<std::pair<int, Extra>> lines(of_line.begin(), of_line.end());
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.turns + a.second.sectors > b.second.turns + b.second.sectors;
  });
  if (lines.empty()) return "";
  std::string text;
  for (size_t i = 0; i < std::min(lines.size(), kMostOtherLines); ++i) {
    const auto& [line, extra] = lines[i];
    std::string what = extra.turns > 0 ? Counted(extra.turns, "turn") : "";
    if (extra.sectors > 0) what += (what.empty() ? "" : ", ") + Counted(extra.sectors, "sector");
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", line, what);
  }
  if (lines.size() > kMostOtherLines) text += fmt::format(" and {} more", lines.size() - kMostOtherLines);
  return Paragraph(
      fmt::format("Other lines that cost more than the fewest turns or sectors: {}. Draw one with "
                  "--line {}.",
                  text, lines[0].first));
}

}  // namespace

std::vector<const LineRequests*> ChooseRequests(const score::Pictures& pictures, std::optional<int> line) {
  const LineRequests* const most = MostCostly(pictures);
  if (most == nullptr) return {};
  std::vector<const LineRequests*> of_line;
  for (const LineRequests& one : pictures.requests) {
    if (one.line == line.value_or(most->line)) of_line.push_back(&one);
  }
  std::stable_sort(of_line.begin(), of_line.end(), [](const LineRequests* a, const LineRequests* b) {
    return a->Above() != b->Above() ? a->Above() > b->Above() : a->requests > b->requests;
  });
  if (of_line.empty()) return {};
  if (of_line[0]->Above() == 0) {
    if (!line) of_line.resize(1);
  } else {
    std::erase_if(of_line, [](const LineRequests* one) { return one->Above() == 0; });
  }
  return of_line;
}

std::vector<const score::RaceOfTwo*> ChooseRaces(const score::Pictures& pictures, std::optional<int> line) {
  constexpr size_t kMostRaces = 3;
  std::vector<const score::RaceOfTwo*> chosen;
  for (const score::RaceOfTwo& race : pictures.races) {
    const bool is_meant = !line || race.first.line == *line || race.second.line == *line;
    if (is_meant && chosen.size() < (line ? kMostRaces : 1)) chosen.push_back(&race);
  }
  return chosen;
}

std::string LinesWithPictures(const score::Pictures& pictures) {
  std::set<int> lines;
  for (const LineRequests& one : pictures.requests) lines.insert(one.line);
  for (const score::LineBranches& one : pictures.branches) lines.insert(one.line);
  for (const score::RaceOfTwo& one : pictures.races) lines.insert({one.first.line, one.second.line});
  lines.erase(0);
  std::string text;
  size_t named = 0;
  for (const int line : lines) {
    ++named;
    text += (named == 1 ? "" : named == lines.size() ? " and " : ", ") + std::to_string(line);
  }
  return text;
}

const score::LineBranches* ChooseBranches(const score::Pictures& pictures, std::optional<int> line) {
  const score::LineBranches* chosen = nullptr;
  for (const score::LineBranches& one : pictures.branches) {
    if (one.steps.empty() || (line && one.line != *line)) continue;
    if (chosen == nullptr || one.divergent > chosen->divergent) chosen = &one;
  }
  return chosen;
}

std::string ExplainText(const score::RungMeasurement& measurement, const ExplainedRung& rung, std::optional<int> line,
                        const PictureStyle& style) {
  const score::Pictures& pictures = measurement.pictures;
  std::string text;
  if (measurement.status != score::RungStatus::kPassed) {
    text += Paragraph(fmt::format("This run is not right. `{}` says what is wrong.", rung.check)) + "\n";
  }
  for (const score::RaceOfTwo* race : ChooseRaces(pictures, line)) {
    const std::string file = PrintableLine(rung.file);
    text += Toned(fmt::format("{}:{} and {}", file, race->first.line, race->second.line), Tone::kTitle, style.colour) +
            "\n" + RaceText(*race, rung.source, style) + "\n";
  }
  const std::vector<const LineRequests*> chosen = ChooseRequests(pictures, line);
  int drawn = 0;
  if (!chosen.empty()) {
    drawn = chosen[0]->line;
    if (chosen[0]->Above() == 0) {
      const std::string whose = line ? fmt::format("line {}", drawn) : "this rung";
      text += Paragraph(fmt::format("No request of {} costs more than it must. Drawn {}:", whose,
                                    chosen.size() == 1 ? "is the most frequent one" : "are the most frequent ones")) +
              "\n";
    }
    text += LineTitle(rung, drawn, style);
    for (const LineRequests* one : chosen) text += "\n" + RequestText(*one, style);
  }
  if (const score::LineBranches* branches = ChooseBranches(pictures, line)) {
    text += chosen.empty() ? "" : "\n";
    if (branches->line != drawn) text += LineTitle(rung, branches->line, style) + "\n";
    text += BranchText(*branches, style);
  }
  const std::string others = OtherLines(pictures, drawn);
  return text + (others.empty() ? "" : "\n" + others);
}

}  // namespace warpgrade::report
