// Goes through the work backwards with the set of bytes that are still needed. Stores that change nothing are left out:
// lines of 128 bytes are compared with how this last saw them. What is kept has limits; work beyond them counts as
// needed. Tested by tests/cudart/device/answer_work_test.cc and row 27 of tests/attacks.
#include "grader/cudart/device/answer_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpgrade::cudart {
namespace {

using emulator::ByteRange;
using Ranges = AnswerWork::Ranges;

constexpr uint64_t kLine = 128;
constexpr uint64_t kMostMirrored = uint64_t{128} << 20;  // bytes
constexpr uint64_t kMostRanges = uint64_t{1} << 23;
// Ranges that are looked at to find out what made an answer: a few seconds. A program can have a hundred thousand
// pieces of work, each of which would be compared with millions of ranges.
constexpr uint64_t kMostSteps = uint64_t{1} << 27;
constexpr size_t kMostOfALaunch = size_t{1} << 18;  // emulator::TouchedMemory gives no more

void Append(const ByteRange& range, Ranges* to) {
  if (!to->empty() && to->back().end >= range.begin) {
    to->back().end = std::max(to->back().end, range.end);
  } else {
    to->push_back(range);
  }
}

// Stands for the device heap, of which nobody tells which bytes a launch used.
constexpr ByteRange kHeap = {1, 2};

// In rising order, each byte once.
Ranges Sorted(Ranges ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  Ranges sorted;
  for (const ByteRange& range : ranges) Append(range, &sorted);
  return sorted;
}

Ranges Union(const Ranges& a, const Ranges& b) {
  Ranges both;
  both.reserve(a.size() + b.size());
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    const bool from_a = j == b.end() || (i != a.end() && i->begin < j->begin);
    Append(from_a ? *i++ : *j++, &both);
  }
  return both;
}

Ranges Minus(const Ranges& from, const Ranges& what) {
  Ranges left;
  auto cut = what.begin();
  for (ByteRange range : from) {
    while (cut != what.end() && cut->end <= range.begin) ++cut;
    for (auto next = cut; next != what.end() && next->begin < range.end; ++next) {
      if (next->begin > range.begin) left.push_back({range.begin, next->begin});
      range.begin = std::min(range.end, next->end);
    }
    if (range.begin < range.end) left.push_back(range);
  }
  return left;
}

// They have a byte in common. Fast where `few` has few ranges.
bool Meet(const Ranges& few, const Ranges& many) {
  if (few.size() > many.size()) return Meet(many, few);
  return std::any_of(few.begin(), few.end(), [&many](const ByteRange& range) {
    const auto after = std::upper_bound(many.begin(), many.end(), range.begin,
                                        [](uint64_t begin, const ByteRange& other) { return begin < other.end; });
    return after != many.end() && after->begin < range.end;
  });
}

}  // namespace

AnswerWork::Work& AnswerWork::Next(Kind kind) {
  // Copies one after the other are one piece of work: a copy of a matrix has many rows.
  if (kind != Kind::kLaunch && !work_.empty() && work_.back().kind == kind) return work_.back();
  work_.emplace_back();
  work_.back().kind = kind;
  return work_.back();
}

void AnswerWork::Launched(size_t launch, const emulator::TouchedBytes& touched) {
  if (touched.heap) unclear_ = "its kernels use memory from malloc() or new";
  if (touched.waited) unclear_ = "a kernel waits for other work, so that both run at the same time";
  Work& work = Next(Kind::kLaunch);
  work.launch = launch;
  for (const emulator::ByteRanges* reads : {&touched.reads, &touched.strong_reads, &touched.strong_writes}) {
    work.reads = Union(work.reads, reads->all());  // an atomic reads what it writes
  }
  Ranges writes = Union(touched.writes.all(), touched.strong_writes.all());
  if (touched.heap) {
    work.reads.insert(work.reads.begin(), kHeap);
    writes.insert(writes.begin(), kHeap);
  }
  work.is_needed = !writes.empty() && writes.back().end > device_.HostWindow();
  work.writes = Changed(writes);
  ranges_ += work.reads.size() + work.writes.size();
  for (const emulator::ByteRanges* kind :
       {&touched.reads, &touched.writes, &touched.strong_reads, &touched.strong_writes}) {
    work.is_partly_known = work.is_partly_known || kind->size() >= kMostOfALaunch || ranges_ > kMostRanges;
  }
  if (!work.is_partly_known) return;
  work.reads = {{0, ~uint64_t{0}}};
  work.writes.clear();
}

void AnswerWork::Copied(uint64_t to, uint64_t from, uint64_t bytes, bool is_traffic) {
  if (bytes == 0) return;
  Work& work = Next(Kind::kCopies);
  if (is_traffic) work.copies.Store(to, bytes);
  if (is_traffic && from != 0) work.copies.Load(from, bytes);
  work.is_needed = work.is_needed || to >= device_.HostWindow();
  const Ranges changed = Changed({{to, to + bytes}});
  ranges_ += changed.size() + 1;
  if (ranges_ > kMostRanges) work.is_partly_known = true;
  if (work.is_partly_known) return;
  if (from != 0) work.reads.push_back({from, from + bytes});
  work.writes.insert(work.writes.end(), changed.begin(), changed.end());
}

