// A row of values, wires in characters below it, and the row of the new values. A wire leaves its sources left of the
// middle of their columns and arrives right of the middle of its target, so that no two of them share a line of
// characters. Tests: tests/report/steps_text_test.cc.
#include "grader/report/steps_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/report/source_line.h"
#include "grader/report/style.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

constexpr size_t kStepMargin = 10;                       // left of the columns of values
constexpr size_t kMostStepColumns = 8, kStepColumn = 8;  // of values, and characters of each, where no value needs more
constexpr int kStepText = 78;
constexpr size_t kMostSteps = 64;  // in one output
constexpr size_t kMostWarpRows = 6;

// The columns of values. All steps of a block have the same ones. Integers stand in them in full, so wide integers get
// fewer and wider columns.
struct StepColumns {
  size_t count = kMostStepColumns;
  size_t width = kStepColumn;  // in characters, with a space between two values

  size_t MiddleOf(size_t cell) const { return kStepMargin + cell * width + width / 2; }
  size_t End() const { return kStepMargin + count * width; }
};

StepColumns StepColumnsFor(const score::BlockSteps& block) {
  StepColumns columns;
  columns.width = std::max(kStepColumn, WidestInteger(block) + 1);
  columns.count = std::min(kMostStepColumns, (size_t{kStepText} - kStepMargin) / columns.width);
  return columns;
}

// Lines of characters, in each of which lines meet.
class Canvas {
 public:
  Canvas(size_t rows, const StepColumns& columns, bool utf8)
      : rows_(rows, std::vector<uint8_t>(columns.End() + 2)), utf8_(utf8) {}

  // From the top to the row before `end`, or from the row after `begin` to the arrows.
  void DownTo(size_t x, size_t end) {
    for (size_t y = 0; y < end; ++y) Add(x, y, kUp | kDown);
  }
  void DownFrom(size_t x, size_t begin) {
    for (size_t y = begin + 1; y + 1 < rows_.size(); ++y) Add(x, y, kUp | kDown);
  }
  void Along(size_t y, size_t from, size_t to) {
    for (size_t x = from; x <= to; ++x) {
      // A wire that crosses another one goes below it.
      if (x > from && x < to && rows_[y][x] == (kUp | kDown)) continue;
      Add(x, y, (x > from ? kLeft : 0) | (x < to ? kRight : 0));
    }
  }
  // A wire along y from `first` to `last` meets what comes from above, or leaves downwards.
  void MeetAbove(size_t x, size_t y, size_t first, size_t last) { Meet(x, y, first, last, kUp); }
  void MeetBelow(size_t x, size_t y, size_t first, size_t last) { Meet(x, y, first, last, kDown); }
  void Arrow(size_t x, size_t y) { rows_[y][x] = kArrow; }

