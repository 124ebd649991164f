// Serves the lanes of a request in their order: each bank gives the words that it is asked for one after the other, and
// all lanes that want a word get it at once. Tests: tests/report/memory_text_test.cc.
#include "grader/report/memory_picture.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace warpgrade::report {
namespace {

constexpr int kMostBytes = 32;

std::vector<int> LanesIn(uint32_t mask) {
  std::vector<int> lanes;
  for (int lane = 0; lane < kLanesOfWarp; ++lane) {
    if ((mask >> lane & 1) != 0) lanes.push_back(lane);
  }
  return lanes;
}

}  // namespace

bool IsDrawable(const score::MemoryRequest& request) {
  if (request.bytes < 1 || request.bytes > kMostBytes || !std::has_single_bit(static_cast<unsigned>(request.bytes))) {
    return false;
  }
  const auto bytes = static_cast<uint64_t>(request.bytes);
  return request.lanes != 0 && request.at.size() == static_cast<size_t>(std::popcount(request.lanes)) &&
         std::all_of(request.at.begin(), request.at.end(),
                     [bytes](uint64_t at) { return at % bytes == 0 && at + bytes > at; });
}

BankPicture BanksOf(const score::MemoryRequest& request) {
  BankPicture picture;
  picture.parts = std::max(1, request.bytes / static_cast<int>(kBankBytes));
  const int lanes_of_part = kLanesOfWarp / picture.parts;
  const std::vector<int> lanes = LanesIn(request.lanes);
  size_t next = 0;
  for (int part = 0; part < picture.parts; ++part) {
    std::array<std::vector<uint64_t>, kBanks> words;  // of each bank, in the order in which it gives them
    int turns = 0;
    for (; next < lanes.size() && lanes[next] < (part + 1) * lanes_of_part; ++next) {
      const uint64_t first = request.at[next], end = first + static_cast<uint64_t>(request.bytes);
      for (uint64_t word = first / kBankBytes; word * kBankBytes < end; ++word) {
        const int bank = static_cast<int>(word % kBanks);
        std::vector<uint64_t>& of_bank = words[static_cast<size_t>(bank)];
        auto found = std::find(of_bank.begin(), of_bank.end(), word);
        if (found == of_bank.end()) found = of_bank.insert(of_bank.end(), word);
        const int turn = static_cast<int>(found - of_bank.begin()) + 1;
        picture.cells.push_back({lanes[next], bank, picture.turns + turn, turn > 1});
        turns = std::max(turns, turn);
        if (static_cast<int>(of_bank.size()) <= picture.most_words) continue;
        picture.most_words = static_cast<int>(of_bank.size());
        picture.busiest_bank = bank;
      }
    }
    picture.turns += turns;
  }
  return picture;
}

SectorPicture SectorsOf(const score::MemoryRequest& request) {
  std::map<uint64_t, SectorRow> sectors;
  const std::vector<int> lanes = LanesIn(request.lanes);
  for (size_t i = 0; i < lanes.size(); ++i) {
    for (uint64_t byte = 0; byte < static_cast<uint64_t>(request.bytes); ++byte) {
      const uint64_t at = request.at[i] + byte;
      SectorRow& row = sectors[at / kSectorBytes];
      row.at = at / kSectorBytes * kSectorBytes;
      row.wanted |= 1u << at % kSectorBytes;
      row.lanes |= 1u << lanes[i];
    }
  }
  SectorPicture picture;
  for (const auto& [number, row] : sectors) picture.push_back(row);
  return picture;
}

}  // namespace warpgrade::report
