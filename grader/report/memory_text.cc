// The rows of the drawings: a lane and its banks, or a sector and its bytes. Tests: tests/report/memory_text_test.cc,
// which counts turns and sectors in the drawing, and tests/course/explain_test.cc.
#include "grader/report/memory_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "grader/report/memory_picture.h"
#include "grader/report/style.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

constexpr int kPictureWidth = 80, kArrayWidth = 20;

using Does = score::LineRequests::Does;

const char* AccessWords(const score::LineRequests& line) {
  switch (line.does) {
    case Does::kLoad:
      return line.in_shared ? "load from shared memory" : "load from global memory";
    case Does::kStore:
      return line.in_shared ? "store to shared memory" : "store to global memory";
    case Does::kAtomic:
      break;
  }
  return line.in_shared ? "atomic operation on shared memory" : "atomic operation on global memory";
}

const char* CostVerb(const score::LineRequests& line) { return line.in_shared ? "take" : "move"; }
const char* CostNoun(const score::LineRequests& line) { return line.in_shared ? "turn" : "sector"; }

std::string PlaceWords(const score::Triple& place) { return fmt::format("({},{},{})", place.x, place.y, place.z); }

// The position in its block of the thread with this number.
score::Triple ThreadOf(const score::Triple& size, uint64_t number) {
  const uint64_t x = std::max(1u, size.x), y = std::max(1u, size.y);
  return {static_cast<uint32_t>(number % x), static_cast<uint32_t>(number / x % y),
          static_cast<uint32_t>(number / x / y)};
}

// "0-7,12": lanes of a mask.
std::string LaneRuns(uint32_t lanes) {
  std::string text;
  for (int lane = 0; lane < kLanesOfWarp; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    int last = lane;
    while (last + 1 < kLanesOfWarp && (lanes >> (last + 1) & 1) != 0) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(lane);
    if (last > lane) text += (last == lane + 1 ? "," : "-") + std::to_string(last);
    lane = last;
  }
  return text;
}

// "  16-31  not active": lanes that do nothing, from `lane` on.
std::string IdleLanes(uint32_t active, int* lane) {
  const int first = *lane;
  while (*lane < kLanesOfWarp && (active >> *lane & 1) == 0) ++*lane;
  const std::string lanes =
      *lane - first == 1 ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(*lane - 1);
  return PadLeft(lanes, 6) + "  not active\n";
}

std::string WithoutBlanksAtEnd(std::string row) {
  row.erase(row.find_last_not_of(' ') + 1);
  return row;
}

std::string BankHeader(bool colour) {
  std::string banks;
  for (int bank = 0; bank < kBanks; ++bank) banks += bank % 4 == 0 ? fmt::format("{:>2}", bank) : "  ";
  const std::string numbers = WithoutBlanksAtEnd(std::string(16, ' ') + banks);
  return Toned("  lane  offset  bank\n" + numbers + "\n", Tone::kQuiet, colour);
}

// REQUIRES: IsDrawable.
std::string BankRows(const score::MemoryRequest& request, const PictureStyle& style) {
  const BankPicture picture = BanksOf(request);
  std::map<int, std::vector<BankCell>> of_lane;
  for (const BankCell& cell : picture.cells) of_lane[cell.lane].push_back(cell);
  std::string text = BankHeader(style.colour);
  size_t next = 0;
  for (int lane = 0; lane < kLanesOfWarp;) {
    if ((request.lanes >> lane & 1) == 0) {
      text += IdleLanes(request.lanes, &lane);
      continue;
    }
    std::vector<std::string> row;
    for (int bank = 0; bank < kBanks; ++bank) {
      const char* const dot = style.utf8 ? " ·" : " .";
      row.push_back(bank % 4 == 0 ? Toned(dot, Tone::kQuiet, style.colour) : "  ");
    }
    for (const BankCell& cell : of_lane[lane]) {
      const Tone tone = cell.waits ? Tone::kBad : Tone::kGood;
      row[static_cast<size_t>(cell.bank)] = Toned(fmt::format("{:>2}", cell.turn), tone, style.colour);
    }
    text += WithoutBlanksAtEnd(fmt::format("{:>6}{:>8}  {}", lane, request.at[next++], fmt::join(row, ""))) + "\n";
    ++lane;
  }
  return text;
}

// REQUIRES: IsDrawable.
std::string SectorRows(const score::MemoryRequest& request, const PictureStyle& style) {
  std::string text = Toned(fmt::format("  {}  {}  {}  lanes\n", PadRight("line of 128 bytes", kArrayWidth),
                                       PadRight("sector of 32 bytes", 34), "wanted  "),
                           Tone::kQuiet, style.colour);
  const SectorPicture sectors = SectorsOf(request);
  for (size_t i = 0; i < sectors.size(); ++i) {
    const SectorRow& row = sectors[i];
    const bool begins_line = i == 0 || sectors[i - 1].Line() != row.Line();
    const std::string line = begins_line ? PlaceInArray(request, row.Line() * kLineBytes) : "";
    std::string bar;
    for (int byte = 0; byte < static_cast<int>(kSectorBytes);) {
      const bool wanted = (row.wanted >> byte & 1) != 0;
      std::string run;
      for (; byte < static_cast<int>(kSectorBytes) && (row.wanted >> byte & 1) == (wanted ? 1u : 0u); ++byte) {
        run += wanted ? (style.utf8 ? "█" : "#") : (style.utf8 ? "░" : "-");
      }
      bar += Toned(run, wanted ? Tone::kGood : Tone::kMissed, style.colour);
    }
    text += fmt::format("  {}  {} {}  {:>2} of 32  {}\n", PadRight(line, kArrayWidth), row.InLine(), bar,
                        std::popcount(row.wanted), Shorten(LaneRuns(row.lanes), 10));
  }
  return text;
}

