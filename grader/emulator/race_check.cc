// Compares each access with what the shadow remembers of its lines, and remembers it. Most accesses of a whole warp are
// decided on one or two LineRecords; the rest word by word. Tested by tests/emulator/exec/race_test.cc and
// global_race_test.cc.
#include "grader/emulator/race_check.h"

#include <algorithm>

namespace warpgrade::emulator {
namespace {

struct Now {
  Exec& x;
  const Inst& inst;
  bool global;
  bool writes;
  SyncKind kind;
  uint32_t stamp;
  AccessId id;  // without lanes
  int size;
  uint64_t arena;  // what to take from an address to find its line
};

// The part of an access that lies in one line.
struct Part {
  uint64_t line_address;
  uint32_t from, to;  // bytes of the line
  uint32_t words;     // of the line, when the part is of whole words
  AccessMeta meta;
};

uint32_t LaneAt(AccessMeta meta, uint32_t byte) {
  uint32_t log2 = Log2Of(meta);
  return static_cast<uint32_t>(BaseOf(meta) + (log2 == kSameWord ? 0 : static_cast<int>(byte >> log2))) & 31;
}
AccessId ThreadAt(AccessId id, AccessMeta meta, uint32_t byte) {
  return WithLane(id, LaneAt(meta, byte)) | (Log2Of(meta) == kSameWord ? kManyLanes : 0);
}
uint32_t WordRange(uint32_t from, uint32_t to) {  // words of [from, to), bytes of a line
  uint32_t first = from / 4, count = to / 4 - first;
  return (count >= 32 ? ~0u : (1u << count) - 1u) << first;
}

// Accesses of these kinds never race.
bool Excused(SyncKind a, SyncKind b, bool same_block) {
  if (a == SyncKind::kPlain || b == SyncKind::kPlain) return false;
  if (a == SyncKind::kVolatileShared && b == SyncKind::kVolatileShared) return false;
  return same_block || (a != SyncKind::kBlock && b != SyncKind::kBlock);
}

bool SameBlock(AccessId a, AccessId b) { return ((a ^ b) >> 40) == 0; }

// REQUIRES: `before` and `now` have their lanes and are of different threads or of several lanes.
bool Unordered(const Now& now, const Cell& before, AccessId me, uint64_t address) {
  if (SameBlock(before.id, me) && OrderedInBlock(now.x, before.id, LaneOf(me), IsMany(me))) return false;
  SyncTable* sync = now.x.launch->sync;
  if (sync == nullptr) return true;
  // Whoever has acquired a counter may then reset it plainly: the atomics that it has seen came before.
  if (KindOf(before.meta) == SyncKind::kDevice && sync->Observed(now.x, SyncKey(now.x, now.global, address))) {
    return false;
  }
  return !sync->Ordered(now.x, before.id);
}

bool SameThread(AccessId a, AccessId b) { return ThreadBits(a) == ThreadBits(b) && !IsMany(a) && !IsMany(b); }

// True if it reported.
bool CompareCell(const Now& now, const Cell& before, AccessId me, uint64_t address) {
  if (before.id == 0 || SameThread(before.id, me)) return false;
  if (SameBlock(before.id, me) && EpochOf(before.id) < EpochOf(me)) return false;
  if (Excused(KindOf(before.meta), now.kind, SameBlock(before.id, me))) return false;
  if (!Unordered(now, before, me, address)) return false;
  ReportRace(now.x, now.inst, now.global, static_cast<int>(LaneOf(me)), address, now.size,
             {before.id, before.meta, false});
  return true;
}

void CompareRecord(const Now& now, const LineRecord& before, const Part& part) {
  uint32_t both = before.words & part.words;
  if (both == 0) return;
  const bool same_warp = ThreadBits(before.id) == ThreadBits(now.id);
  if (same_warp && MappingOf(before.meta) == MappingOf(part.meta) && Log2Of(part.meta) != kSameWord) return;
  if (SameBlock(before.id, now.id) && EpochOf(before.id) < EpochOf(now.id)) return;
  if (Excused(KindOf(before.meta), now.kind, SameBlock(before.id, now.id))) return;
  // Of the words of other threads the first and the last stand for all; within a warp lanes may coincide.
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

GranulePool& PoolOf(const Now& now) { return now.global ? now.x.launch->shadow->granules() : now.x.block->granules; }

void Spread(const LineRecord& record, Granule* granules, uint32_t step, Cell Granule::*member) {
  for (uint32_t m = record.words; m != 0; m &= m - 1) {
    uint32_t word = static_cast<uint32_t>(__builtin_ctz(m));
    for (uint32_t byte = word * 4; byte < word * 4 + 4; byte += step) {
      granules[byte / step].*member = {ThreadAt(record.id, record.meta, byte), record.meta};
    }
  }
}

// From records to granules of `step` bytes (4 or 1), or from words to bytes.
void Expand(const Now& now, LineShadow& line, uint32_t step) {
  if (line.form == LineForm::kBytes || (line.form == LineForm::kWords && step == 4)) return;
  GranulePool& pool = PoolOf(now);
  const uint32_t first = pool.Take(kLineBytes / step);
  if (first == GranulePool::kNone) {
    line.form = LineForm::kLost;
    return;
  }
  Granule* granules = pool.At(first);
  if (line.form == LineForm::kLine) {
    Spread(line.write, granules, step, &Granule::write);
    Spread(line.read, granules, step, &Granule::read);
    Spread(line.other, granules, step, &Granule::other);
  } else {
    for (uint32_t byte = 0; byte < kLineBytes; ++byte) granules[byte] = pool.At(line.granules)[byte / 4];
  }
  line.granules = first;
  line.read = line.other = LineRecord{};
  line.form = step == 4 ? LineForm::kWords : LineForm::kBytes;
}

void Renew(const Now& now, LineShadow& line) {
  if (line.stamp == now.stamp) return;
  line.stamp = now.stamp;
  line.form = LineForm::kLine;
  line.settled = 0;
  line.settled_atomics = false;
  line.write.words = line.read.words = line.other.words = 0;
}

// A later read stands for an earlier one: whatever races with the earlier also races with the later.
bool StandsFor(const Now& now, AccessId before, AccessMeta before_meta, AccessId me, AccessMeta me_meta) {
  if (KindOf(before_meta) == SyncKind::kPlain && KindOf(me_meta) != SyncKind::kPlain) return false;
  if (before == me) return true;
  if (!SameBlock(before, me)) return false;
  if (EpochOf(before) < EpochOf(me)) return true;
  return WarpOf(before) == WarpOf(me) && now.x.warp->order.full_sync > TickOf(before);
}

// Of several readers two are remembered, those that have the least in common: `me` had better take the place of
// `other`.
bool LessInCommon(AccessId read, AccessId other, AccessId me) {
  if (!SameBlock(read, other)) return false;
  return !SameBlock(read, me) || (WarpOf(read) == WarpOf(other) && WarpOf(read) != WarpOf(me));
}

void RememberReadInCell(const Now& now, Granule& g, Cell me) {
  auto stands = [&](const Cell& c) {
    return c.id == 0 ||
           (SameThread(c.id, me.id) && (KindOf(c.meta) != SyncKind::kPlain || now.kind == SyncKind::kPlain)) ||
           StandsFor(now, c.id, c.meta, me.id, me.meta);
  };
  if (Wrote(g.other.meta)) {
    if (stands(g.read)) g.read = me;
    return;
  }
  if (stands(g.read)) {
    g.read = me;
  } else if (stands(g.other)) {
    g.other = me;
  } else if (LessInCommon(g.read.id, g.other.id, me.id)) {
    g.other = me;
  }
}

bool SameInterval(AccessId a, AccessId b) { return ((a ^ b) >> 24) == 0; }

// Of two accesses by different warps (shared memory) or blocks (global).
bool Apart(const Now& now, const Cell& a, const Cell& b) {
  if (a.id == 0 || b.id == 0) return false;
  return now.global ? !SameBlock(a.id, b.id) : WarpOf(a.id) != WarpOf(b.id);
}
bool Settles(const Now& now, const Cell& read, const Cell& other) {
  return KindOf(read.meta) == SyncKind::kPlain && KindOf(other.meta) == SyncKind::kPlain && !Wrote(other.meta) &&
         Apart(now, read, other);
}

bool SameTick(AccessId a, AccessId b) { return ((a ^ b) >> 6) == 0; }

// Both are plain reads.
bool TwoReads(const Granule& g) {
  return g.read.id != 0 && g.other.id != 0 && KindOf(g.read.meta) == SyncKind::kPlain &&
         KindOf(g.other.meta) == SyncKind::kPlain && !Wrote(g.other.meta);
}
// Settled for later reads of the same block before its next barrier.
bool SettlesInterval(const Granule& g, AccessId now) {
  return TwoReads(g) && SameInterval(g.read.id, now) && SameInterval(g.other.id, now) &&
         WarpOf(g.read.id) != WarpOf(g.other.id);
}
// Settled for later reads of the same warp before its next __syncwarp().
bool SettlesTick(const Granule& g, AccessId now) {
  if (IsMany(g.read.id) && KindOf(g.read.meta) == SyncKind::kPlain && SameTick(g.read.id, now)) return true;
  return TwoReads(g) && SameTick(g.read.id, now) && SameTick(g.other.id, now);
}

bool Strong(const Cell& c) { return c.id != 0 && KindOf(c.meta) == SyncKind::kDevice; }

void RememberWriteInCell(const Now& now, Granule& g, Cell me) {
  Cell earlier;
  // Of atomics keep two that have little in common, so that a plain access by one of them meets the other.
  if (Strong(me) && Strong(g.write) && g.read.id == 0) {
    if (Apart(now, me, g.write)) {
      earlier = g.write;
    } else if (Wrote(g.other.meta) && Apart(now, me, g.other)) {
      earlier = g.other;
    }
  }
  g = Granule{me, {}, earlier};
}

void NoteSettled(const Now& now, LineShadow& line) {
  line.settled_atomics = false;
  line.settled = Settles(now, {line.read.id, line.read.meta}, {line.other.id, line.other.meta})
                     ? line.read.words & line.other.words & ~line.write.words
                     : 0;
}

// False: the record does not fit beside those that are there.
bool RememberInLine(const Now& now, LineShadow& line, const Part& part) {
  LineRecord me{now.id, part.meta, part.words};
  auto repeats = [&](const LineRecord& r) { return r.id == me.id && r.meta == me.meta; };
  if (now.writes) {
    if (repeats(line.write)) {
      me.words |= line.write.words;
    } else if ((line.write.words & ~me.words) != 0) {
      return false;
    } else if (now.kind == SyncKind::kDevice && line.write.words != 0 && KindOf(line.write.meta) == now.kind) {
      return false;  // words remember two atomics
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
    bool same_threads = ThreadBits(r->id) == ThreadBits(me.id) && MappingOf(r->meta) == MappingOf(me.meta) &&
                        (KindOf(r->meta) == now.kind || KindOf(r->meta) != SyncKind::kPlain);
    bool replaces = (r->words & ~me.words) == 0 && (same_threads || StandsFor(now, r->id, r->meta, me.id, me.meta));
    if (replaces) {
      *r = me;
      NoteSettled(now, line);
      return true;
    }
  }
  if ((me.words & ~(line.read.words & line.other.words)) != 0) return false;
  // Readers enough: keep two of different blocks, which is what most writes will race with.
  if (LessInCommon(line.read.id, line.other.id, me.id)) {
    if ((line.other.words & ~me.words) != 0) return false;
    line.other = me;
    NoteSettled(now, line);
  }
  return true;
}

template <typename F>
void ForGranules(const Now& now, const LineShadow& line, const Part& part, F f) {
  Granule* granules = PoolOf(now).At(line.granules);
  const uint32_t step = line.form == LineForm::kWords ? 4 : 1;
  if (part.words != 0) {
    for (uint32_t m = part.words; m != 0; m &= m - 1) {
      uint32_t word = static_cast<uint32_t>(__builtin_ctz(m)) * 4;
      for (uint32_t byte = word; byte < word + 4; byte += step) f(granules[byte / step], byte);
    }
    return;
  }
  for (uint32_t byte = part.from; byte < part.to; byte += step) f(granules[byte / step], byte);
}

void Compare(const Now& now, const LineShadow& line, const Part& part) {
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

void Remember(const Now& now, LineShadow& line, const Part& part) {
  if (line.form == LineForm::kLost) return;
  if (line.form == LineForm::kLine && part.words != 0 && RememberInLine(now, line, part)) return;
  if (part.words == 0) {
    Expand(now, line, 1);
  } else {
    Expand(now, line, 4);
  }
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
      if (g.write.id != 0) return;  // a later read may not be ordered after that write
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

enum Phase : unsigned { kCompare = 1, kRemember = 2, kBoth = 3 };

// The words for which this access need not be looked at. Read without the lock: at worst it is when it need not be, or
// the other way round.
uint32_t SettledWords(const Now& now, const LineShadow& line) {
  if (__atomic_load_n(&line.stamp, __ATOMIC_RELAXED) != now.stamp) return 0;
  const uint32_t settled = __atomic_load_n(&line.settled, __ATOMIC_RELAXED);
  if (now.writes) return line.settled_atomics && now.kind == SyncKind::kDevice ? settled : 0;
  const uint32_t for_all = line.settled_atomics ? 0 : settled;
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

// The most common case of accesses that are not in order: one lane reads or writes a word that nobody has touched yet.
bool VisitUntouched(const Now& now, LineShadow& line, const Part& part) {
  if (line.stamp != now.stamp || line.form != LineForm::kWords || (part.words & (part.words - 1)) != 0 ||
      part.words == 0) {
    return false;
  }
  const uint32_t word = static_cast<uint32_t>(__builtin_ctz(part.words));
  Granule& g = PoolOf(now).At(line.granules)[word];
  if (g.write.id != 0 || g.read.id != 0) return false;
  (now.writes ? g.write : g.read) = {ThreadAt(now.id, part.meta, word * 4), part.meta};
  return true;
}

void VisitUnsettled(const Now& now, LineShadow& line, const Part& part, Phase phase) {
  LineLock lock(line, now.global && now.x.launch->shadow->concurrent());
  if (phase == kBoth && VisitUntouched(now, line, part)) return;
  Renew(now, line);
  // Bytes that share a word with others are kept apart from the first such access on.
  if (part.words == 0) Expand(now, line, 1);
  if (phase & kCompare) Compare(now, line, part);
  if (phase & kRemember) Remember(now, line, part);
}

void Visit(const Now& now, const Part& part, Phase phase) {
  LineShadow& line = now.global ? now.x.launch->shadow->Line(part.line_address - now.arena)
                                : now.x.block->shadow[part.line_address / kLineBytes];
  if (part.words != 0) {
    const uint32_t left = part.words & ~SettledWords(now, line);
    if (left == 0) return;
    if (left != part.words && line.form == LineForm::kWords) {
      Part rest = part;
      rest.words = left;
      VisitUnsettled(now, line, rest, phase);
      return;
    }
  }
  VisitUnsettled(now, line, part, phase);
}

uint32_t Log2(int size) { return static_cast<uint32_t>(__builtin_ctz(static_cast<unsigned>(size))); }

Part PartOf(const Now& now, uint64_t address, int size, uint32_t log2, int lane) {
  Part part;
  part.line_address = address & ~(kLineBytes - 1);
  part.from = static_cast<uint32_t>(address - part.line_address);
  part.to = part.from + static_cast<uint32_t>(size);
  part.words = size >= 4 ? WordRange(part.from, part.to) : 0;
  int base = log2 == kSameWord ? lane : lane - static_cast<int>(part.from >> log2);
  part.meta = MakeMeta(now.inst.index, now.writes, now.kind, log2, base);
  return part;
}

// Lanes in order: each line of the run at once. False: the run is not of whole words.
bool VisitRun(const Now& now, const AccessLanes& a, Phase phase) {
  const int first = __builtin_ctz(a.mask);
  const uint64_t size = static_cast<uint64_t>(a.size);
  const LaneMask run = a.mask >> first;
  const bool unbroken = (run & (run + 1)) == 0;
  if ((!unbroken && a.size != 4) || ((a.low | a.end) & 3) != 0) return false;
  const int64_t lane0 = static_cast<int64_t>(a.low) - first * a.size;  // where lane 0 is, or would be
  const uint32_t log2 = Log2(a.size);
  for (uint64_t line = a.low & ~(kLineBytes - 1); line < a.end; line += kLineBytes) {
    Part part;
    part.line_address = line;
    part.from = static_cast<uint32_t>(std::max(a.low, line) - line);
    part.to = static_cast<uint32_t>(std::min(a.end, line + kLineBytes) - line);
    const int64_t base = (static_cast<int64_t>(line) - lane0) / static_cast<int64_t>(size);
    part.words = WordRange(part.from, part.to);
    if (!unbroken) part.words &= base >= 0 ? a.mask >> base : a.mask << -base;
    if (part.words == 0) continue;
    part.meta = MakeMeta(now.inst.index, now.writes, now.kind, log2, static_cast<int>(base));
    Visit(now, part, phase);
  }
  return true;
}

// Lanes in groups of neighbours that access one place, or places in order.
void VisitLanes(const Now& now, const AccessLanes& a, Phase phase) {
  const uint64_t size = static_cast<uint64_t>(a.size);
  for (LaneMask m = a.mask; m != 0;) {
    const int first = __builtin_ctz(m);
    const uint64_t at = a.addresses[first] + a.offset;
    int count = 1;
    uint64_t step = 0;
    if (first < kLanes - 1 && (m >> (first + 1) & 1) != 0) {
      step = a.addresses[first + 1] + a.offset - at;
      if (step == 0 || step == size) {
        do {
          ++count;
        } while (first + count < kLanes && (m >> (first + count) & 1) != 0 &&
                 a.addresses[first + count] + a.offset - at == step * static_cast<uint64_t>(count));
      }
    }
    const LaneMask group = (count == kLanes ? kAllLanes : (1u << count) - 1u) << first;
    m &= ~group;
    if (count == 1) {
      Visit(now, PartOf(now, at, a.size, Log2(a.size), first), phase);
    } else if (step == 0) {
      // A store's last lane wins (CheckCollidingStores has looked at the others).
      const bool store = a.kind == AccessKind::kWrite;
      Visit(now, PartOf(now, at, a.size, store ? Log2(a.size) : kSameWord, store ? first + count - 1 : first), phase);
    } else {
      AccessLanes run{a.addresses, a.offset, group, a.size, a.kind, true, at, at + size * static_cast<uint64_t>(count)};
      if (VisitRun(now, run, phase)) continue;
      for (int lane = first; lane < first + count; ++lane) {
        Visit(now, PartOf(now, a.addresses[lane] + a.offset, a.size, Log2(a.size), lane), phase);
      }
    }
  }
}

// Each active lane's address is above that of the one before: no two lanes meet.
bool Rising(const AccessLanes& a) {
  if (a.mask == kAllLanes) {
    bool falls = false;
    for (int l = 1; l < kLanes; ++l) falls |= a.addresses[l] <= a.addresses[l - 1];
    return !falls;
  }
  uint64_t last = 0;
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    uint64_t at = a.addresses[__builtin_ctz(m)] + a.offset;
    if (at <= last && m != a.mask) return false;
    last = at;
  }
  return true;
}

void VisitAll(const Now& now, const AccessLanes& a) {
  if (a.contiguous && VisitRun(now, a, kBoth)) return;
  if (a.kind == AccessKind::kWrite && !Rising(a)) {  // lanes of one instruction do not race with each other here
    VisitLanes(now, a, kCompare);
    VisitLanes(now, a, kRemember);
  } else {
    VisitLanes(now, a, kBoth);
  }
}

SyncKind KindOfAccess(const Exec& x, const Inst& inst, bool global, const AccessLanes& a) {
  const SyncKind strong = (inst.order & kBlockScope) != 0 ? SyncKind::kBlock : SyncKind::kDevice;
  if (a.kind == AccessKind::kAtomic) return strong;
  if ((inst.order & kStrong) == 0) return SyncKind::kPlain;
  bool hopeful = !global && (inst.order & kVolatile) != 0 && (x.warp->order.fenced & a.mask) == 0;
  return hopeful ? SyncKind::kVolatileShared : strong;
}

template <typename F>
void ForSyncWords(const AccessLanes& a, F f) {
  uint64_t last = ~uint64_t{0};
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t address = a.addresses[lane] + a.offset;
    for (uint64_t word = address & ~uint64_t{3}; word < address + static_cast<uint64_t>(a.size); word += 4) {
      if (word != last) f(word, lane);
      last = word;
    }
  }
}

}  // namespace

void CheckSharedRace(Exec& x, const Inst& inst, const AccessLanes& a) {
  Now now{x,
          inst,
          false,
          a.kind != AccessKind::kRead,
          KindOfAccess(x, inst, false, a),
          x.block->barrier_epoch,
          CurrentAccess(x),
          a.size,
          0};
  VisitAll(now, a);
}

void CheckGlobalRace(Exec& x, const Inst& inst, const AccessLanes& a) {
  GlobalShadow& shadow = *x.launch->shadow;
  Now now{x,
          inst,
          true,
          a.kind != AccessKind::kRead,
          KindOfAccess(x, inst, true, a),
          shadow.stamp(),
          CurrentAccess(x),
          a.size,
          GlobalMemory::kBase};
  VisitAll(now, a);
}

void CheckCollidingStores(Exec& x, const Inst& inst, bool global, const AccessLanes& a, const uint32_t* rows,
                          int vector, int cell_bytes) {
  if (a.contiguous || (a.mask & (a.mask - 1)) == 0 || Rising(a)) return;
  constexpr uint32_t kSlots = 64;
  int8_t slot[kSlots];
  __builtin_memset(slot, -1, sizeof(slot));
  const uint32_t shift = Log2(a.size);
  auto value_differs = [&](int l, int k) {
    const int element = a.size / vector;  // bytes of a cell that are stored
    for (int v = 0; v < vector; ++v) {
      const uint8_t* row = x.frame + rows[v];
      if (__builtin_memcmp(row + l * cell_bytes, row + k * cell_bytes, static_cast<size_t>(element)) != 0) return true;
    }
    return false;
  };
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t at = a.addresses[lane] + a.offset;
    uint32_t h = static_cast<uint32_t>((at >> shift) * 0x9E3779B97F4A7C15u >> 58);
    while (slot[h] >= 0 && a.addresses[slot[h]] != a.addresses[lane]) h = (h + 1) % kSlots;
    if (slot[h] < 0) {
      slot[h] = static_cast<int8_t>(lane);
    } else if (value_differs(lane, slot[h])) {
      AccessMeta meta = MakeMeta(inst.index, true, SyncKind::kPlain, shift, 0);
      ReportRace(x, inst, global, lane, at, a.size,
                 {WithLane(CurrentAccess(x), static_cast<uint32_t>(slot[h])), meta, true});
      return;
    }
  }
}

void BeforeStrongWrite(Exec& x, const Inst& inst, bool global, const AccessLanes& a) {
  if (x.launch->sync == nullptr) return;
  if ((inst.order & kRelease) != 0) {
    FenceExecuted(x, a.mask, (inst.order & kBlockScope) != 0 ? kBlockFence : kDeviceFence);
  }
  ForSyncWords(a, [&](uint64_t word, int lane) { x.launch->sync->OnWrite(x, SyncKey(x, global, word), lane); });
}

void AfterStrongRead(Exec& x, const Inst&, bool global, const AccessLanes& a) {
  if (x.launch->sync == nullptr) return;
  ForSyncWords(a, [&](uint64_t word, int) { x.launch->sync->OnRead(x, SyncKey(x, global, word)); });
}

}  // namespace warpgrade::emulator
