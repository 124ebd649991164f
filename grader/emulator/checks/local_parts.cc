// An address may be that of a variable of a caller, so the call that it belongs to is searched first. Tested by
// tests/emulator/exec/guarded_locals_test.cc.
#include "grader/emulator/checks/local_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/emulator/checks/place_name.h"

namespace warpgrade::emulator {
namespace {

using LocalPart = FunctionCode::LocalPart;

// The call whose local variables the address is among: the current one, or one that has not returned yet.
const Frame& FrameAt(const Warp& w, uint64_t address) {
  const Frame* frame = &CurrentFrame(w);
  while (address < frame->local_base && frame->return_join >= 0) {
    frame = &w.frames[static_cast<size_t>(w.joins[static_cast<size_t>(frame->return_join)].frame)];
  }
  return *frame;
}

// The last part that begins at the offset in the local frame or before it; nullptr if there is none.
const LocalPart* PartBefore(const FunctionCode& code, uint64_t at) {
  const auto after = std::upper_bound(code.parts.begin(), code.parts.end(), at,
                                      [](uint64_t a, const LocalPart& part) { return a < part.offset; });
  return after == code.parts.begin() ? nullptr : &*(after - 1);
}

uint64_t EndOf(const LocalPart& part) { return uint64_t{part.offset} + part.bytes; }

std::string Named(const LocalPart& part) {
  return fmt::format("{} ({})", part.name.empty() ? "a variable without a name" : part.name, Bytes(part.bytes));
}

}  // namespace

bool IsBetweenParts(const Warp& w, uint64_t address, int size) {
  const Frame& frame = FrameAt(w, address);
  const FunctionCode& code = *frame.code;
  const uint64_t at = address - frame.local_base;
  if (code.parts.empty() || at < code.guard_begin || at >= code.guard_end) return false;
  const LocalPart* const part = PartBefore(code, at);
  return part == nullptr || at + static_cast<uint64_t>(size) > EndOf(*part);
}

std::string MissedPart(const Warp& w, uint64_t address, int size) {
  const Frame& frame = FrameAt(w, address);
  const FunctionCode& code = *frame.code;
  const uint64_t at = address - frame.local_base;
  const LocalPart* const before = PartBefore(code, at);
  if (before != nullptr && at < EndOf(*before)) {
    return fmt::format("{} at byte {} of {}, past its end", Bytes(size), at - before->offset, Named(*before));
  }
  const LocalPart* const after = before == nullptr ? code.parts.data() : before + 1;
  const bool has_after = after < code.parts.data() + code.parts.size();
  // An index is more often too large than negative, and then by one more often than by two.
  const auto is_nearer = [&] { return 2 * (after->offset - at) < at - EndOf(*before); };
  if (before == nullptr || (has_after && is_nearer())) {
    return fmt::format("{} {} before the start of {}", Bytes(size), Bytes(after->offset - at), Named(*after));
  }
  if (at == EndOf(*before)) return fmt::format("{} just past the end of {}", Bytes(size), Named(*before));
  return fmt::format("{} {} past the end of {}", Bytes(size), Bytes(at - EndOf(*before)), Named(*before));
}

std::string LocalPlace(const Warp& w, uint64_t address, int element) {
  const Frame& frame = FrameAt(w, address);
  const uint64_t at = address - frame.local_base;
  const LocalPart* const part = PartBefore(*frame.code, at);
  if (part == nullptr || part->name.empty() || at >= EndOf(*part)) {
    if (!frame.code->parts.empty()) return "a byte of a thread's local variables";
    return fmt::format("byte {} of a thread's local arrays", address);
  }
  const uint64_t offset = at - part->offset, size = std::max<uint64_t>(1, static_cast<uint64_t>(element));
  const bool is_whole = offset % size == 0;
  return fmt::format("{} {} of {}", is_whole ? "element" : "byte", is_whole ? offset / size : offset, part->name);
}

}  // namespace warpgrade::emulator