std::string Indented(const std::string& text) {
  std::string lines;
  for (const std::string& line : Wrap(Printable(text), kPictureWidth - 2)) lines += "  " + line + "\n";
  return lines;
}

}  // namespace

std::string LaneWords(uint32_t lanes) {
  const bool one = std::has_single_bit(lanes);
  return (one ? "lane " : "lanes ") + LaneRuns(lanes);
}

std::string PlaceInArray(const score::MemoryRequest& request, uint64_t at) {
  if (request.array.empty()) return fmt::format("{:#x}", at);
  const std::string offset = fmt::format(" + {}", at);
  return Shorten(PrintableLine(request.array), std::max(4, kArrayWidth - static_cast<int>(offset.size()))) + offset;
}

std::string RequestWords(const score::LineRequests& line) {
  const score::MemoryRequest& shown = line.shown;
  const std::string costs = Counted(shown.cost, CostNoun(line)) + (line.in_shared ? "" : " of 32 bytes");
  const std::string would_do =
      shown.cost > shown.fewest ? fmt::format(", where {} would do", shown.fewest) : ", which is the fewest possible";
  return fmt::format("a {} {}s {}{}", AccessWords(line), CostVerb(line), costs, would_do);
}

std::string WarpWords(const std::string& kernel, const score::Triple& block, const score::Triple& block_size,
                      int warp) {
  const uint64_t first = static_cast<uint64_t>(std::max(warp, 0)) * kLanesOfWarp;
  const uint64_t threads = uint64_t{block_size.x} * block_size.y * block_size.z;
  const uint64_t last = std::max(first, std::min(first + kLanesOfWarp, threads) - 1);
  return fmt::format("kernel {}, block {}, warp {}, threads {} to {}", PrintableLine(kernel), PlaceWords(block), warp,
                     PlaceWords(ThreadOf(block_size, first)), PlaceWords(ThreadOf(block_size, last)));
}

std::string RequestPlaceWords(const score::MemoryRequest& request) {
  return WarpWords(request.kernel, request.block, request.block_size, request.warp);
}

std::string RequestCountWords(const score::LineRequests& line) {
  constexpr size_t kMostCosts = 4;
  std::string costs;
  uint64_t named = 0;
  for (size_t i = 0; i < std::min(line.costs.size(), kMostCosts); ++i) {
    const score::RequestsOfCost& one = line.costs[i];
    named += one.count;
    costs += fmt::format("{}{} {}{} {}", costs.empty() ? "" : ", ", one.count, CostVerb(line),
                         one.count == 1 ? "s" : "", Counted(one.cost, CostNoun(line)));
  }
  if (named < line.requests) costs += fmt::format(", {} others", line.requests - named);
  return fmt::format("line {} makes {}: {}", line.line, Counted(line.requests, "such request"), costs);
}

std::string RequestSumWords(const score::LineRequests& line) {
  if (!IsDrawable(line.shown)) return "";
  if (line.in_shared) {
    const BankPicture picture = BanksOf(line.shown);
    const std::string words =
        picture.most_words == 1 ? "1 word" : fmt::format("{} different words", picture.most_words);
    std::string text =
        "A number is the turn in which a bank serves a lane. In one turn each bank serves one word of 4 bytes, to all "
        "lanes that want it. ";
    if (picture.parts == 1) return text + fmt::format("Bank {} is asked for {}.", picture.busiest_bank, words);
    return text + fmt::format(
                      "A lane wants {} bytes here, so the warp is served in {} parts, one after the other. In one of "
                      "them, bank {} is asked for {}.",
                      line.shown.bytes, picture.parts, picture.busiest_bank, words);
  }
  uint64_t wanted = 0, moved = 0;
  for (const SectorRow& row : SectorsOf(line.shown)) {
    wanted += static_cast<uint64_t>(std::popcount(row.wanted));
    moved += kSectorBytes;
  }
  return fmt::format("Moved: {} of 32 bytes, {} bytes in all. Wanted: {} bytes, {:.3g}%.",
                     Counted(moved / kSectorBytes, "sector"), moved, wanted,
                     100 * static_cast<double>(wanted) / static_cast<double>(moved));
}

std::string RequestText(const score::LineRequests& line, const PictureStyle& style) {
  const score::MemoryRequest& shown = line.shown;
  if (!IsDrawable(shown)) return "";
  std::string text =
      Indented(RequestWords(line)) + Indented(RequestPlaceWords(shown)) + Indented(RequestCountWords(line));
  text += "\n" + (line.in_shared ? BankRows(shown, style) : SectorRows(shown, style)) + "\n";
  return text + Indented(RequestSumWords(line));
}

}  // namespace warpgrade::report
