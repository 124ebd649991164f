// The data for the steps of a block, on a page of their own and on the page of a submission. stepper.js draws them, and
// computes nothing but places. Tests: tests/report/html_test.cc, and tests/report/html/ opens the pages in a browser.
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
// Of one rung, on the page of a submission. The trees and scans of the labs take 10 to 26 KB.
constexpr size_t kMostStepBytesOfRung = size_t{48} << 10;

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
    note = fmt::format("{} of {} are drawn. ", panel.drawn, Counted(panel.writes, "write"));
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

StepJson OneStepJson(const score::BlockSteps& block, size_t index, const StepDrawing& drawing,
                     const std::string& source) {
  constexpr int kMostCode = 160;
  StepJson step = {{"title", StepWords(block, index, drawing)}};
  step["lines"] = StepJson::array();
  for (const int line : block.steps[index].lines) {
    step["lines"].push_back({line, Shorten(SourceLine(source, line), kMostCode)});
  }
  step["panels"] = StepJson::array();
  for (const StepPanel& panel : drawing.panels) step["panels"].push_back(PanelJson(panel));
  step["warps"] = drawing.threads > 0 ? WarpsJson(drawing) : StepJson::array();
  step["notes"] = drawing.notes;
  return step;
}

// The first of the steps to show, so that the one with the number `at` is among them.
size_t FirstShown(size_t at, size_t all) {
  if (at < kMostPageSteps) return 0;
  return std::min(at - kMostPageSteps / 2, all - kMostPageSteps);
}

std::string ShownWords(size_t first, size_t shown, size_t all) {
  if (first == 0) return fmt::format("This page has the first {} of {} steps.", shown, all);
  return fmt::format("This page has the steps {} to {} of {}.", first + 1, first + shown, all);
}

}  // namespace

std::string StepsPage(const score::BlockSteps& block, const StepsPageFacts& facts) {
  const std::vector<StepDrawing> drawings = DrawSteps(block, kCellsInRow, kValueWidth);
  const size_t at = std::min(facts.step, drawings.size()) - 1;
  const size_t first = FirstShown(at, drawings.size());
  const size_t shown = std::min(drawings.size() - first, kMostPageSteps);
  StepJson data = {
      {"kit", PrintableLine(facts.kit_version)}, {"course", "warpgrade explain"}, {"title", PrintableLine(facts.title)},
      {"case", PrintableLine(facts.case_name)},  {"words", BlockWords(block)},    {"at", at - first}};
  data["notes"] = StepJson::array();
  if (const std::string left_out = LeftOutWords(block); !left_out.empty()) data["notes"].push_back(left_out);
  if (shown < drawings.size()) data["notes"].push_back(ShownWords(first, shown, drawings.size()));
  data["steps"] = StepJson::array();
  for (size_t index = first; index < first + shown; ++index) {
    data["steps"].push_back(OneStepJson(block, index, drawings[index], facts.source));
  }
  return PageOf(std::string(kPicturesJs) + std::string(kStepperJs) + std::string(kStepsJs), ScriptSafe(data));
}

nlohmann::ordered_json BlockStepsJson(const score::Pictures& pictures, const std::string& source,
                                      const std::string& command, size_t* bytes) {
  if (pictures.steps.empty()) return nullptr;
  const score::BlockSteps& block = pictures.steps[0];
  if (block.steps.size() < 2 || !IsDrawable(block)) return nullptr;
  const std::vector<StepDrawing> drawings = DrawSteps(block, kCellsInRow, kValueWidth);
  StepJson json = {{"words", BlockWords(block)}, {"case", PrintableLine(pictures.case_name)}};
  json["notes"] = StepJson::array();
  if (const std::string left_out = LeftOutWords(block); !left_out.empty()) json["notes"].push_back(left_out);
  json["steps"] = StepJson::array();
  size_t left = std::min(*bytes, kMostStepBytesOfRung);
  for (size_t index = 0; index < drawings.size(); ++index) {
    StepJson step = OneStepJson(block, index, drawings[index], source);
    const size_t size = ScriptSafe(step).size();
    if (size > left) break;
    left -= size;
    *bytes -= size;
    json["steps"].push_back(std::move(step));
  }
  if (const size_t shown = json["steps"].size(); shown < drawings.size()) {
    json["notes"].push_back(fmt::format(
        "{} `{}` writes a page with more.",
        shown == 0 ? "The steps do not fit into this page." : ShownWords(0, shown, drawings.size()), command));
  }
  return json;
}

}  // namespace warpgrade::report