void AnswerWork::CopiedToDevice(uint64_t to, uint64_t bytes) {
  if (bytes == 0) return;
  Next(Kind::kToDevice).writes.push_back({to, to + bytes});
  Forget(to, bytes);
}

void AnswerWork::CopiedToHost(uint64_t from, uint64_t bytes) {
  if (bytes != 0) Next(Kind::kToHost).reads.push_back({from, from + bytes});
}

AnswerWork::Mirror* AnswerWork::MirrorOf(const emulator::AllocationInfo& allocation) {
  const auto found = mirrors_.find(allocation.base);
  if (found != mirrors_.end() && found->second.sequence == allocation.sequence) return &found->second;
  if (mirrored_bytes_ + allocation.bytes > kMostMirrored) ForgetFreed();
  if (allocation.bytes == 0) return nullptr;
  if (mirrored_bytes_ + allocation.bytes > kMostMirrored) {
    unclear_ = fmt::format("it uses more than {} MB of device memory", kMostMirrored >> 20);
    return nullptr;
  }
  Mirror& mirror = mirrors_[allocation.base];
  mirrored_bytes_ += allocation.bytes - mirror.bytes.size();
  mirror.sequence = allocation.sequence;
  mirror.bytes.assign(allocation.bytes, 0);
  mirror.known.assign((allocation.bytes + kLine - 1) / kLine, false);
  return &mirror;
}

void AnswerWork::ForgetFreed() {
  for (auto mirror = mirrors_.begin(); mirror != mirrors_.end();) {
    const auto live = device_.FindAllocation(mirror->first);
    if (live && live->base == mirror->first && live->sequence == mirror->second.sequence) {
      ++mirror;
    } else {
      mirrored_bytes_ -= mirror->second.bytes.size();
      mirror = mirrors_.erase(mirror);
    }
  }
}

// Adds those parts of the range that lie in lines whose content is another one than before.
void AnswerWork::AddChanged(const ByteRange& range, Ranges* changed) {
  const auto allocation = device_.FindAllocation(range.begin);
  const bool is_inside = allocation && range.end - allocation->base <= allocation->bytes;
  // The host may have written the rest of a line of shared memory.
  Mirror* const mirror = is_inside && range.begin < device_.HostWindow() ? MirrorOf(*allocation) : nullptr;
  if (mirror == nullptr) return Append(range, changed);
  const uint64_t base = allocation->base;
  const uint64_t first = (range.begin - base) / kLine, past = (range.end - base + kLine - 1) / kLine;
  std::vector<uint8_t> now(std::min(past * kLine, allocation->bytes) - first * kLine);
  if (!device_.CopyFromDevice(now.data(), base + first * kLine, now.size()).ok()) return Append(range, changed);
  for (uint64_t line = first; line < past; ++line) {
    const uint64_t at = line * kLine, bytes = std::min(kLine, allocation->bytes - at);
    const uint8_t* const content = now.data() + (at - first * kLine);
    if (mirror->known[line] && std::memcmp(&mirror->bytes[at], content, bytes) == 0) continue;
    std::memcpy(&mirror->bytes[at], content, bytes);
    mirror->known[line] = true;
    Append({std::max(range.begin, base + at), std::min(range.end, base + at + bytes)}, changed);
  }
}

Ranges AnswerWork::Changed(const Ranges& writes) {
  Ranges changed;
  for (const ByteRange& range : writes) AddChanged(range, &changed);
  return changed;
}

void AnswerWork::Forget(uint64_t begin, uint64_t bytes) {
  auto found = mirrors_.upper_bound(begin);
  if (found == mirrors_.begin()) return;
  auto& [base, mirror] = *--found;
  const uint64_t first = (begin - base) / kLine;
  for (uint64_t line = first; line * kLine < begin - base + bytes && line < mirror.known.size(); ++line) {
    mirror.known[line] = false;
  }
}

AnswerWork::Made AnswerWork::Of(const std::vector<ByteRange>& answer) const {
  Made made;
  Ranges needed = Sorted(answer);
  uint64_t steps = 0;
  for (auto work = work_.rbegin(); work != work_.rend(); ++work) {
    steps += 1 + work->reads.size() + work->writes.size();
    if (steps > kMostSteps) {
      if (work->kind == Kind::kLaunch) made.launches.push_back(work->launch);
      if (work->kind == Kind::kCopies) made.copies.Add(work->copies);
      continue;
    }
    const Ranges reads = Sorted(work->reads), writes = Sorted(work->writes);
    const bool counts = work->kind == Kind::kToHost || work->is_needed || work->is_partly_known || Meet(writes, needed);
    if (!counts) continue;
    steps += needed.size();
    // What a copy wrote and another one of the same piece read is not needed from elsewhere, but may be.
    needed = Union(Minus(needed, writes), reads);
    if (work->kind == Kind::kLaunch) made.launches.push_back(work->launch);
    if (work->kind == Kind::kCopies) made.copies.Add(work->copies);
  }
  std::reverse(made.launches.begin(), made.launches.end());
  return made;
}

}  // namespace warpgrade::cudart
