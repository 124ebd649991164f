// The rows about one warp's access to memory: sectors, efficiency, bank conflicts. Each computes the addresses of the
// 32 lanes and counts what they touch. Tested by tests/quiz/functions_memory_test.cc against the emulator's counters.
#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "grader/device_model/gpu_limits.h"
#include "grader/quiz/functions.h"

namespace warpgrade::quiz {
namespace {

constexpr int kLanes = gpu_limits::kWarpSize;
constexpr int kSectorBytes = gpu_limits::kSectorBytes;
constexpr int kLineBytes = 128;  // of the caches: four sectors
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

Result<Value> LinesPerRequest(const Arguments& a) {
  std::set<int64_t> lines;
  for (const int64_t address : Addresses(a)) lines.insert(address / kLineBytes);
  return Value(double(lines.size()));
}

// Bytes that several lanes want count once.
Result<Value> AccessEfficiency(const Arguments& a) {
  const auto addresses = Addresses(a);
  const std::set<int64_t> elements(addresses.begin(), addresses.end());
  return Value(double(elements.size()) * a.Number("bytes") / (double(kSectorBytes) * Sectors(a)));
}

// What the memory controller of the first GPUs does for the 16 lanes of a half warp that load words of 4 bytes (CUDA C
// Programming Guide 4.2, F.3.2). Capability 1.0 and 1.1: one transaction if lane k takes word k of an aligned segment
// of 64 bytes, else one for each lane. 1.2 and 1.3: one for each segment of 128 bytes.
Result<Value> HalfWarpTransactions(const Arguments& a) {
  constexpr int kHalf = kLanes / 2, kWord = 4, kSmallSegment = 64, kSegment = 128;
  const auto addresses = Addresses(a);
  std::set<int64_t> segments;
  bool in_order = addresses[0] % kSmallSegment == 0;
  for (int lane = 0; lane < kHalf; ++lane) {
    in_order = in_order && addresses[lane] == addresses[0] + kWord * lane;
    segments.insert(addresses[lane] / kSegment);
  }
  if (a.Word("capability") == "1.0") return Value(in_order ? 1.0 : double(kHalf));
  return Value(double(segments.size()));
}

double Sum(const std::vector<double>& lengths, size_t first) {
  double sum = 0;
  for (size_t i = 0; i < first; ++i) sum += lengths[i];
  return sum;
}

Result<Value> SharedBytes(const Arguments& a) {
  const std::vector<double>& lengths = a.List("lengths");
  return Value(a.Number("bytes") * Sum(lengths, lengths.size()));
}

Result<Value> SharedOffset(const Arguments& a) {
  const std::vector<double>& lengths = a.List("lengths");
  const size_t array = static_cast<size_t>(a.Whole("array"));
  if (array >= lengths.size()) {
    return Error{ErrorKind::kUsage,
                 "there is no such array; arrays are numbered from 0, in the order of their lengths"};
  }
  return Value(a.Number("bytes") * Sum(lengths, array));
}

Result<Value> SymbolBytes(const Arguments& a) { return Value(a.Number("elements") * a.Number("bytes")); }

struct Access {
  const char* what;
  const char* problem;
};

// How the threads of a block use shared memory, and what is wrong with it.
constexpr Access kAccesses[] = {
    {"all lanes of a warp read the same word", "none"},
    {"lane l reads the byte l of an array of bools", "none"},
    {"lane l reads the word 32 * l", "bank_conflict"},
    {"lane l reads the word 2 * l", "bank_conflict"},
    {"every thread executes fired &= mine on one shared variable fired", "race"},
    {"every thread writes its own element and reads that of its neighbour, without a barrier", "race"},
};

Result<Value> AccessProblem(const Arguments& a) {
  const auto is_it = [&](const Access& access) { return a.Word("access") == access.what; };
  return Value(std::find_if(std::begin(kAccesses), std::end(kAccesses), is_it)->problem);
}

Result<Value> SharedDeclaration(const Arguments& a) {
  return Value(a.Word("length") == "a constant" ? "static" : "extern");
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

// Long because it is a table: one row for each function.
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
  std::vector<const char*> accesses;
  for (const Access& access : kAccesses) accesses.push_back(access.what);
  const Parameter lengths{.name = "lengths", .kind = Kind::kList, .min = 1, .max = 16384};
  const Parameter element{.name = "bytes", .only = {1, 2, 4, 8}, .otherwise = Value(4.0)};
  return {
      {"sectors_per_request", "32-byte sectors that one warp touches: lane l takes element offset + stride * l",
       Kind::kWhole, pattern, SectorsPerRequest},
      {"lines_per_request", "128-byte lines that one warp touches: lane l takes element offset + stride * l",
       Kind::kWhole, pattern, LinesPerRequest},
      {"half_warp_transactions",
       "transactions of the first half warp on a GPU of compute capability 1.0 or 1.3",
       Kind::kWhole,
       {{.name = "stride", .min = 0, .max = 4096},
        {.name = "offset", .min = 0, .max = 4096, .otherwise = Value(0.0)},
        {.name = "bytes", .only = {4}, .otherwise = Value(4.0)},
        {.name = "order", .kind = Kind::kWord, .words = {"straight", "pairs_swapped"}, .otherwise = Value("straight")},
        {.name = "capability", .kind = Kind::kWord, .words = {"1.0", "1.3"}}},
       HalfWarpTransactions},
      {"shared_bytes",
       "bytes of several arrays that lie one after the other in shared memory",
       Kind::kWhole,
       {lengths, element},
       SharedBytes},
      {"shared_offset",
       "the byte at which one of these arrays starts",
       Kind::kWhole,
       {lengths, element, {.name = "array", .min = 0, .max = 15}},
       SharedOffset},
      {"symbol_bytes",
       "the third argument of cudaMemcpyToSymbol for an array: bytes, not elements",
       Kind::kWhole,
       {{.name = "elements", .min = 1, .max = 16384}, element},
       SymbolBytes},
      {"shared_declaration",
       "how an array in shared memory is declared, if its length is this: static or extern",
       Kind::kWord,
       {{.name = "length", .kind = Kind::kWord, .words = {"a constant", "an argument of the host function"}}},
       SharedDeclaration},
      {"access_problem",
       "what is wrong with an access to shared memory: race, bank_conflict or none",
       Kind::kWord,
       {{.name = "access", .kind = Kind::kWord, .words = accesses}},
       AccessProblem},
      {"access_efficiency", "bytes that the lanes want, divided by the bytes in the sectors that they touch",
       Kind::kNumber, pattern, AccessEfficiency},
      {"shared_wavefronts", "turns that shared memory takes for one warp: lane l takes element stride * l",
       Kind::kWhole, row, SharedWavefronts},
      {"bank_conflict_degree", "turns of shared_wavefronts, divided by the fewest possible turns; 1 means no conflicts",
       Kind::kNumber, row, BankConflictDegree},
  };
}

}  // namespace warpgrade::quiz
