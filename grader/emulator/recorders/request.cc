// Tested by tests/emulator/exec/requests_test.cc.
#include "grader/emulator/recorders/request.h"

#include <algorithm>
#include <vector>

namespace warpgrade::emulator {
namespace {

RequestCost CostInShared(const Request& request) {
  RequestCost cost;
  const int parts = PartsOfWarp(request.bytes), lanes_of_part = kLanes / parts;
  for (int part = 0; part < parts; ++part) {
    std::array<std::vector<uint64_t>, kBanks> words;  // of each bank, those that the part asks for
    size_t turns = 0;
    for (int lane = part * lanes_of_part; lane < (part + 1) * lanes_of_part; ++lane) {
      if ((request.lanes >> lane & 1) == 0) continue;
      const uint64_t first = request.at[static_cast<size_t>(lane)];
      for (uint64_t at = first; at < first + static_cast<uint64_t>(request.bytes); at += kBankBytes) {
        const uint64_t word = at / kBankBytes;
        std::vector<uint64_t>& of_bank = words[word % kBanks];
        if (std::find(of_bank.begin(), of_bank.end(), word) == of_bank.end()) of_bank.push_back(word);
        turns = std::max(turns, of_bank.size());
      }
    }
    cost.cost += static_cast<uint32_t>(turns);
    cost.fewest += turns > 0 ? 1 : 0;
  }
  return cost;
}

RequestCost CostInGlobal(const Request& request) {
  std::vector<uint64_t> sectors;
  uint64_t wanted = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((request.lanes >> lane & 1) == 0) continue;
    const uint64_t sector = request.at[static_cast<size_t>(lane)] / kSectorBytes;
    if (std::find(sectors.begin(), sectors.end(), sector) == sectors.end()) sectors.push_back(sector);
    wanted += static_cast<uint64_t>(request.bytes);
  }
  const uint64_t fewest = std::min<uint64_t>(sectors.size(), (wanted + kSectorBytes - 1) / kSectorBytes);
  return {static_cast<uint32_t>(sectors.size()), static_cast<uint32_t>(fewest)};
}

}  // namespace

int PartsOfWarp(int bytes) { return bytes <= 4 ? 1 : bytes / 4; }

RequestCost CostOf(const Request& request) {
  return request.space == RequestSpace::kShared ? CostInShared(request) : CostInGlobal(request);
}

}  // namespace warpgrade::emulator
