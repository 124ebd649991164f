// The data for the page of the steps of a block. steps.js draws it, and computes nothing but places. Tests:
// tests/report/html_test.cc, and tests/report/html/ opens the page in a browser.
#include "grader/report/html_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"
#include "grader/report/memory_picture.h"
#include "grader/report/source_line.h"
#include "grader/report/steps_text.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

constexpr size_t kCellsInRow = 16, kValueWidth = 8;
constexpr size_t kMostPageSteps = 256;  // a page of half a megabyte
constexpr size_t kMostPageWarps = 32;

using StepJson = nlohmann::ordered_json;

StepJson CellsJson(const std::vector<StepCell>& cells) {
  StepJson json = StepJson::array();
  for (const StepCell& cell : cells) {
    json.push_back({PrintableLine(cell.label), cell.value, cell.is_used, cell.after_gap});
  }
  return json;
}

std::string PanelNote(const StepPanel& panel) {
  uint64_t more = 0;
  for (const StepWire& wire : panel.wires) more += wire.more_sources;
  std::string note;
  if (panel.drawn < panel.writes)
    note = fmt::format("Drawn are {} of {}. ", panel.drawn, Counted(panel.writes, "write"));
  if (more > 0) note += fmt::format("{} that these come from are not drawn.", Counted(more, "more value"));
  return note;
}

StepJson PanelJson(const StepPanel& panel) {
  StepJson json = {{"title", panel.title},
                   {"above", panel.above},
                   {"below", panel.below},
                   {"top", CellsJson(panel.top)},
                   {"bottom", CellsJson(panel.bottom)},
                   {"tracks", panel.tracks},
                   {"aligned", panel.is_aligned},
                   {"note", PanelNote(panel)}};
  json["wires"] = StepJson::array();
  for (const StepWire& wire : panel.wires) json["wires"].push_back({wire.from, wire.to, wire.track, wire.thread});
  return json;
}

StepJson WarpsJson(const StepDrawing& drawing) {
  StepJson json = StepJson::array();
  for (const StepLanes& warps : drawing.warps) {
    if (json.size() == kMostPageWarps) break;
    std::string lanes;
    for (int lane = 0; lane < kLanesOfWarp; ++lane) lanes += (warps.lanes >> lane & 1) != 0 ? '1' : '0';
    json.push_back({WarpsWords(warps), lanes,
                    warps.lanes == 0 ? "idle" : fmt::format("{} of 32 lanes", __builtin_popcount(warps.lanes))});
  }
  return json;
}

}  // namespace

std::string StepsPage(const score::BlockSteps& block, const StepsPageFacts& facts) {
  constexpr int kMostCode = 160;
  const std::vector<StepDrawing> drawings = DrawSteps(block, kCellsInRow, kValueWidth);
  StepJson data = {{"kit", PrintableLine(facts.kit_version)},
                   {"course", "warpgrade explain"},
                   {"title", PrintableLine(facts.title)},
                   {"case", PrintableLine(facts.case_name)},
                   {"words", BlockWords(block)}};
  data["notes"] = StepJson::array();
  if (const std::string left_out = LeftOutWords(block); !left_out.empty()) data["notes"].push_back(left_out);
  const size_t shown = std::min(drawings.size(), kMostPageSteps);
  if (shown < drawings.size()) {
    data["notes"].push_back(fmt::format("This page has the first {} of {} steps.", shown, drawings.size()));
  }
  data["steps"] = StepJson::array();
  for (size_t index = 0; index < shown; ++index) {
    StepJson step = {{"title", StepWords(block, index, drawings[index])}};
    step["lines"] = StepJson::array();
    for (const int line : block.steps[index].lines) {
      step["lines"].push_back({line, Shorten(SourceLine(facts.source, line), kMostCode)});
    }
    step["panels"] = StepJson::array();
    for (const StepPanel& panel : drawings[index].panels) step["panels"].push_back(PanelJson(panel));
    step["warps"] = drawings[index].threads > 0 ? WarpsJson(drawings[index]) : StepJson::array();
    step["notes"] = drawings[index].notes;
    data["steps"].push_back(std::move(step));
  }
  return PageOf(std::string(kPicturesJs) + std::string(kStepsJs), ScriptSafe(data));
}

}  // namespace warpgrade::report
