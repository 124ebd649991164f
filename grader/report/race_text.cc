// Two columns, one for each thread; time goes down. Tests: tests/report/race_text_test.cc.
#include "grader/report/race_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/source_line.h"
#include "grader/report/style.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

constexpr int kTime = 9, kColumn = 35;  // 9 + 35 + 1 + 35 columns

bool AreInOneBlock(const score::RaceOfTwo& race) {
  const score::Triple &a = race.first.block, &b = race.second.block;
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

std::string TwoColumns(const std::string& time, const std::string& left, const std::string& right) {
  std::string row = PadRight(time, kTime) + PadRight(Shorten(left, kColumn), kColumn) + " " + Shorten(right, kColumn);
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::string Indented2(const std::string& text) {
  constexpr int kColumns = 78;
  std::string lines;
  for (const std::string& line : Wrap(Printable(text), kColumns)) lines += "  " + line + "\n";
  return lines;
}

}  // namespace

std::string TripleWords(const score::Triple& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); }

std::string DeedWords(const score::RaceAccess& access, const std::string& place) {
  const std::string where = access.line > 0 ? fmt::format("line {}: ", access.line) : "";
  const size_t end = std::min(place.find(" in "), place.find(" ("));
  return PrintableLine(where + access.verb + " " + place.substr(0, end));
}

std::string MissingBarrier(const score::RaceOfTwo& race) {
  if (race.reach == "grid") return "order of the blocks";
  return race.reach == "warp" ? "__syncwarp()" : "__syncthreads()";
}

std::string RaceWords(const score::RaceOfTwo& race) {
  const char* const whose = AreInOneBlock(race) ? "two threads of one block" : "two threads of two blocks";
  return fmt::format("{} access {}, and nothing orders them", whose, PrintableLine(race.place));
}

std::string RaceOutcomeWords(const score::RaceOfTwo& race) {
  const bool reads = race.first.verb == "read" || race.second.verb == "read";
  std::string text = "Either access may come first: their order here is only that of their lines. ";
  text += reads ? "So the read gives the old value or the new one." : "So either value may be the one that stays.";
  if (race.barrier_line > 0 && race.reach != "grid") {
    text += fmt::format(" A {} before line {} orders them.", MissingBarrier(race), race.barrier_line);
  }
  return text;
}

std::string RaceText(const score::RaceOfTwo& race, const std::string& source, const PictureStyle& style) {
  const score::RaceAccess &first = race.first, &second = race.second;
  const std::string bar = style.utf8 ? "│" : "|", arrow = style.utf8 ? "▼" : "v";
  const auto tick = [](const std::string& mark) { return "  " + mark; };
  const auto code = [&source](const score::RaceAccess& access) {
    return access.line > 0 ? "  " + SourceLine(source, access.line) : "";
  };
  std::string text = Indented2(RaceWords(race));
  text += Indented2(fmt::format("kernel {}", PrintableLine(race.kernel))) + "\n";
  text += Toned(TwoColumns("  time", "thread " + TripleWords(first.thread), "thread " + TripleWords(second.thread)),
                Tone::kTitle, style.colour);
  if (!AreInOneBlock(race))
    text += TwoColumns("", "block " + TripleWords(first.block), "block " + TripleWords(second.block));
  text += TwoColumns(tick(bar), fmt::format("warp {}, lane {}", first.warp, first.lane),
                     fmt::format("warp {}, lane {}", second.warp, second.lane));
  text += TwoColumns(tick(bar), "", "");
  text += TwoColumns(tick(bar), DeedWords(first, race.place), "") + TwoColumns(tick(bar), code(first), "");
  const std::string missing = fmt::format(" no {} here ", MissingBarrier(race));
  const int dashes = 2 * kColumn - DisplayWidth(missing);
  const std::string dash = style.utf8 ? "╌" : "-";
  std::string line;
  for (int i = 0; i < dashes / 2; ++i) line += dash;
  text += PadRight(tick(bar), kTime) + Toned(line + missing + line, Tone::kBad, style.colour) + "\n";
  text += TwoColumns(tick(bar), "", DeedWords(second, race.place)) + TwoColumns(tick(bar), "", code(second));
  text += TwoColumns(tick(arrow), "", "") + "\n";
  return text + Indented2(RaceOutcomeWords(race));
}

}  // namespace warpgrade::report