  std::string Text() const {
    std::string text;
    for (const std::vector<uint8_t>& row : rows_) {
      std::string line;
      for (const uint8_t cell : row) line += utf8_ ? kLines[cell] : kAscii[cell];
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

 private:
  static constexpr uint8_t kUp = 1, kDown = 2, kLeft = 4, kRight = 8, kArrow = 16;
  static constexpr std::array<const char*, 17> kLines = {" ", "│", "│", "│", "─", "┘", "┐", "┤", "─",
                                                         "└", "┌", "├", "─", "┴", "┬", "┼", "▼"};
  static constexpr std::array<const char*, 17> kAscii = {" ", "|", "|", "|", "-", "+", "+", "+", "-",
                                                         "+", "+", "+", "-", "+", "+", "+", "v"};
  void Meet(size_t x, size_t y, size_t first, size_t last, int direction) {
    Add(x, y, direction | (x > first ? kLeft : 0) | (x < last ? kRight : 0));
  }
  void Add(size_t x, size_t y, int directions) { rows_[y][x] = static_cast<uint8_t>(rows_[y][x] | directions); }

  std::vector<std::vector<uint8_t>> rows_;
  bool utf8_;
};

std::string WiresText(const StepPanel& panel, const StepColumns& columns, const PictureStyle& style) {
  if (panel.wires.empty()) return "";
  Canvas canvas(panel.tracks + 1, columns, style.utf8);
  const size_t bottom = panel.tracks;
  // First what goes down, so that what goes along can pass below it.
  for (const StepWire& wire : panel.wires) {
    for (const size_t cell : wire.from) canvas.DownTo(columns.MiddleOf(cell) - 1, wire.track);
    canvas.DownFrom(columns.MiddleOf(wire.to) + 1, wire.track);
  }
  for (const StepWire& wire : panel.wires) {
    const size_t target = columns.MiddleOf(wire.to) + 1;
    size_t first = target, last = target;
    for (const size_t cell : wire.from) {
      first = std::min(first, columns.MiddleOf(cell) - 1);
      last = std::max(last, columns.MiddleOf(cell) - 1);
    }
    canvas.Along(wire.track, first, last);
    for (const size_t cell : wire.from) canvas.MeetAbove(columns.MiddleOf(cell) - 1, wire.track, first, last);
    canvas.MeetBelow(target, wire.track, first, last);
    canvas.Arrow(target, bottom);
  }
  return canvas.Text();
}

// Texts around the middles of their columns.
std::string ValueRow(const std::string& title, const StepColumns& columns, const std::vector<std::string>& texts,
                     const std::vector<bool>& after_gap, const std::string& gap) {
  const auto width = static_cast<int>(columns.width);
  std::string row = "  " + PadRight(title, static_cast<int>(kStepMargin) - 2);
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string text = Shorten(texts[i], width - 1);
    const int left = (width - DisplayWidth(text) + 1) / 2;
    row += (after_gap[i] && left > 0 ? gap + std::string(static_cast<size_t>(left) - 1, ' ')
                                     : std::string(static_cast<size_t>(left), ' '));
    row += text;
    row = PadRight(row, static_cast<int>(kStepMargin + (i + 1) * columns.width));
  }
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::string CellRow(const std::string& title, const StepColumns& columns, const std::vector<StepCell>& cells,
                    bool is_label, const PictureStyle& style) {
  std::vector<std::string> texts;
  std::vector<bool> after_gap;
  texts.reserve(cells.size());
  after_gap.reserve(cells.size());
  for (const StepCell& cell : cells) {
    texts.push_back(is_label ? cell.label : cell.value.empty() ? (style.utf8 ? "·" : ".") : cell.value);
    after_gap.push_back(is_label && cell.after_gap);
  }
  const std::string row = ValueRow(title, columns, texts, after_gap, style.utf8 ? "…" : "~");
  return is_label ? Toned(row, Tone::kQuiet, style.colour) : row;
}

std::string ThreadRow(const StepPanel& panel, const StepColumns& columns) {
  std::vector<std::string> texts(panel.bottom.size());
  for (const StepWire& wire : panel.wires) texts[wire.to] = std::to_string(wire.thread);
  return ValueRow("thread", columns, texts, std::vector<bool>(texts.size()), "");
}

std::string StepSentence(const std::string& sentence) {
  std::string text;
  for (const std::string& line : Wrap(Printable(sentence), kStepText)) text += "  " + line + "\n";
  return text;
}

std::string PanelText(const StepPanel& panel, const StepColumns& columns, const PictureStyle& style) {
  std::string text = StepSentence(panel.title);
  text += CellRow("", columns, panel.top.empty() ? panel.bottom : panel.top, true, style);
  if (!panel.top.empty()) text += CellRow(panel.above, columns, panel.top, false, style);
  text += WiresText(panel, columns, style);
  text += CellRow(panel.below, columns, panel.bottom, false, style);
  if (!panel.is_aligned && !panel.top.empty()) text += CellRow("", columns, panel.bottom, true, style);
  text += ThreadRow(panel, columns);
  uint64_t more_sources = 0;
  for (const StepWire& wire : panel.wires) more_sources += wire.more_sources;
  if (panel.drawn < panel.writes) {
    text += StepSentence(fmt::format("{} of {} are drawn", panel.drawn, Counted(panel.writes, "write")));
  }
  if (more_sources > 0)
    text += StepSentence(fmt::format("{} that these come from are not drawn", Counted(more_sources, "more value")));
  return text;
}

std::string LanesText(const StepDrawing& drawing, const PictureStyle& style) {
  constexpr int kNameColumns = 18, kLanesInGroup = 8;
  std::string text;
  for (size_t i = 0; i < drawing.warps.size(); ++i) {
    const StepLanes& warps = drawing.warps[i];
    if (i == kMostWarpRows) {
      text += fmt::format("  and {} more\n", Counted(drawing.warps.size() - i, "group"));
      break;
    }
    std::string marks;
    for (int lane = 0; lane < 32; ++lane) {
      if (lane > 0 && lane % kLanesInGroup == 0) marks += ' ';
      const bool is_active = (warps.lanes >> lane & 1) != 0;
      const char* const mark = style.utf8 ? (is_active ? "█" : "░") : is_active ? "#" : ".";
      marks += Toned(mark, is_active ? Tone::kGood : Tone::kQuiet, style.colour);
    }
    text += fmt::format("  {}{}  {}\n", PadRight(WarpsWords(warps), kNameColumns), marks,
                        warps.lanes == 0 ? "idle" : fmt::format("{} of 32 lanes", __builtin_popcount(warps.lanes)));
  }
  return text;
}

std::string StepText(const score::BlockSteps& block, size_t index, const StepDrawing& drawing,
                     const StepColumns& columns, const std::string& source, const PictureStyle& style) {
  constexpr int kCodeColumns = 64;
  std::string text = Toned(StepWords(block, index, drawing), Tone::kTitle, style.colour) + "\n";
  for (const int line : block.steps[index].lines) {
    text += Toned(fmt::format("  line {}: {}\n", line, Shorten(SourceLine(source, line), kCodeColumns)), Tone::kQuiet,
                  style.colour);
  }
  for (const StepPanel& panel : drawing.panels) text += "\n" + PanelText(panel, columns, style);
  if (drawing.threads > 0) text += "\n" + LanesText(drawing, style);
  for (const std::string& note : drawing.notes) text += StepSentence(note);
  return text;
}

}  // namespace

std::string BlockWords(const score::BlockSteps& block) {
  const auto count = [](const score::Triple& of) { return uint64_t{of.x} * of.y * of.z; };
  const std::string launch = block.launches > 1 ? fmt::format(", launch {} of {}", block.launch, block.launches) : "";
  return fmt::format("kernel {}{}: block ({},{},{}) of {} with {}", PrintableLine(block.kernel), launch, block.block.x,
                     block.block.y, block.block.z, Counted(count(block.grid), "block"),
                     Counted(count(block.block_size), "thread"));
}

std::string StepWords(const score::BlockSteps& block, size_t index, const StepDrawing& drawing) {
  const uint64_t threads = uint64_t{block.block_size.x} * block.block_size.y * block.block_size.z;
  const score::BlockStep& step = block.steps[index];
  std::string words = fmt::format("step {} of {}: ", index + 1, block.steps.size());
  if (step.reads.empty() && step.writes.empty()) return words + "its values were not kept";
  words +=
      fmt::format("{} of {} {}", drawing.threads, Counted(threads, "thread"), drawing.threads == 1 ? "works" : "work");
  const std::string end = StepEndWords(block, index);
  return end.empty() ? words : words + ", until " + end;
}

std::string StepEndWords(const score::BlockSteps& block, size_t index) {
  const score::BlockStep& step = block.steps[index];
  if (index + 1 == block.steps.size()) return "the block ends";
  if (block.steps[index + 1].interval != step.interval) return "a barrier of the block";
  return step.shuffles > 0 ? "the shuffle" : "a shuffle or a __syncwarp()";
}

std::string LeftOutWords(const score::BlockSteps& block) {
  if (block.left_out == 0) return "";
  return fmt::format(
      "{} of this block {} not kept: there are too many, or they come from asynchronous or matrix "
      "instructions.",
      Counted(block.left_out, "value"), block.left_out == 1 ? "was" : "were");
}

std::string WarpsWords(const StepLanes& lanes) {
  return lanes.first == lanes.last ? fmt::format("warp {}", lanes.first)
                                   : fmt::format("warps {} to {}", lanes.first, lanes.last);
}

std::string StepsText(const score::BlockSteps& block, const std::string& source, std::optional<size_t> step,
                      const PictureStyle& style) {
  const StepColumns columns = StepColumnsFor(block);
  const std::vector<StepDrawing> drawings = DrawSteps(block, columns.count, columns.width - 1);
  std::string text = StepSentence(BlockWords(block));
  if (const std::string left_out = LeftOutWords(block); !left_out.empty()) text += StepSentence(left_out);
  const size_t first = step ? *step - 1 : 0;
  const size_t end = step ? *step : std::min(drawings.size(), kMostSteps);
  for (size_t index = first; index < end; ++index) {
    text += "\n" + StepText(block, index, drawings[index], columns, source, style);
  }
  if (!step && drawings.size() > end) {
    text +=
        fmt::format("\n{} not shown; draw one with --step {}\n", Counted(drawings.size() - end, "more step"), end + 1);
  }
  return text;
}

}  // namespace warpgrade::report
