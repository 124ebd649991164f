// Merges the findings of all cases by kind and line, and keeps the details of the most typical case. Leaves out what
// only follows from another finding. Tests: tests/judge/findings_test.cc.
#include "grader/judge/findings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace warpgrade::judge {
namespace {

bool IsSameFault(const score::Finding& a, const score::Finding& b) {
  // Without line information, the kernel is all that tells faults apart.
  const bool same_kernel = !a.file.empty() || a.kernel == b.kernel;
  return a.kind == b.kind && a.file == b.file && a.line == b.line && a.in_local == b.in_local && same_kernel;
}

// Smaller is more typical. Of equals the earlier one stays. A race within a warp comes last, because a barrier of the
// block repairs it as well as the races across warps of another case.
std::tuple<bool, bool, bool, uint64_t> Rank(const score::Finding& finding) {
  return {finding.reach == "warp", finding.case_number == 0, finding.case_elements == 0, finding.case_elements};
}

score::Finding* Find(const score::Finding& finding, std::vector<score::Finding>* among) {
  const auto same = std::find_if(among->begin(), among->end(),
                                 [&](const score::Finding& other) { return IsSameFault(finding, other); });
  return same == among->end() ? nullptr : &*same;
}

}  // namespace

std::string ShortFile(const std::string& file, const std::string& rung) {
  const size_t slash = file.rfind('/');
  if (slash == std::string::npos) return file;
  std::string name = file.substr(slash + 1);
  if (name == rung + ".cu" || slash == 0) return name;
  const size_t folder = file.rfind('/', slash - 1);
  return folder == std::string::npos ? file : file.substr(folder + 1);
}

void AddFindings(std::vector<score::Finding> seen, const Case& c, std::vector<score::Finding>* findings) {
  std::vector<score::Finding> of_case;
  for (score::Finding& finding : seen) {
    if (score::Finding* known = Find(finding, &of_case)) {
      known->count += finding.count;
      continue;
    }
    finding.case_name = c.name;
    finding.case_number = c.number;
    finding.case_elements = c.elements;
    of_case.push_back(std::move(finding));
  }
  for (score::Finding& finding : of_case) {
    score::Finding* known = Find(finding, findings);
    if (known == nullptr) {
      findings->push_back(std::move(finding));
      continue;
    }
    finding.count += known->count;
    finding.cases += known->cases;
    if (Rank(finding) < Rank(*known)) std::swap(*known, finding);
    known->count = std::max(known->count, finding.count);
    known->cases = std::max(known->cases, finding.cases);
  }
}

void DropConsequences(std::vector<score::Finding>* findings) {
  std::set<std::pair<std::string, int>> racing, outside;
  for (const score::Finding& finding : *findings) {
    if (finding.kind == "out-of-bounds") outside.emplace(finding.file, finding.line);
    if (finding.kind != "shared-race" && finding.kind != "global-race") continue;
    if (finding.reads_first) continue;
    racing.emplace(finding.file, finding.line);
    racing.emplace(finding.other_file, finding.other_line);
  }
  std::erase_if(*findings, [&](const score::Finding& finding) {
    if (finding.line == 0) return false;
    const std::pair<std::string, int> place(finding.file, finding.line);
    const std::pair<std::string, int> other_place(finding.other_file, finding.other_line);
    // No other thread writes local memory, so such a read follows from nothing else.
    return (finding.kind == "uninitialised-read" && !finding.in_local && racing.contains(place)) ||
           (finding.kind == "use-after-free" && outside.contains(place)) ||
           (finding.kind == "global-race" && (outside.contains(place) || outside.contains(other_place)));
  });
}

void KeepRaces(const std::vector<score::RaceOfTwo>& races, score::RungMeasurement* measurement) {
  constexpr size_t kMostRaces = 32;
  std::vector<score::RaceOfTwo>& kept = measurement->pictures.races;
  for (const score::RaceOfTwo& race : races) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&race](const score::RaceOfTwo& other) {
      return std::tie(other.first.line, other.second.line) == std::tie(race.first.line, race.second.line);
    });
    if (!known && kept.size() < kMostRaces) kept.push_back(race);
  }
}

