// The rows about one warp's access to memory: sectors, efficiency, bank conflicts. Each computes the addresses of the
// 32 lanes and counts what they touch. Tested by tests/quiz/functions_memory_test.cc against the emulator's counters.
#include <algorithm>
#include <array>
#include <set>

#include "grader/device_model/gpu_limits.h"
#include "grader/quiz/functions.h"

namespace warpgrade::quiz {
namespace {

constexpr int kLanes = gpu_limits::kWarpSize;
constexpr int kSectorBytes = gpu_limits::kSectorBytes;
constexpr int kBanks = gpu_limits::kSharedBanks, kBankBytes = gpu_limits::kBankBytes;

// The position in the pattern that a lane takes.
int PositionOf(int lane, const std::string& order) {
  if (order == "reversed") return kLanes - 1 - lane;
  if (order == "pairs_swapped") return lane ^ 1;
  if (order == "shuffled") return lane * 13 % kLanes;  // any odd factor reaches every position once
  return lane;
}

// Lane by lane, the first byte that it loads or stores.
std::array<int64_t, kLanes> Addresses(const Arguments& a) {
  std::array<int64_t, kLanes> addresses;
  const int64_t bytes = a.Whole("bytes");
  for (int lane = 0; lane < kLanes; ++lane) {
    addresses[lane] = bytes * (a.Whole("offset") + int64_t{a.Whole("stride")} * PositionOf(lane, a.Word("order")));
  }
  return addresses;
}

int Sectors(const Arguments& a) {
  std::set<int64_t> sectors;
  for (const int64_t address : Addresses(a)) {
    // An element lies in one sector: it is aligned to its size, which divides the sector's.
    sectors.insert(address / kSectorBytes);
  }
  return static_cast<int>(sectors.size());
}

Result<Value> SectorsPerRequest(const Arguments& a) { return Value(double(Sectors(a))); }

Result<Value> AccessEfficiency(const Arguments& a) {
  return Value(double(kLanes) * a.Number("bytes") / (double(kSectorBytes) * Sectors(a)));
}

// Turns for a warp whose lane l takes the element l * stride. A turn serves 32 words of 4 bytes, so half a warp at a
// time is served for elements of 8 bytes and a quarter for 16. In a turn each bank serves one word, to any number of
// lanes.
int Wavefronts(int stride, int bytes) {
  const int words = bytes / kBankBytes;
  const int lanes = kLanes / words;
  int turns = 0;
  for (int first = 0; first < kLanes; first += lanes) {
    std::array<std::set<int>, kBanks> words_of_bank;
    for (int lane = first; lane < first + lanes; ++lane) {
      for (int w = 0; w < words; ++w) {
        const int word = lane * stride * words + w;
        words_of_bank[word % kBanks].insert(word);
      }
    }
    size_t most = 0;
    for (const auto& of_bank : words_of_bank) most = std::max(most, of_bank.size());
    turns += static_cast<int>(most);
  }
  return turns;
}

Result<Value> SharedWavefronts(const Arguments& a) {
  return Value(double(Wavefronts(a.Whole("stride"), a.Whole("bytes"))));
}

Result<Value> BankConflictDegree(const Arguments& a) {
  const int fewest = a.Whole("bytes") / kBankBytes;
  return Value(double(Wavefronts(a.Whole("stride"), a.Whole("bytes"))) / fewest);
}

}  // namespace

std::vector<Function> MemoryFunctions() {
  const std::vector<Parameter> pattern = {
      {.name = "stride", .min = 0, .max = 4096},
      {.name = "offset", .min = 0, .max = 4096, .otherwise = Value(0.0)},
      {.name = "bytes", .only = {1, 2, 4, 8, 16}, .otherwise = Value(4.0)},
      {.name = "order",
       .kind = Kind::kWord,
       .words = {"straight", "reversed", "pairs_swapped", "shuffled"},
       .otherwise = Value("straight")},
  };
  const std::vector<Parameter> row = {{.name = "stride", .min = 0, .max = 256},
                                      {.name = "bytes", .only = {4, 8, 16}, .otherwise = Value(4.0)}};
  return {
      {"sectors_per_request", "32-byte sectors that one warp touches: lane l takes element offset + stride * l",
       Kind::kWhole, pattern, SectorsPerRequest},
      {"access_efficiency", "bytes that the lanes want, divided by the bytes in the sectors that they touch",
       Kind::kNumber, pattern, AccessEfficiency},
      {"shared_wavefronts", "turns that shared memory takes for one warp: lane l takes element stride * l",
       Kind::kWhole, row, SharedWavefronts},
      {"bank_conflict_degree", "turns of shared_wavefronts, divided by the fewest possible turns; 1 means no conflicts",
       Kind::kNumber, row, BankConflictDegree},
  };
}

}  // namespace warpgrade::quiz
