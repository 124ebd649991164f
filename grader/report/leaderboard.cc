// The contest of a lab as a table and as CSV. grader/score has computed the ranks; this file only lays out columns, and
// leaves out columns without entries. Tests: tests/report/leaderboard_test.cc.
#include "grader/report/leaderboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "grader/report/csv.h"
#include "grader/report/style.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

constexpr int kMostName = 32;  // columns for a name

enum Column { kRank, kName, kScore, kTime, kWrong, kRung, kNote, kColumns };
using Row = std::array<std::string, kColumns>;

// Seconds to a microsecond, as they are ranked.
std::string SecondsText(const std::optional<double>& seconds) { return seconds ? fmt::format("{:.6f}", *seconds) : ""; }

Row MakeRow(const score::LeaderboardEntry& entry) {
  Row row;
  row[kRank] = entry.rank ? std::to_string(*entry.rank) : "-";
  row[kName] = Shorten(PrintableLine(entry.shown_as), kMostName);
  row[kScore] = SecondsText(entry.score_s);
  row[kTime] = entry.time_s ? fmt::format("{:.3f}", *entry.time_s * 1e3) : "";
  row[kWrong] = std::to_string(entry.wrong_answers);
  row[kRung] = PrintableLine(entry.rung);
  row[kNote] = PrintableLine(entry.note);
  return row;
}

bool IsText(int column) { return column == kName || column == kRung || column == kNote; }

std::string RowText(const Row& row, const std::array<int, kColumns>& widths) {
  std::string text;
  for (int column = 0; column < kColumns; ++column) {
    if (widths[column] == 0) continue;  // a column without entries
    text += std::string(kGap, ' ');
    text += IsText(column) ? PadRight(row[column], widths[column]) : PadLeft(row[column], widths[column]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// A column that is empty in every row is left out, with its heading.
std::array<int, kColumns> Widths(const Row& headings, const std::vector<Row>& rows) {
  std::array<int, kColumns> widths = {};
  for (int column = 0; column < kColumns; ++column) {
    for (const Row& row : rows) {
      if (!row[column].empty()) {
        widths[column] = std::max({widths[column], DisplayWidth(row[column]), DisplayWidth(headings[column])});
      }
    }
  }
  return widths;
}

std::string Heading(const score::Leaderboard& leaderboard, bool colour) {
  const std::string title =
      Toned(PrintableLine(leaderboard.lab + " " + leaderboard.title) + " · leaderboard", Tone::kTitle, colour);
  const std::string how = leaderboard.timed ? fmt::format("time of the fastest rung + {} s for each wrong answer",
                                                          leaderboard.wrong_answer_s)
                                            : "time is not measured here, so the fewest wrong answers are first";
  return title + " (" + how + ")\n";
}

}  // namespace

std::string LeaderboardTable(const score::Leaderboard& leaderboard, const TableOptions& options) {
  const Row headings = {"rank", "name", "score (s)", "time (ms)", "wrong answers", "rung", ""};
  std::vector<Row> rows;
  for (const score::LeaderboardEntry& entry : leaderboard.entries) rows.push_back(MakeRow(entry));
  const std::array<int, kColumns> widths = Widths(headings, rows);
  std::string text = Heading(leaderboard, options.colour) + "\n";
  text += Toned(RowText(headings, widths), Tone::kQuiet, options.colour) + "\n";
  for (const Row& row : rows) text += RowText(row, widths) + "\n";
  return text;
}

std::string LeaderboardCsvText(const score::GradingReport& report) {
  std::string text = CsvLine({"lab", "rank", "name", "score_seconds", "time_seconds", "wrong_answers", "rung", "note"});
  for (const score::Leaderboard& leaderboard : report.leaderboards) {
    for (const score::LeaderboardEntry& entry : leaderboard.entries) {
      text += CsvLine({leaderboard.lab, entry.rank ? std::to_string(*entry.rank) : "", entry.shown_as,
                       SecondsText(entry.score_s), SecondsText(entry.time_s), std::to_string(entry.wrong_answers),
                       entry.rung, entry.note});
    }
  }
  return text;
}

}  // namespace warpgrade::report