void DropRacesWithoutFinding(const std::string& rung, score::RungMeasurement* measurement) {
  const auto line_of = [&rung](const std::string& file, int line) { return file == rung + ".cu" ? line : 0; };
  std::erase_if(measurement->pictures.races, [&](const score::RaceOfTwo& race) {
    return std::none_of(measurement->findings.begin(), measurement->findings.end(), [&](const score::Finding& finding) {
      return !finding.other_file.empty() && line_of(finding.file, finding.line) == race.second.line &&
             line_of(finding.other_file, finding.other_line) == race.first.line;
    });
  });
}

namespace {

struct Place {
  std::string file;
  int line = 0;
};

// Of "FILE:LINE: what it does". A sentence about kernels or copies has no place.
std::optional<Place> PlaceOf(const std::string& hint) {
  for (size_t colon = hint.find(':'); colon != std::string::npos; colon = hint.find(':', colon + 1)) {
    Place place{hint.substr(0, colon)};
    const char* const end = hint.data() + hint.size();
    const auto number = std::from_chars(hint.data() + colon + 1, end, place.line);
    if (number.ec == std::errc() && std::string_view(number.ptr, end).starts_with(": ")) return place;
  }
  return std::nullopt;
}

}  // namespace

namespace {

void InsertPlace(const std::string& file, int line, int* at, std::string* message) {
  if (*at < 0 || static_cast<size_t>(*at) > message->size()) return;
  const bool known = !file.empty() && line > 0;
  message->insert(static_cast<size_t>(*at),
                  known ? " (" + file + ":" + std::to_string(line) + ")" : std::string(" ") + kUnknownPlace);
  *at = -1;
}

}  // namespace

void HideForeignPlaces(const std::string& lab, const std::string& rung, int source_lines,
                       score::RungMeasurement* measurement) {
  const std::string own = rung + ".cu", header = lab + "/" + lab + ".h";
  const auto is_known = [&](const std::string& file, int line) {
    return file.empty() || file == header || (file == own && line >= 0 && line <= source_lines);
  };
  for (score::Finding& finding : measurement->findings) {
    if (!is_known(finding.other_file, finding.other_line)) {
      finding.other_file.clear();
      finding.other_line = finding.barrier_line = 0;
    }
    if (!is_known(finding.file, finding.line)) {
      finding.file = kUnknownPlace;
      finding.line = finding.barrier_line = 0;
    }
    // The later place first, so that the other one stays right.
    InsertPlace(finding.other_file, finding.other_line, &finding.other_line_at, &finding.message);
    InsertPlace(finding.file, finding.line, &finding.line_at, &finding.message);
  }
  std::erase_if(measurement->metric_lines, [&](const auto& hint) {
    const std::optional<Place> place = PlaceOf(hint.second);
    return place && !is_known(place->file, place->line);
  });
  std::erase_if(measurement->line_counts, [&](const score::LineCounts& counts) { return counts.line > source_lines; });
  std::erase_if(measurement->pictures.requests,
                [&](const score::LineRequests& requests) { return requests.line > source_lines; });
  for (score::BlockSteps& block : measurement->pictures.steps) {
    for (score::BlockStep& step : block.steps) {
      std::erase_if(step.lines, [&](int line) { return line > source_lines; });
    }
  }
  for (score::RaceOfTwo& race : measurement->pictures.races) {
    for (int* line : {&race.first.line, &race.second.line, &race.barrier_line}) {
      if (*line < 0 || *line > source_lines) *line = 0;
    }
  }
  std::erase_if(measurement->pictures.branches,
                [&](const score::LineBranches& branches) { return branches.line > source_lines; });
}

}  // namespace warpgrade::judge
