// The race check on shared memory. Each 4-byte word remembers its last write and its last reads: by which thread, in
// which barrier interval of the block, and after how many __syncwarp() of that warp. Two accesses of different threads,
// at least one a write, race when no barrier and (within a warp) no __syncwarp() came between. A partial barrier counts
// as one for the whole block: that can hide a race, never invent one. Tested by tests/emulator/exec/race_test.cc.
#include <fmt/format.h>

#include "grader/emulator/access_check.h"

namespace warpgrade::emulator {
namespace {

struct Access {
  uint16_t thread;
  uint16_t warp;
  uint32_t epoch, sync;
  uint8_t bytes;  // of the word
  bool atomic;
};

enum class Readers : uint8_t { kNone, kOneThread, kOneWarp, kManyWarps };

// An earlier access by `thread` is ordered before this one.
bool Ordered(const Access& now, uint16_t thread, uint32_t epoch, uint32_t sync) {
  if (epoch != now.epoch) return true;
  if (thread == now.thread) return true;
  return thread / kLanes == now.warp && sync < now.sync;
}

void ReportRace(Exec& x, const Inst& inst, int lane, uint64_t address, int size, const char* now, const char* before,
                uint16_t other_thread, uint32_t other_inst, bool same_warp) {
  const Dim3& shape = x.launch->block;
  uint32_t t = other_thread;
  const InstOrigin& other = x.launch->program->origins[other_inst];
  std::string where = other.line > 0 ? fmt::format(" in line {}", other.line) : "";
  Report(x, inst, FindingKind::kSharedRace, lane, address, size,
         fmt::format("{} byte {} of shared memory that thread ({},{},{}) {}{}, with no {} between the two", now,
                     address, t % shape.x, t / shape.x % shape.y, t / shape.x / shape.y, before, where,
                     same_warp ? "__syncwarp()" : "__syncthreads()"));
}

// Two lanes of one store that hit the same word: the order is undefined, which matters unless they agree. Values are
// not known here, so only remember; atomics are fine.
void RememberWrite(SharedShadow& cell, const Access& a, uint32_t inst) {
  bool same_turn = cell.write_epoch == a.epoch && cell.writer == a.thread;
  cell.write_bytes = same_turn ? static_cast<uint8_t>(cell.write_bytes | a.bytes) : a.bytes;
  cell.write_epoch = a.epoch;
  cell.write_sync = a.sync;
  cell.writer = a.thread;
  cell.write_atomic = a.atomic;
  cell.write_inst = inst;
}

// The readers of a cell are those of its read_bytes, all of them: several readers are remembered together only for the
// bytes that each of them read, and reads that a __syncwarp() has ordered since make room for new ones. That may forget
// a read, so it can hide a race but never invent one.
void RememberRead(SharedShadow& cell, const Access& a, uint32_t inst) {
  bool fresh = cell.read_epoch != a.epoch || cell.readers == static_cast<uint8_t>(Readers::kNone);
  bool many = cell.readers == static_cast<uint8_t>(Readers::kManyWarps);
  bool same_warp = cell.reader / kLanes == a.warp && !many;
  if (fresh || (cell.read_bytes & a.bytes) == 0 || (same_warp && cell.read_sync < a.sync)) {
    cell.readers = static_cast<uint8_t>(Readers::kOneThread);
    cell.read_bytes = a.bytes;
  } else if (cell.reader != a.thread || cell.readers != static_cast<uint8_t>(Readers::kOneThread)) {
    cell.read_bytes &= a.bytes;
    cell.readers = static_cast<uint8_t>(same_warp ? Readers::kOneWarp : Readers::kManyWarps);
  } else {
    cell.read_bytes |= a.bytes;
  }
  cell.read_epoch = a.epoch;
  cell.read_sync = a.sync;
  cell.reader = a.thread;
  cell.read_inst = inst;
}

bool ReadRaces(const SharedShadow& cell, const Access& a) {
  if (cell.read_epoch != a.epoch || (cell.read_bytes & a.bytes) == 0) return false;
  switch (static_cast<Readers>(cell.readers)) {
    case Readers::kNone:
      return false;
    case Readers::kOneThread:
      return !Ordered(a, cell.reader, cell.read_epoch, cell.read_sync);
    case Readers::kOneWarp:
      return cell.reader / kLanes != a.warp || cell.read_sync >= a.sync;
    case Readers::kManyWarps:
      return true;
  }
  return false;
}

}  // namespace

void CheckSharedRace(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask, int size,
                     AccessKind kind) {
  Block& block = *x.block;
  Access a{};
  a.warp = static_cast<uint16_t>(x.warp->index);
  a.epoch = block.barrier_epoch;
  a.sync = x.warp->sync_epoch;
  a.atomic = kind == AccessKind::kAtomic;
  const int words = size <= 4 ? 1 : size / 4;
  // Reads of all lanes come before any lane's write within one instruction, so check all lanes first, then remember.
  for (int phase = 0; phase < 2; ++phase) {
    for (LaneMask m = mask; m != 0; m &= m - 1) {
      int lane = __builtin_ctz(m);
      uint64_t address = addresses[lane] + offset;
      a.thread = static_cast<uint16_t>(a.warp * kLanes + lane);
      a.bytes = size >= 4 ? 0xF : static_cast<uint8_t>(((1 << size) - 1) << (address & 3));
      for (int w = 0; w < words; ++w) {
        SharedShadow& cell = block.shadow[(address >> 2) + static_cast<uint64_t>(w)];
        if (phase == 1) {
          if (kind == AccessKind::kRead) {
            RememberRead(cell, a, inst.index);
          } else {
            RememberWrite(cell, a, inst.index);
          }
          continue;
        }
        bool write_races = cell.write_epoch == a.epoch && (cell.write_bytes & a.bytes) != 0 &&
                           !(a.atomic && cell.write_atomic) &&
                           !Ordered(a, cell.writer, cell.write_epoch, cell.write_sync);
        if (write_races) {
          ReportRace(x, inst, lane, address, size, kind == AccessKind::kRead ? "read" : "wrote", "wrote", cell.writer,
                     cell.write_inst, cell.writer / kLanes == a.warp);
        }
        if (kind != AccessKind::kRead && ReadRaces(cell, a)) {
          ReportRace(x, inst, lane, address, size, "wrote", "read", cell.reader, cell.read_inst,
                     cell.reader / kLanes == a.warp);
        }
      }
    }
  }
}

}  // namespace warpgrade::emulator
