// What the race check remembers about memory: for each line of 128 bytes, its last write and up to two reads.
//
// Most accesses are by a whole warp, lane by lane in order, so a line has several forms:
//
//   kLine    three LineRecords (write, read, other read), each for a set of the line's words, with the rule that says
//            which lane accessed each word: lane = base + (byte in the line >> log2 of the access's size)
//   kWrites  the same, but all three are plain writes, each of other words, and nobody has read yet: rows of a matrix
//            whose ends share a line
//   kSingles one access for each of 32 words, in global memory: many warps have touched one word each, as in a
//            transposition
//   kWords   three accesses for each of 32 words, or
//   kBytes   for each of 128 bytes, once accesses no longer fit a record
//
// A line belongs to a stamp: of the launch (global memory), or of the block's barrier interval (shared memory, where a
// barrier orders everything before it). A line with an older stamp is empty, so nothing is ever cleared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/emulator/memory/access_id.h"
#include "grader/emulator/memory/global_memory.h"

namespace warpgrade::emulator {

inline constexpr uint64_t kLineBytes = 128;

// The instruction, kind and lanes of an access in 32 bits: inst:18 wrote:1 kind:2 log2:3 base:8.
using AccessMeta = uint32_t;
enum class SyncKind : uint8_t { kPlain, kDevice, kBlock, kVolatile };
inline constexpr uint32_t kSameWord = 7;  // log2: all lanes access the same place
inline constexpr uint32_t kMaxInst = (1u << 18) - 1;

inline AccessMeta MakeMeta(uint32_t inst, bool wrote, SyncKind kind, uint32_t log2, int base) {
  return (inst < kMaxInst ? inst : kMaxInst) << 14 | static_cast<uint32_t>(wrote) << 13 |
         static_cast<uint32_t>(kind) << 11 | log2 << 8 | (static_cast<uint32_t>(base) & 0xFF);
}
inline uint32_t InstOf(AccessMeta m) { return m >> 14; }
inline bool Wrote(AccessMeta m) { return (m >> 13 & 1) != 0; }
inline SyncKind KindOf(AccessMeta m) { return static_cast<SyncKind>(m >> 11 & 3); }
inline uint32_t Log2Of(AccessMeta m) { return m >> 8 & 7; }
inline int BaseOf(AccessMeta m) { return static_cast<int8_t>(m & 0xFF); }
inline uint32_t MappingOf(AccessMeta m) { return m & 0x7FF; }  // log2 and base

struct LineRecord {
  AccessId id = 0;  // without lanes
  AccessMeta meta = 0;
  uint32_t words = 0;  // 0: no access
};

// The accesses to one granule (a word or a byte): the last write and two reads. After atomics, `other` may be an
// earlier atomic instead, by another warp or block, or a plain store by the same one.
struct Cell {
  AccessId id = 0;  // 0: none
  AccessMeta meta = 0;
};
struct Granule {
  Cell write, read, other;
};

enum class LineForm : uint8_t { kLine, kWords, kBytes, kLost, kWrites, kSingles };

// The granules whose memory the 32 cells of a line of form kSingles take.
inline constexpr size_t kGranulesOfSingles = (kLineBytes / 4 * sizeof(Cell) + sizeof(Granule) - 1) / sizeof(Granule);

struct alignas(64) LineShadow {
  uint32_t stamp = 0;
  // Words that need no further record. Either two plain reads by different warps (shared memory) or blocks (global
  // memory) are recorded and no write; or two such atomics, and nothing else since. An access that races with one more
  // read or atomic also races with one of these two.
  uint32_t settled = 0;
  uint32_t granules = 0;  // the first of 11 (kSingles), 32 or 128 in the pool; valid with the stamp
  std::atomic<uint8_t> lock{0};
  LineForm form = LineForm::kLine;
  bool settled_atomics = false;
  // For kLine and kWrites. In kWords, `read` and `other` say which words are settled only for some readers: for those
  // of read.id's block and epoch (two warps of that block have read the words), and for those of other.id's warp and
  // tick (two lanes of that warp have). There, write.words is HeldWords.
  LineRecord write, read, other;

  LineShadow() = default;
  LineShadow(const LineShadow&) : LineShadow() {}  // for std::vector: shadows are never copied
  LineShadow& operator=(const LineShadow&) = delete;
};
static_assert(sizeof(LineShadow) == 64);

// In kWords and kSingles: the words whose granules or cells are valid. The others were not touched, and their memory
// was never written.
inline uint32_t& HeldWords(LineShadow& line) { return line.write.words; }

// Granules are given out one after the other, and all taken back at once. Thread-safe.
class GranulePool {
 public:
  GranulePool() = default;
  ~GranulePool();
  GranulePool(const GranulePool&) = delete;
  GranulePool& operator=(const GranulePool&) = delete;

  // REQUIRES: called before Take. Reserves address space; memory is used as granules are taken.
  void Reserve(size_t granules);
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  // The first of `count` granules, whose contents are not defined; kNone when the pool is exhausted.
  uint32_t Take(size_t count);
  Granule* At(uint32_t first) const { return granules_ + first; }
  // The cells of a line of form kSingles.
  Cell* CellsAt(uint32_t first) const { return &granules_[first].write; }
  void Reset();

 private:
  Granule* granules_ = nullptr;
  size_t capacity_ = 0;  // granules
  std::atomic<size_t> used_{0};
  size_t dirty_ = 0;  // granules that were ever given out
};

// The shadow of all global memory, mapped lazily beside it.
class GlobalShadow {
 public:
  explicit GlobalShadow(uint64_t arena_bytes);
  ~GlobalShadow();
  GlobalShadow(const GlobalShadow&) = delete;
  GlobalShadow& operator=(const GlobalShadow&) = delete;

  // Starts a new launch: all records become old. `concurrent`: several host threads will use it. `memory`: what it
  // remembers.
  void NextLaunch(bool concurrent, const GlobalMemory& memory);
  // Nobody will look at these bytes soon: gives the memory back that remembers them.
  void Forget(uint64_t arena_offset, uint64_t bytes);
  LineShadow& Line(uint64_t arena_offset) { return lines_[arena_offset / kLineBytes]; }
  uint32_t stamp() const { return stamp_; }
  bool concurrent() const { return concurrent_; }
  GranulePool& granules() { return granules_; }

 private:
  void ExpectNewArrays(const GlobalMemory& memory);

  LineShadow* lines_ = nullptr;
  size_t bytes_ = 0;
  uint32_t stamp_ = 0;
  bool concurrent_ = false;
  uint64_t expected_ = 0;  // the latest allocation that ExpectNewArrays has seen
  GranulePool granules_;
};

}  // namespace warpgrade::emulator
