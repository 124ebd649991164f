// Compares accesses with earlier ones, and remembers them. Most accesses of a whole warp need only one or two
// LineRecords; the others are compared word by word or byte by byte. shadow_memory.h describes the forms of a line.
// Tested by tests/emulator/exec/race_test.cc, global_race_test.cc and own_word_race_test.cc.
#include "grader/emulator/checks/race_lines.h"

#include <algorithm>

#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/checks/race_check.h"

namespace warpgrade::emulator {
namespace {

// True if two accesses of these kinds never race.
bool Excused(SyncKind a, SyncKind b, bool same_block) {
  if (a == SyncKind::kPlain || b == SyncKind::kPlain) return false;
  if (a == SyncKind::kVolatile && b == SyncKind::kVolatile) return false;
  return same_block || (a != SyncKind::kBlock && b != SyncKind::kBlock);
}

bool SameBlock(AccessId a, AccessId b) { return ((a ^ b) >> 40) == 0; }

bool BothVolatile(const RaceAccess& now, const Cell& before) {
  return KindOf(before.meta) == SyncKind::kVolatile && now.kind == SyncKind::kVolatile;
}

// True if lock step orders the two: one wavefront of 64 lanes made both accesses, and the compiler must keep the order
// of accesses such as these.
bool InLockStep(const RaceAccess& now, const Cell& before, AccessId me) {
  return now.x.launch->program->wave_lanes == kWaveLanes && SameBlock(before.id, me) &&
         WarpOf(before.id) / 2 == WarpOf(me) / 2 && KindOf(before.meta) != SyncKind::kPlain &&
         now.kind != SyncKind::kPlain;
}

// REQUIRES: `before` and `now` have their lanes, and are by different threads or by several lanes.
bool Unordered(const RaceAccess& now, const Cell& before, AccessId me, uint64_t address) {
  if (SameBlock(before.id, me) && OrderedInBlock(now.x, before.id, LaneOf(me), IsMany(me))) return false;
  if (InLockStep(now, before, me)) return false;
  SyncTable* sync = now.x.launch->sync;
  if (sync == nullptr) return true;
  // A thread that has acquired a counter may reset it with a plain store: the atomics that it has observed came before.
  if (KindOf(before.meta) == SyncKind::kDevice && sync->Observed(now.x, SyncKey(now.x, now.global, address))) {
    return false;
  }
  const bool both_strong = KindOf(before.meta) != SyncKind::kPlain && now.kind != SyncKind::kPlain;
  const bool read_is_enough = !now.global || both_strong;
  return !sync->Ordered(now.x, before.id, read_is_enough ? AcquireKind::kRead : AcquireKind::kFenced);
}

bool SameTick(AccessId a, AccessId b) { return ((a ^ b) >> 6) == 0; }
bool SameThread(AccessId a, AccessId b) { return ThreadBits(a) == ThreadBits(b) && !IsMany(a) && !IsMany(b); }

// A later read by the same thread. Of several lanes at once: also by other lanes of the warp in the same tick, because
// whatever lane writes, another one of each has read.
bool SameReader(AccessId before, AccessId me) {
  return SameThread(before, me) || (IsMany(before) && IsMany(me) && SameTick(before, me));
}

// Returns true if it reported a race.
bool CompareCell(const RaceAccess& now, const Cell& before, AccessId me, uint64_t address) {
  if (before.id == 0 || SameThread(before.id, me)) return false;
  if (SameBlock(before.id, me) && EpochOf(before.id) < EpochOf(me)) return false;
  if (Excused(KindOf(before.meta), now.kind, SameBlock(before.id, me))) return false;
  if (!Unordered(now, before, me, address)) return false;
  ReportRace(now.x, now.inst, now.global, static_cast<int>(LaneOf(me)), address, now.size,
             {before.id, before.meta, false, now.global && BothVolatile(now, before)});
  return true;
}

void CompareRecord(const RaceAccess& now, const LineRecord& before, const LinePart& part) {
  uint32_t both = before.words & part.words;
  if (both == 0) return;
  const bool same_warp = ThreadBits(before.id) == ThreadBits(now.id);
  if (same_warp && MappingOf(before.meta) == MappingOf(part.meta) && Log2Of(part.meta) != kSameWord) return;
  if (SameBlock(before.id, now.id) && EpochOf(before.id) < EpochOf(now.id)) return;
  if (Excused(KindOf(before.meta), now.kind, SameBlock(before.id, now.id))) return;
  // To compare different warps it is enough to check the first and the last word. Within one warp a lane may meet
  // itself, so check every word.
  if (!same_warp) both = (both & (~both + 1u)) | (0x80000000u >> __builtin_clz(both));
  for (; both != 0; both &= both - 1) {
    uint32_t word = static_cast<uint32_t>(__builtin_ctz(both));
    const uint32_t step = std::min(std::min(Log2Of(before.meta), Log2Of(part.meta)), 2u);
    for (uint32_t byte = word * 4; byte < word * 4 + 4; byte += 1u << step) {
      Cell cell{ThreadAt(before.id, before.meta, byte), before.meta};
      if (CompareCell(now, cell, ThreadAt(now.id, part.meta, byte), part.line_address + byte)) return;
    }
  }
}

GranulePool& PoolOf(const RaceAccess& now) {
  return now.global ? now.x.launch->shadow->granules() : now.x.block->granules;
}

void Spread(const LineRecord& record, Granule* granules, uint32_t step, Cell Granule::*member) {
  for (uint32_t m = record.words; m != 0; m &= m - 1) {
    uint32_t word = static_cast<uint32_t>(__builtin_ctz(m));
    for (uint32_t byte = word * 4; byte < word * 4 + 4; byte += step) {
      granules[byte / step].*member = {ThreadAt(record.id, record.meta, byte), record.meta};
    }
  }
}

Granule OfSingle(const Cell& cell) {
  Granule g;
  (Wrote(cell.meta) ? g.write : g.read) = cell;
  return g;
}

// Converts a line from records or single accesses to granules of `step` bytes (4 or 1), or from words to bytes.
void Expand(const RaceAccess& now, LineShadow& line, uint32_t step) {
  if (line.form == LineForm::kBytes || (line.form == LineForm::kWords && step == 4)) return;
  GranulePool& pool = PoolOf(now);
  const uint32_t first = pool.Take(kLineBytes / step);
  if (first == GranulePool::kNone) {
    line.form = LineForm::kLost;
    return;
  }
  Granule* granules = pool.At(first);
  const bool words = step == 4;
  std::fill_n(granules, kLineBytes / step, Granule{});
  if (line.form == LineForm::kLine) {
    Spread(line.write, granules, step, &Granule::write);
    Spread(line.read, granules, step, &Granule::read);
    Spread(line.other, granules, step, &Granule::other);
  } else if (line.form == LineForm::kWrites) {
    for (const LineRecord* r : {&line.write, &line.read, &line.other}) Spread(*r, granules, step, &Granule::write);
  } else if (line.form == LineForm::kSingles) {
    const Cell* const cells = pool.CellsAt(line.granules);
    for (uint32_t m = HeldWords(line); m != 0; m &= m - 1) {
      const uint32_t word = static_cast<uint32_t>(__builtin_ctz(m)), each = 4 / step;
      std::fill_n(granules + word * each, each, OfSingle(cells[word]));
    }
  } else {
    for (uint32_t byte = 0; byte < kLineBytes; ++byte) {
      if ((HeldWords(line) >> (byte / 4) & 1) != 0) granules[byte] = pool.At(line.granules)[byte / 4];
    }
  }
  line.granules = first;
  line.read = line.other = LineRecord{};
  HeldWords(line) = words ? ~0u : 0;
  line.form = words ? LineForm::kWords : LineForm::kBytes;
}

// Converts a line from records to single accesses, if each of its words and of `words` has one access at most. Returns
// false if it cannot.
bool BecomeSingles(const RaceAccess& now, LineShadow& line, uint32_t words) {
  if (!now.global || (line.form != LineForm::kLine && line.form != LineForm::kWrites)) return false;
  const LineRecord records[] = {line.write, line.read, line.other};
  uint32_t held = 0;
  for (const LineRecord& r : records) {
    if ((r.words & (held | words)) != 0) return false;
    held |= r.words;
  }
  GranulePool& pool = PoolOf(now);
  const uint32_t first = pool.Take(kGranulesOfSingles);
  if (first == GranulePool::kNone) return false;
  Cell* const cells = pool.CellsAt(first);
  for (const LineRecord& r : records) {
    for (uint32_t m = r.words; m != 0; m &= m - 1) {
      const uint32_t word = static_cast<uint32_t>(__builtin_ctz(m));
      cells[word] = {ThreadAt(r.id, r.meta, word * 4), r.meta};
    }
  }
  line.granules = first;
  line.settled = 0;
  line.settled_atomics = false;
  line.read = line.other = LineRecord{};
  HeldWords(line) = held;
  line.form = LineForm::kSingles;
  return true;
}

// Remembers the first access to each of the part's words. REQUIRES: the line has form kSingles and does not hold them.
void RememberSingles(const RaceAccess& now, LineShadow& line, const LinePart& part) {
  Cell* const cells = PoolOf(now).CellsAt(line.granules);
  HeldWords(line) |= part.words;
  for (uint32_t m = part.words; m != 0; m &= m - 1) {
    const uint32_t word = static_cast<uint32_t>(__builtin_ctz(m));
    cells[word] = {ThreadAt(now.id, part.meta, word * 4), part.meta};
  }
}

void Renew(const RaceAccess& now, LineShadow& line) {
  if (line.stamp == now.stamp) return;
  line.form = LineForm::kLine;
  line.settled = 0;
  line.settled_atomics = false;
  line.write.words = line.read.words = line.other.words = 0;
  // Last, for those who look without the lock: what they see with the new stamp is not of an earlier launch.
  __atomic_store_n(&line.stamp, now.stamp, __ATOMIC_RELEASE);
}

// The earlier of two reads is ordered before the later one, whichever lanes made them. The later read then stands for
// both: whatever races with the earlier also races with the later. Reads of one warp between two __syncwarp() are not
// ordered: a write by the one's lane still races with the other's.
bool StandsFor(const RaceAccess& now, AccessId before, AccessMeta before_meta, AccessId me, AccessMeta me_meta) {
  if (KindOf(before_meta) == SyncKind::kPlain && KindOf(me_meta) != SyncKind::kPlain) return false;
  if (!SameBlock(before, me)) return false;
  if (EpochOf(before) < EpochOf(me)) return true;
  return WarpOf(before) == WarpOf(me) && now.full_sync > TickOf(before);
}

// The line keeps two readers, the two that have the least in common. True if `me` should replace `other`.
bool LessInCommon(AccessId read, AccessId other, AccessId me) {
  if (!SameBlock(read, other)) return false;
  return !SameBlock(read, me) || (WarpOf(read) == WarpOf(other) && WarpOf(read) != WarpOf(me));
}

void RememberReadInCell(const RaceAccess& now, Granule& g, Cell me) {
  auto stands = [&](const Cell& c) {
    return c.id == 0 ||
           (SameReader(c.id, me.id) && (KindOf(c.meta) != SyncKind::kPlain || now.kind == SyncKind::kPlain)) ||
           StandsFor(now, c.id, c.meta, me.id, me.meta);
  };
  if (Wrote(g.other.meta)) {
    if (stands(g.read)) g.read = me;
    return;
  }
  if (stands(g.read)) {
    g.read = me;
  } else if (stands(g.other) || LessInCommon(g.read.id, g.other.id, me.id)) {
    g.other = me;
  }
}

bool SameInterval(AccessId a, AccessId b) { return ((a ^ b) >> 24) == 0; }

// True if two accesses are by different warps (shared memory) or by different blocks (global memory).
bool Apart(const RaceAccess& now, const Cell& a, const Cell& b) {
  if (a.id == 0 || b.id == 0) return false;
  return now.global ? !SameBlock(a.id, b.id) : WarpOf(a.id) != WarpOf(b.id);
}
bool Settles(const RaceAccess& now, const Cell& read, const Cell& other) {
  return KindOf(read.meta) == SyncKind::kPlain && KindOf(other.meta) == SyncKind::kPlain && !Wrote(other.meta) &&
         Apart(now, read, other);
}

// True if both accesses are plain reads.
bool TwoReads(const Granule& g) {
  return g.read.id != 0 && g.other.id != 0 && KindOf(g.read.meta) == SyncKind::kPlain &&
         KindOf(g.other.meta) == SyncKind::kPlain && !Wrote(g.other.meta);
}
// True if later reads of the same block need no check until its next barrier.
bool SettlesInterval(const Granule& g, AccessId now) {
  return TwoReads(g) && SameInterval(g.read.id, now) && SameInterval(g.other.id, now) &&
         WarpOf(g.read.id) != WarpOf(g.other.id);
}
// True if later reads of the same warp need no check until its next __syncwarp().
bool SettlesTick(const Granule& g, AccessId now) {
  if (IsMany(g.read.id) && KindOf(g.read.meta) == SyncKind::kPlain && SameTick(g.read.id, now)) return true;
  return TwoReads(g) && SameTick(g.read.id, now) && SameTick(g.other.id, now) && g.read.id != g.other.id;
}

bool Strong(const Cell& c) { return c.id != 0 && KindOf(c.meta) == SyncKind::kDevice; }
bool PlainStore(const Cell& c) { return c.id != 0 && Wrote(c.meta) && KindOf(c.meta) == SyncKind::kPlain; }

void RememberWriteInCell(const RaceAccess& now, Granule& g, Cell me) {
  Cell earlier;
  // Keep two atomics by different warps or blocks. A plain access by the warp of one of them is then still compared
  // with the other.
  if (Strong(me) && Strong(g.write) && g.read.id == 0) {
    if (Apart(now, me, g.write)) {
      earlier = g.write;
    } else if (Wrote(g.other.meta) && Apart(now, me, g.other)) {
      earlier = g.other;
    }
  }
  // Keep a plain store before atomics of its own warp or block. It may race with atomics of others; these do not.
  if (Strong(me) && earlier.id == 0) {
    for (const Cell& store : {g.write, g.other}) {
      if (earlier.id == 0 && PlainStore(store) && !Apart(now, me, store)) earlier = store;
    }
  }
  g = Granule{me, {}, earlier};
}

void NoteSettled(const RaceAccess& now, LineShadow& line) {
  line.settled_atomics = false;
  line.settled = Settles(now, {line.read.id, line.read.meta}, {line.other.id, line.other.meta})
                     ? line.read.words & line.other.words & ~line.write.words
                     : 0;
}

// Reads of one word by different lanes of a warp, between the same two __syncwarp().
bool OtherLanes(const LineRecord& a, const LineRecord& b) {
  return a.id == b.id && Log2Of(a.meta) == Log2Of(b.meta) && BaseOf(a.meta) != BaseOf(b.meta);
}

// `me`, a read of at least the same words, can take the place of the earlier read `r`. A warp's reads of two mappings,
// s[t] and s[t + 16], are by different lanes: the later one is no substitute, unless two lanes are remembered anyway.
bool Replaces(const RaceAccess& now, const LineRecord& r, const LineRecord& other, const LineRecord& me) {
  if (KindOf(r.meta) == SyncKind::kPlain && now.kind != SyncKind::kPlain) return false;
  if (MappingOf(r.meta) == MappingOf(me.meta) && ThreadBits(r.id) == ThreadBits(me.id)) return true;
  if (StandsFor(now, r.id, r.meta, me.id, me.meta)) return true;
  if (r.id != me.id) return false;
  if (Log2Of(r.meta) == kSameWord && Log2Of(me.meta) == kSameWord) return true;
  return (r.words & ~other.words) == 0 && OtherLanes(other, me) && KindOf(other.meta) == SyncKind::kPlain;
}

// Returns false if the record does not fit beside the records that the line has.
bool RememberInLine(const RaceAccess& now, LineShadow& line, const LinePart& part) {
  LineRecord me{now.id, part.meta, part.words};
  auto repeats = [&](const LineRecord& r) { return r.id == me.id && r.meta == me.meta; };
  if (now.writes) {
    if (repeats(line.write)) {
      me.words |= line.write.words;
    } else if ((line.write.words & ~me.words) != 0 ||
               // Only the word form can keep an atomic and an earlier write.
               (now.kind == SyncKind::kDevice && line.write.words != 0)) {
      return false;
    }
    line.settled = 0;
    line.write = me;
    line.read.words &= ~me.words;
    line.other.words &= ~me.words;
    return true;
  }
  for (LineRecord* r : {&line.read, &line.other}) {
    if (r->words == 0) {
      *r = me;
      NoteSettled(now, line);
      return true;
    }
    if (repeats(*r)) {
      r->words |= me.words;
      return true;
    }
    if ((r->words & ~me.words) == 0 && Replaces(now, *r, r == &line.read ? line.other : line.read, me)) {
      *r = me;
      NoteSettled(now, line);
      return true;
    }
  }
  if ((me.words & ~(line.read.words & line.other.words)) != 0) return false;
  // Both slots are taken. Keep readers of two different blocks, because most racing writes are in a third.
  if (LessInCommon(line.read.id, line.other.id, me.id)) {
    if ((line.other.words & ~me.words) != 0) return false;
    line.other = me;
    NoteSettled(now, line);
  }
  return true;
}

// Empties the granules of the words that nobody has touched yet.
[[gnu::noinline]] void Hold(uint32_t words, Granule* granules, LineShadow& line) {
  for (uint32_t m = words & ~HeldWords(line); m != 0; m &= m - 1) granules[__builtin_ctz(m)] = Granule{};
  HeldWords(line) |= words;
}

template <typename F>
void ForGranules(const RaceAccess& now, LineShadow& line, const LinePart& part, F f) {
  Granule* granules = PoolOf(now).At(line.granules);
  const uint32_t step = line.form == LineForm::kWords ? 4 : 1;
  if (step == 4 && (part.words & ~HeldWords(line)) != 0) [[unlikely]]
    Hold(part.words, granules, line);
  if (part.words != 0) {
    for (uint32_t m = part.words; m != 0; m &= m - 1) {
      uint32_t word = static_cast<uint32_t>(__builtin_ctz(m)) * 4;
      for (uint32_t byte = word; byte < word + 4; byte += step) f(granules[byte / step], byte);
    }
    return;
  }
  for (uint32_t byte = part.from; byte < part.to; byte += step) f(granules[byte / step], byte);
}

void Compare(const RaceAccess& now, LineShadow& line, const LinePart& part) {
  if (line.form == LineForm::kLost) return;
  if (line.form == LineForm::kLine) {
    CompareRecord(now, line.write, part);
    if (!now.writes) return;
    CompareRecord(now, line.read, part);
    CompareRecord(now, line.other, part);
    return;
  }
  bool reported = false;
  ForGranules(now, line, part, [&](const Granule& g, uint32_t byte) {
    if (reported) return;
    AccessId me = ThreadAt(now.id, part.meta, byte);
    uint64_t address = part.line_address + byte;
    reported = CompareCell(now, g.write, me, address);
    if (!now.writes && !reported && Wrote(g.other.meta)) reported = CompareCell(now, g.other, me, address);
    if (!now.writes || reported) return;
    reported = CompareCell(now, g.read, me, address) || CompareCell(now, g.other, me, address);
  });
}

void Remember(const RaceAccess& now, LineShadow& line, const LinePart& part) {
  if (line.form == LineForm::kLost) return;
  if (line.form == LineForm::kLine && part.words != 0 && RememberInLine(now, line, part)) return;
  if (part.words != 0 && BecomeSingles(now, line, part.words)) {
    RememberSingles(now, line, part);
    return;
  }
  Expand(now, line, part.words == 0 ? 1 : 4);
  if (line.form == LineForm::kLost) return;
  if (now.writes != line.settled_atomics) {
    line.settled_atomics = now.writes;
    line.settled = 0;
  }
  line.settled &= ~part.words;
  if (now.writes) {
    line.read.words &= ~part.words;
    line.other.words &= ~part.words;
  } else {
    if (!SameInterval(line.read.id, now.id)) line.read = {now.id, 0, 0};
    if (!SameTick(line.other.id, now.id)) line.other = {now.id, 0, 0};
  }
  ForGranules(now, line, part, [&](Granule& g, uint32_t byte) {
    Cell me{ThreadAt(now.id, part.meta, byte), part.meta};
    if (now.writes) {
      RememberWriteInCell(now, g, me);
      if (Wrote(g.other.meta) && Apart(now, g.write, g.other)) line.settled |= 1u << (byte / 4);
    } else {
      RememberReadInCell(now, g, me);
      if (g.write.id != 0) return;  // a later read may be unordered after that write, so it still needs a check
      const uint32_t word = 1u << (byte / 4);
      if (Settles(now, g.read, g.other)) line.settled |= word;
      if (SettlesInterval(g, now.id)) line.read.words |= word;
      if (SettlesTick(g, now.id)) line.other.words |= word;
    }
  });
  if (line.form != LineForm::kWords) line.settled = line.read.words = line.other.words = 0;
}

class LineLock {
 public:
  LineLock(LineShadow& line, bool needed) : line_(needed ? &line : nullptr) {
    if (line_ == nullptr) return;
    while (line_->lock.exchange(1, std::memory_order_acquire) != 0) {
    }
  }
  ~LineLock() {
    if (line_ != nullptr) line_->lock.store(0, std::memory_order_release);
  }
  LineLock(const LineLock&) = delete;
  LineLock& operator=(const LineLock&) = delete;

