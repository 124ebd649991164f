// A row has five cells. Each is as wide as its widest content. Technique is an exception: it gets the width that is
// left of the terminal, and its text wraps. The notes of a row stand below it, indented.
//
// Tests: tests/report/table_test.cc and its golden files.
#include "grader/report/rung_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/report/gpu_words.h"
#include "grader/report/style.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

constexpr int kNoteIndent = 5;     // of the text below a row
constexpr size_t kMostLines = 10;  // of one note: compilers can be long-winded
constexpr int kLeastTechnique = 24;

enum Column { kRung, kCorrect, kTechnique, kThroughput, kPoints, kColumns };
constexpr std::array<const char*, kColumns> kHeadings = {"rung", "correct", "technique", "throughput", "points"};

struct Cell {
  std::vector<std::string> lines = {""};
  Tone tone = Tone::kPlain;
};

struct Row {
  std::array<Cell, kColumns> cells;
  std::vector<std::string> notes;
};

Cell OneLine(std::string text, Tone tone = Tone::kPlain) { return {{std::move(text)}, tone}; }

// Each limit with its figure, those that were missed first. "" for a rung that is not right, which gets no points
// anyway.
Cell TechniqueCell(const score::RungScore& rung) {
  if (rung.technique.empty()) return OneLine("-");
  if (rung.measurement.status != score::RungStatus::kPassed) return OneLine("");
  Cell cell{{}, Tone::kGood};
  for (const score::TechniqueResult& result : rung.technique) {
    if (result.passed) continue;
    cell.tone = Tone::kMissed;
    cell.lines.push_back("MISS " + TechniqueWords(result));
  }
  for (const score::TechniqueResult& result : rung.technique) {
    if (result.passed) cell.lines.push_back("ok   " + TechniqueWords(result));
  }
  return cell;
}

Tone ThroughputTone(const score::RungScore& rung) {
  switch (rung.measurement.throughput.status) {
    case score::ThroughputMeasurement::Status::kNotMeasured:
      return Tone::kQuiet;
    case score::ThroughputMeasurement::Status::kFlagged:
      return Tone::kBad;
    case score::ThroughputMeasurement::Status::kMeasured:
      break;
  }
  if (!rung.throughput_measurable) return Tone::kPlain;
  return rung.throughput_points < rung.throughput_max ? Tone::kMissed : Tone::kGood;
}

Row MakeRow(const score::RungScore& rung, const score::DeviceDescription& device, const std::string& check,
            bool details) {
  Row row;
  row.cells[kRung] = OneLine(PrintableLine(rung.rung));
  row.cells[kCorrect] = OneLine(CorrectnessCell(rung.measurement), ToneOf(rung.measurement.status));
  row.cells[kTechnique] = TechniqueCell(rung);
  row.cells[kThroughput] = OneLine(ThroughputCell(rung), ThroughputTone(rung));
  row.cells[kPoints] = OneLine(PointsWords(rung.points, rung.max_points));
  row.notes = Notes(rung, device, check);
  if (const auto& gpu = rung.measurement.throughput.gpu; gpu && details) {
    if (std::string words = GpuWords(*gpu); !words.empty()) row.notes.push_back(std::move(words));
  }
  return row;
}

class RungTable {
 public:
  RungTable(const score::LabScore& lab, const score::GradingReport& report, const TableOptions& options)
      : lab_(lab), options_(options) {
    for (const score::RungScore& rung : lab.rungs) {
      rows_.push_back(MakeRow(rung, report.device, CheckCommand(report, lab.lab, rung.rung), options.details));
    }
    total_ = PointsWords(lab.points, lab.max_points);
    measurable_ = PointsWords(lab.points, lab.measurable_points);
    Measure();
    for (Row& row : rows_) WrapTechnique(&row.cells[kTechnique]);
  }

  std::string Text() const {
    Row headings;
    for (int column = 0; column < kColumns; ++column) headings.cells[column] = OneLine(kHeadings[column], Tone::kQuiet);
    std::string text = RowText(headings);
    for (const Row& row : rows_) text += RowText(row) + NotesText(row);
    text += SumText("total", total_);
    if (lab_.measurable_points != lab_.max_points) text += SumText("of what can be measured here", measurable_);
    return text;
  }

 private:
  void Measure() {
    for (int column = 0; column < kColumns; ++column) {
      widths_[column] = DisplayWidth(kHeadings[column]);
      for (const Row& row : rows_) {
        for (const std::string& line : row.cells[column].lines) {
          widths_[column] = std::max(widths_[column], DisplayWidth(line));
        }
      }
    }
    widths_[kPoints] = std::max({widths_[kPoints], DisplayWidth(total_), DisplayWidth(measurable_)});
    int others = kColumns * kGap;
    for (int column = 0; column < kColumns; ++column) others += column == kTechnique ? 0 : widths_[column];
    widths_[kTechnique] = std::min(widths_[kTechnique], std::max(options_.width - others, kLeastTechnique));
  }

