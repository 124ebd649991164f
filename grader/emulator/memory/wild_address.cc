// Each story is a function that tells it, or "" when it does not fit; they are tried in the order of wild_address.h.
// Whether memory was freed is also told without words, since that is asked for each illegal access.
// Tested by tests/emulator/wild_address_test.cc.
#include "grader/emulator/memory/wild_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grader/emulator/memory/global_memory.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kNullReach = uint64_t{1} << 20;     // bytes around 0 that only an index on a null pointer reaches
constexpr uint64_t kFarNullReach = uint64_t{1} << 32;  // the same, when the kernel did get a null pointer
constexpr uint64_t kBeforeReach = uint64_t{1} << 16;   // bytes before a start that an index below 0 reaches
constexpr uint64_t kPointerReach = uint64_t{1} << 37;  // 2^32 elements of 16 bytes, and the same again
constexpr uint64_t kOverflowing = uint64_t{1} << 30;   // bytes: no index is wrong by so much unless it overflowed
constexpr uint64_t kMoreProbable = 16;  // how much farther away an array may be if the kernel has a pointer to it

std::string Bytes(uint64_t n) { return n == 1 ? "1 byte" : fmt::format("{} bytes", n); }

// The label of an array without a name is the function that allocated it.
std::string NameOf(const Allocation& a) { return (a.label.starts_with("cudaM") ? "an array from " : "") + a.label; }

std::string Named(const Allocation& a) { return fmt::format("{} ({})", NameOf(a), Bytes(a.bytes)); }

const char* Overflow(uint64_t distance) { return distance >= kOverflowing ? "; has an index overflowed?" : ""; }

std::string PastEnd(const Allocation& a, uint64_t address, uint64_t access_bytes) {
  const uint64_t end = a.base + a.bytes;
  if (address < end) {
    return fmt::format("{} into {}; the access goes {} past its end ({})", Bytes(address - a.base), NameOf(a),
                       Bytes(address + access_bytes - end), Bytes(a.bytes));
  }
  if (address == end) return "just past the end of " + Named(a);
  return fmt::format("{} past the end of {}{}", Bytes(address - end), Named(a), Overflow(address - end));
}

std::string BeforeStart(const Allocation& a, uint64_t address) {
  const uint64_t distance = a.base - address;
  return fmt::format("{} before the start of {}{}", Bytes(distance), Named(a), Overflow(distance));
}

bool PointsInto(uint64_t pointer, const Allocation& a) { return pointer - a.base < a.bytes; }

// One address and what lies around it.
class Story {
 public:
  Story(const MemoryMap& memory, uint64_t address, uint64_t access_bytes, std::span<const uint64_t> pointers)
      : memory_(memory), address_(address), access_bytes_(access_bytes), pointers_(pointers) {
    auto above = memory.live.upper_bound(address);
    if (above != memory.live.end()) above_ = &above->second;
    if (above != memory.live.begin()) below_ = &std::prev(above)->second;
  }

  bool IsFreed() const { return !IsNearNull() && !IsInGuard() && FreedAt() != nullptr; }

  std::string OfNullPointer() const {
    constexpr const char* kNull = "a null pointer: its array has 0 bytes, or was never allocated";
    if (!IsNearNull()) return "";
    if (address_ == 0) return kNull;
    const uint64_t below = ~address_ + 1;
    return below <= kNullReach ? fmt::format("{} before {}", Bytes(below), kNull)
                               : fmt::format("{} past {}", Bytes(address_), kNull);
  }

  // In the guard between two live allocations.
  std::string OfGuard() const {
    if (!IsInGuard()) return "";
    const uint64_t end = below_->base + below_->bytes;
    const uint64_t past = address_ - std::min(end, address_);
    if (past > 0 && above_ != nullptr && IsInReachBefore(*above_)) {
      if (Weight(*above_, above_->base - address_) < Weight(*below_, past)) return BeforeStart(*above_, address_);
    }
    return PastEnd(*below_, address_, access_bytes_);
  }

  std::string OfFreed() const {
    const Allocation* const a = FreedAt();
    return a == nullptr ? "" : fmt::format("{} into {}, which was freed", Bytes(address_ - a->base), Named(*a));
  }

