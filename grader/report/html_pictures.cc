// The data of the pictures below lines of the source: what the functions of pictures.js take. Tests:
// tests/report/html_test.cc, and tests/report/html/ in a browser.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/report/branch_text.h"
#include "grader/report/html_json.h"
#include "grader/report/memory_picture.h"
#include "grader/report/memory_text.h"
#include "grader/report/race_text.h"
#include "grader/report/source_line.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

// In one rung. Chosen: nobody looks at more, and each takes a few kilobytes.
constexpr size_t kMostPictures = 8;

using PictureJson = nlohmann::ordered_json;

PictureJson BanksJson(const score::MemoryRequest& request, PictureJson json) {
  const BankPicture picture = BanksOf(request);
  json["cells"] = PictureJson::array();
  for (const BankCell& cell : picture.cells) json["cells"].push_back({cell.lane, cell.bank, cell.turn, cell.waits});
  return json;
}

PictureJson SectorsJson(const score::MemoryRequest& request, PictureJson json) {
  json["rows"] = PictureJson::array();
  for (const SectorRow& row : SectorsOf(request)) {
    std::string wanted;
    for (uint64_t byte = 0; byte < kSectorBytes; ++byte) wanted += (row.wanted >> byte & 1) != 0 ? '1' : '0';
    json["rows"].push_back(
        {PlaceInArray(request, row.Line() * kLineBytes), row.InLine(), wanted, LaneWords(row.lanes)});
  }
  return json;
}

PictureJson StepsJson(const score::LineBranches& line) {
  const auto bits = [](uint32_t lanes) {
    std::string text;
    for (int lane = 0; lane < kLanesOfWarp; ++lane) text += (lanes >> lane & 1) != 0 ? '1' : '0';
    return text;
  };
  PictureJson json = {{"line", line.line}, {"words", BranchWords(line)}};
  json["notes"] = {Printable(WarpWords(line.kernel, line.block, line.block_size, line.warp)), BranchCountWords(line),
                   "A lane that is active does the work of an `if`, or goes on in a loop. The others wait, because the "
                   "lanes of a warp execute one instruction at a time, or have ended."};
  json["steps"] = PictureJson::array();
  for (const StepRange& range : RangesOf(line.steps)) {
    json["steps"].push_back(
        {range.first, range.last, bits(range.step.inside), bits(range.step.alive & ~range.step.inside)});
  }
  return json;
}

// The lines with most divergent branches.
void AddSteps(const score::Pictures& pictures, PictureJson* all) {
  std::vector<const score::LineBranches*> drawn;
  for (const score::LineBranches& one : pictures.branches) {
    if (one.divergent > 0 && !one.steps.empty()) drawn.push_back(&one);
  }
  std::stable_sort(drawn.begin(), drawn.end(),
                   [](const auto* a, const auto* b) { return a->divergent > b->divergent; });
  if (drawn.size() > kMostPictures) drawn.resize(kMostPictures);
  for (const score::LineBranches* one : drawn) all->push_back(StepsJson(*one));
}

PictureJson AccessJson(const score::RaceAccess& access, const std::string& place, const std::string& source) {
  constexpr int kCodeColumns = 46, kDeedColumns = 48;  // half of the drawing
  return {{"thread", "thread " + TripleWords(access.thread)},
          {"where", fmt::format("block {}, warp {}, lane {}", TripleWords(access.block), access.warp, access.lane)},
          {"lane", access.lane},
          {"deed", Shorten(DeedWords(access, place), kDeedColumns)},
          {"code", access.line > 0 ? Shorten(SourceLine(source, access.line), kCodeColumns) : ""}};
}

// A race stands below the line of its second access, where its finding is.
PictureJson RaceJson(const score::RaceOfTwo& race, const std::string& source) {
  PictureJson json = {{"line", race.second.line > 0 ? race.second.line : race.first.line}, {"words", RaceWords(race)}};
  json["notes"] = {"kernel " + PrintableLine(race.kernel), RaceOutcomeWords(race)};
  json["missing"] = "no " + MissingBarrier(race) + " here";
  json["accesses"] = {AccessJson(race.first, race.place, source), AccessJson(race.second, race.place, source)};
  return json;
}

void AddRaces(const score::Pictures& pictures, const std::string& source, PictureJson* all) {
  size_t drawn = 0;
  for (const score::RaceOfTwo& race : pictures.races) {
    if ((race.first.line == 0 && race.second.line == 0) || drawn == kMostPictures) continue;
    all->push_back(RaceJson(race, source));
    ++drawn;
  }
}

}  // namespace

PictureJson PicturesJson(const score::Pictures& pictures, const std::string& source) {
  std::vector<const score::LineRequests*> drawn;
  for (const score::LineRequests& one : pictures.requests) {
    if (one.Above() > 0 && IsDrawable(one.shown)) drawn.push_back(&one);
  }
  std::stable_sort(drawn.begin(), drawn.end(), [](const auto* a, const auto* b) { return a->Above() > b->Above(); });
  if (drawn.size() > kMostPictures) drawn.resize(kMostPictures);
  PictureJson all = PictureJson::array();
  AddRaces(pictures, source, &all);
  for (const score::LineRequests* one : drawn) {
    PictureJson json = {{"line", one->line}, {"words", RequestWords(*one)}};
    json["notes"] = {Printable(RequestPlaceWords(one->shown)), RequestCountWords(*one), RequestSumWords(*one)};
    all.push_back(one->in_shared ? BanksJson(one->shown, std::move(json)) : SectorsJson(one->shown, std::move(json)));
  }
  AddSteps(pictures, &all);
  return all;
}

}  // namespace warpgrade::report