  void WrapTechnique(Cell* cell) const {
    constexpr int kWord = 5;  // "MISS "; continuations stand below the text
    std::vector<std::string> wrapped;
    for (const std::string& line : cell->lines) {
      if (DisplayWidth(line) <= widths_[kTechnique]) {
        wrapped.push_back(line);
        continue;
      }
      const int room = widths_[kTechnique] - kWord;
      std::string text = line.substr(kWord);
      const size_t limit = text.rfind(" (");  // the best place to break, when the rest fits
      if (limit != std::string::npos && DisplayWidth(text.substr(0, limit)) <= room) text[limit] = '\n';
      const std::vector<std::string> parts = Wrap(text, room);
      for (size_t i = 0; i < parts.size(); ++i) {
        wrapped.push_back((i == 0 ? line.substr(0, kWord) : std::string(kWord, ' ')) + parts[i]);
      }
    }
    cell->lines = std::move(wrapped);
  }

  std::string RowText(const Row& row) const {
    size_t height = 1;
    for (const Cell& cell : row.cells) height = std::max(height, cell.lines.size());
    std::string text;
    for (size_t i = 0; i < height; ++i) {
      std::string line;
      size_t visible = 0;  // bytes up to the last that shows, so that no line ends in spaces
      for (int column = 0; column < kColumns; ++column) {
        const Cell& cell = row.cells[column];
        const std::string content = i < cell.lines.size() ? cell.lines[i] : "";
        const size_t padding = static_cast<size_t>(std::max(widths_[column] - DisplayWidth(content), 0));
        line += std::string(kGap, ' ');
        if (column == kPoints) line += std::string(padding, ' ');
        line += Toned(content, cell.tone, options_.colour);
        if (!content.empty()) visible = line.size();
        if (column != kPoints) line += std::string(padding, ' ');
      }
      text += line.substr(0, visible) + "\n";
    }
    return text;
  }

  std::string NotesText(const Row& row) const {
    std::string text;
    for (const std::string& note : row.notes) {
      const std::vector<std::string> lines = Wrap(note, options_.width - kNoteIndent);
      // If only one line is too many, it is shown: the line "... 1 more lines" would take its place.
      const size_t shown = lines.size() <= kMostLines + 1 ? lines.size() : kMostLines;
      for (size_t i = 0; i < shown; ++i) text += std::string(kNoteIndent, ' ') + lines[i] + "\n";
      if (shown < lines.size()) {
        text += fmt::format("{}... {} more lines\n", std::string(kNoteIndent, ' '), lines.size() - shown);
      }
    }
    return text;
  }

  // Right-aligned below the points.
  std::string SumText(const std::string& what, const std::string& sum) const {
    int before = kGap * (kColumns - 1);
    for (int column = 0; column < kPoints; ++column) before += widths_[column];
    return PadLeft(Toned(what, Tone::kQuiet, false), before) + std::string(kGap, ' ') + PadLeft(sum, widths_[kPoints]) +
           "\n";
  }

  const score::LabScore& lab_;
  const TableOptions& options_;
  std::vector<Row> rows_;
  std::string total_, measurable_;
  std::array<int, kColumns> widths_ = {};
};

std::string Heading(const std::string& what, const score::SubmissionScore& submission,
                    const score::DeviceDescription& device, const TableOptions& options) {
  return HeadingText({what, PrintableLine(submission.id)}, device, options.colour);
}

std::string MessagesText(const std::vector<std::string>& messages, const TableOptions& options) {
  std::string text;
  for (const std::string& message : messages) {
    for (const std::string& line : Wrap(Printable(message), options.width - kGap)) {
      text += std::string(kGap, ' ') + line + "\n";
    }
  }
  return text;
}

}  // namespace

std::string SubmissionTable(const score::SubmissionScore& submission, const score::GradingReport& report,
                            const TableOptions& options) {
  const score::DeviceDescription& device = report.device;
  std::string text;
  if (submission.labs.empty()) text += Heading("", submission, device, options) + "\n";
  std::vector<std::string> messages = UnfinishedWords(submission);
  messages.insert(messages.end(), submission.messages.begin(), submission.messages.end());
  text += MessagesText(messages, options);
  if (!messages.empty() && !submission.labs.empty()) text += "\n";
  for (size_t i = 0; i < submission.labs.size(); ++i) {
    const score::LabScore& lab = submission.labs[i];
    if (i > 0) text += "\n";
    text += Heading(PrintableLine(lab.lab + " " + lab.title), submission, device, options) + "\n";
    text += RungTable(lab, report, options).Text();
  }
  if (submission.labs.size() != 1) {
    text += fmt::format("\n{}: {} points", PrintableLine(submission.id),
                        PointsWords(submission.points, submission.max_points));
    if (submission.measurable_points != submission.max_points) {
      text += fmt::format(", {} of what can be measured here",
                          PointsWords(submission.points, submission.measurable_points));
    }
    text += "\n";
  }
  return text;
}

}  // namespace warpgrade::report