  std::string OfStart() const {
    return above_ != nullptr && IsInReachBefore(*above_) ? BeforeStart(*above_, address_) : "";
  }

  // However far away: the nearest array to which the kernel has a pointer.
  std::string OfPointers() const {
    const Allocation* nearest = nullptr;
    uint64_t least = kPointerReach;
    for (uint64_t pointer : pointers_) {
      const Allocation* const a = LiveAt(pointer);
      if (a == nullptr || Distance(*a) >= least) continue;
      nearest = a;
      least = Distance(*a);
    }
    return nearest != nullptr ? At(*nearest) : "";
  }

  std::string OfHost() const {
    if (address_ - memory_.begin < memory_.end - memory_.begin) return "";
    return "an address outside of device memory (a host pointer, or a wrongly computed pointer)";
  }

  std::string OfNearest() const {
    if (below_ == nullptr && above_ == nullptr) return "an address that is not near any allocation";
    if (below_ == nullptr) return At(*above_);
    return At(above_ != nullptr && Distance(*above_) < Distance(*below_) ? *above_ : *below_);
  }

 private:
  bool IsNearNull() const {
    if (address_ < kNullReach || ~address_ + 1 <= kNullReach) return true;
    return address_ < kFarNullReach && std::find(pointers_.begin(), pointers_.end(), uint64_t{0}) != pointers_.end();
  }

  bool IsInGuard() const { return below_ != nullptr && address_ - below_->base < below_->room; }

  const Allocation* FreedAt() const {
    auto after = memory_.freed.upper_bound(address_);
    if (after == memory_.freed.begin()) return nullptr;
    const Allocation& a = std::prev(after)->second;
    return PointsInto(address_, a) ? &a : nullptr;
  }

  bool IsInReachBefore(const Allocation& a) const {
    return a.base - address_ <= (HasPointerTo(a) ? std::max(a.bytes, kBeforeReach) : kBeforeReach);
  }

  bool HasPointerTo(const Allocation& a) const {
    return std::any_of(pointers_.begin(), pointers_.end(), [&a](uint64_t p) { return PointsInto(p, a); });
  }

  // The less, the more probable.
  uint64_t Weight(const Allocation& a, uint64_t distance) const {
    return HasPointerTo(a) ? distance : distance * kMoreProbable;
  }

  const Allocation* LiveAt(uint64_t pointer) const {
    auto after = memory_.live.upper_bound(pointer);
    if (after == memory_.live.begin()) return nullptr;
    const Allocation& a = std::prev(after)->second;
    return PointsInto(pointer, a) ? &a : nullptr;
  }

  uint64_t Distance(const Allocation& a) const {
    return address_ < a.base ? a.base - address_ : address_ - std::min(a.base + a.bytes, address_);
  }

  std::string At(const Allocation& a) const {
    return address_ < a.base ? BeforeStart(a, address_) : PastEnd(a, address_, access_bytes_);
  }

  const MemoryMap& memory_;
  const uint64_t address_, access_bytes_;
  const std::span<const uint64_t> pointers_;
  const Allocation* below_ = nullptr;  // the live allocation that starts at or below the address
  const Allocation* above_ = nullptr;  // the next one
};

}  // namespace

bool IsFreedAddress(const MemoryMap& memory, uint64_t address, std::span<const uint64_t> pointers) {
  return Story(memory, address, 1, pointers).IsFreed();
}

WildAddress ExplainWildAddress(const MemoryMap& memory, uint64_t address, uint64_t access_bytes,
                               std::span<const uint64_t> pointers) {
  const Story story(memory, address, access_bytes, pointers);
  if (std::string where = story.OfNullPointer(); !where.empty()) return {where, false};
  if (std::string where = story.OfGuard(); !where.empty()) return {where, false};
  if (std::string where = story.OfFreed(); !where.empty()) return {where, true};
  for (auto tell : {&Story::OfStart, &Story::OfPointers, &Story::OfHost}) {
    if (std::string where = (story.*tell)(); !where.empty()) return {where, false};
  }
  return {story.OfNearest(), false};
}

}  // namespace warpgrade::emulator