 private:
  LineShadow* line_;
};

// The words that this access need not check. It reads without the lock, so the answer may be stale. At worst it checks
// a word that is settled, or skips one that is not.
uint32_t SettledWords(const RaceAccess& now, const LineShadow& line) {
  if (__atomic_load_n(&line.stamp, __ATOMIC_RELAXED) != now.stamp) return 0;
  if (now.writes) {
    return line.settled_atomics && now.kind == SyncKind::kDevice ? __atomic_load_n(&line.settled, __ATOMIC_RELAXED) : 0;
  }
  const uint32_t for_all = SettledForReads(line, now.stamp);
  const LineRecord& read = line.read;
  const LineRecord& other = line.other;
  if (line.form == LineForm::kWords) {
    return for_all | (SameInterval(read.id, now.id) ? read.words : 0) | (SameTick(other.id, now.id) ? other.words : 0);
  }
  const uint32_t both = read.words & other.words & ~line.write.words;
  if (line.form != LineForm::kLine || both == 0 || KindOf(read.meta) != SyncKind::kPlain ||
      KindOf(other.meta) != SyncKind::kPlain || !SameInterval(read.id, now.id) || !SameInterval(other.id, now.id)) {
    return for_all;
  }
  if (WarpOf(read.id) != WarpOf(other.id)) return for_all | both;
  const bool other_lanes = Log2Of(read.meta) == Log2Of(other.meta) && BaseOf(read.meta) != BaseOf(other.meta);
  return for_all | (other_lanes && SameTick(read.id, now.id) && SameTick(other.id, now.id) ? both : 0);
}

// Remembers a plain write of words that nobody has touched, in a line that has only such writes. They race with none of
// them. Returns false for all other accesses, and if the line has no room for it.
bool VisitBesideWrites(const RaceAccess& now, LineShadow& line, const LinePart& part, LinePhase phase) {
  if (!now.writes || now.kind != SyncKind::kPlain || part.words == 0) return false;
  if (line.form == LineForm::kLine) {
    const LineRecord& first = line.write;
    const bool repeats = first.id == now.id && first.meta == part.meta;  // one record holds both
    if (first.words == 0 || repeats || KindOf(first.meta) != SyncKind::kPlain) return false;
    if (line.read.words != 0 || line.other.words != 0) return false;
  }
  if ((part.words & (line.write.words | line.read.words | line.other.words)) != 0) return false;
  LineRecord& free = line.read.words == 0 ? line.read : line.other;
  if (free.words != 0) return false;
  if ((phase & kRemember) == 0) return true;
  free = LineRecord{now.id, part.meta, part.words};
  line.form = LineForm::kWrites;
  line.settled = 0;
  return true;
}

// One thread's next access to a word that no other thread has touched, in a line that is kept by words: a sum that is
// kept in memory makes two in each turn of its loop. Does what Compare and Remember would. Only a read right after the
// thread's own write of the same kind is left out: whatever races with it also races with the write, which is reported
// first. Returns false for all other accesses, and for atomics.
bool VisitOwnWord(const RaceAccess& now, LineShadow& line, uint32_t word, AccessMeta meta) {
  const auto ready = [&] {
    return line.stamp == now.stamp && line.form == LineForm::kWords && (HeldWords(line) >> word & 1) != 0;
  };
  if (!ready()) return false;
  const AccessId me = ThreadAt(now.id, meta, word * 4);
  const auto mine = [me](const Cell& c) { return SameThread(c.id, me); };
  const auto granule = [&]() -> Granule& { return PoolOf(now).At(line.granules)[word]; };
  if (!now.writes) {  // without the lock, as SettledWords
    const Granule& g = granule();
    return g.write.id == me && !IsMany(me) && KindOf(g.write.meta) == now.kind && !Wrote(g.other.meta);
  }
  if (now.kind == SyncKind::kDevice) return false;
  LineLock lock(line, now.global && now.x.launch->shadow->concurrent());
  if (!ready()) return false;
  Granule& g = granule();
  if (g.other.id != 0 || (g.write.id != 0 && !mine(g.write)) || (g.read.id != 0 && !mine(g.read))) return false;
  g = Granule{{me, meta}, {}, {}};
  return true;  // a settled word has two accesses by different threads, so this one was not settled
}

void VisitUnsettled(const RaceAccess& now, LineShadow& line, const LinePart& part, LinePhase phase) {
  LineLock lock(line, now.global && now.x.launch->shadow->concurrent());
  if (line.stamp == now.stamp && (line.form == LineForm::kLine || line.form == LineForm::kWrites)) {
    if (VisitBesideWrites(now, line, part, phase)) return;
    if (line.form == LineForm::kWrites && (part.words == 0 || !BecomeSingles(now, line, part.words))) {
      Expand(now, line, 4);
      line.settled_atomics = true;  // as after any write of a line that is kept by words
    }
  }
  if (line.stamp == now.stamp && line.form == LineForm::kSingles) {
    if (part.words != 0 && (HeldWords(line) & part.words) == 0) {  // nothing to compare with
      if (phase & kRemember) RememberSingles(now, line, part);
      return;
    }
    Expand(now, line, part.words == 0 ? 1 : 4);
  }
  if (phase == kBoth && part.words != 0 && (part.words & (part.words - 1)) == 0) {
    const uint32_t word = static_cast<uint32_t>(__builtin_ctz(part.words));
    if (VisitUntouchedWord(now, line, PoolOf(now), word, part.meta)) return;
  }
  Renew(now, line);
  // The first access to a part of a word makes the line keep its bytes apart.
  if (part.words == 0) Expand(now, line, 1);
  if (phase & kCompare) Compare(now, line, part);
  if (phase & kRemember) Remember(now, line, part);
}

}  // namespace

bool StartInWords(uint32_t stamp, LineShadow& line, GranulePool& pool) {
  const uint32_t first = pool.Take(kLineBytes / 4);
  if (first == GranulePool::kNone) return false;
  line.stamp = stamp;
  line.form = LineForm::kWords;
  line.granules = first;
  line.settled = 0;
  line.settled_atomics = false;
  line.write = line.read = line.other = LineRecord{};
  return true;
}

void VisitLine(const RaceAccess& now, const LinePart& part, LinePhase phase) {
  LineShadow& line = now.global ? now.x.launch->shadow->Line(part.line_address - now.arena)
                                : now.x.block->shadow[part.line_address / kLineBytes];
  if (part.words != 0) {
    const bool one_word = (part.words & (part.words - 1)) == 0;
    if (one_word && phase == kBoth &&
        VisitOwnWord(now, line, static_cast<uint32_t>(__builtin_ctz(part.words)), part.meta)) {
      return;
    }
    const uint32_t left = part.words & ~SettledWords(now, line);
    if (left == 0) return;
    if (left != part.words && line.form == LineForm::kWords) {
      LinePart rest = part;
      rest.words = left;
      VisitUnsettled(now, line, rest, phase);
      return;
    }
  }
  VisitUnsettled(now, line, part, phase);
}

}  // namespace warpgrade::emulator
