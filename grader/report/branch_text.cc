// A row for each step of the warp; steps that are alike share a row. Tests: tests/report/branch_text_test.cc.
#include "grader/report/branch_text.h"

#include <fmt/format.h>

#include <bit>

#include "grader/report/memory_picture.h"
#include "grader/report/style.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

struct Marks {
  const char *active, *waits, *ended;
};
Marks MarksOf(const PictureStyle& style) { return style.utf8 ? Marks{"█", "░", "·"} : Marks{"#", ".", "-"}; }

bool IsAlike(const score::BranchStep& a, const score::BranchStep& b) {
  return a.alive == b.alive && a.at == b.at && a.inside == b.inside;
}

std::string LaneMarks(const score::BranchStep& step, const PictureStyle& style) {
  constexpr int kLanesInGroup = 8;
  const Marks marks = MarksOf(style);
  std::string text;
  for (int lane = 0; lane < kLanesOfWarp; ++lane) {
    if (lane > 0 && lane % kLanesInGroup == 0) text += ' ';
    const uint32_t bit = 1u << lane;
    if ((step.inside & bit) != 0) {
      text += Toned(marks.active, Tone::kGood, style.colour);
    } else if ((step.alive & bit) != 0) {
      text += Toned(marks.waits, Tone::kMissed, style.colour);
    } else {
      text += Toned(marks.ended, Tone::kQuiet, style.colour);
    }
  }
  return text;
}

std::string StepRow(const StepRange& range, const PictureStyle& style) {
  const std::string number =
      range.first == range.last ? std::to_string(range.first) : fmt::format("{}-{}", range.first, range.last);
  const int active = std::popcount(range.step.inside), waits = std::popcount(range.step.alive & ~range.step.inside);
  return fmt::format("{:>9}  {}  {} active, {} {}\n", number, LaneMarks(range.step, style), active, waits,
                     waits == 1 ? "waits" : "wait");
}

}  // namespace

std::vector<StepRange> RangesOf(const std::vector<score::BranchStep>& steps) {
  std::vector<StepRange> ranges;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!ranges.empty() && IsAlike(ranges.back().step, steps[i])) {
      ranges.back().last = i + 1;
    } else {
      ranges.push_back({i + 1, i + 1, steps[i]});
    }
  }
  return ranges;
}

std::string BranchWords(const score::LineBranches& line) {
  return fmt::format("lanes of one warp go both ways at {} of {} steps", line.warp_divergent, line.warp_executed);
}

std::string BranchCountWords(const score::LineBranches& line) {
  return fmt::format("line {} has {} of warps; at {} of them lanes go both ways", line.line,
                     line.executed == 1 ? "1 branch" : fmt::format("{} branches", line.executed), line.divergent);
}

std::string BranchLegend(const PictureStyle& style) {
  const Marks marks = MarksOf(style);
  return fmt::format(
      "{} is a lane that does the work of an `if`, or goes on in a loop. {} waits, because the lanes of a "
      "warp execute one instruction at a time. {} has ended.",
      marks.active, marks.waits, marks.ended);
}

std::string BranchText(const score::LineBranches& line, const PictureStyle& style) {
  constexpr int kPictureColumns = 78;
  if (line.steps.empty()) return "";
  std::string text;
  const auto add = [&text](const std::string& sentence) {
    for (const std::string& part : Wrap(Printable(sentence), kPictureColumns)) text += "  " + part + "\n";
  };
  add(BranchWords(line));
  add(WarpWords(line.kernel, line.block, line.block_size, line.warp));
  add(BranchCountWords(line));
  text += "\n" + Toned("     step  lane 0   8        16       24\n", Tone::kQuiet, style.colour);
  for (const StepRange& range : RangesOf(line.steps)) text += StepRow(range, style);
  if (line.warp_executed > line.steps.size()) {
    text += fmt::format("{:>9}  {}\n", "...", Counted(line.warp_executed - line.steps.size(), "more step"));
  }
  text += "\n";
  add(BranchLegend(style));
  return text;
}

}  // namespace warpgrade::report
