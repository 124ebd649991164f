// Arguments and results of functions that the machine executes itself, such as vprintf. They lie in the local memory of
// the caller.
#pragma once

#include <algorithm>
#include <cstring>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Reads an argument of a builtin call from the caller's local memory.
template <typename T>
T ArgumentOf(const Exec& x, const Inst& i, size_t number, int lane) {
  const Warp& w = *x.warp;
  const Frame& frame = w.frames[static_cast<size_t>(w.fragments[static_cast<size_t>(w.current)].frame)];
  const CallSite& site = frame.code->calls[i.call];
  T v{};
  if (number >= site.arguments.size()) return v;
  std::memcpy(
      &v, w.local.data() + static_cast<size_t>(lane) * w.local_stride + frame.local_base + site.arguments[number].from,
      std::min(sizeof(T), static_cast<size_t>(site.arguments[number].bytes)));
  return v;
}

// Writes the result of a builtin call to the caller's local memory.
template <typename T>
void ReturnFrom(Exec& x, const Inst& i, int lane, T value) {
  Warp& w = *x.warp;
  const Frame& frame = w.frames[static_cast<size_t>(w.fragments[static_cast<size_t>(w.current)].frame)];
  const CallSite& site = frame.code->calls[i.call];
  if (site.returns.empty()) return;
  const size_t bytes = std::min(sizeof(T), static_cast<size_t>(site.returns[0].bytes));
  const size_t at = static_cast<size_t>(lane) * w.local_stride + frame.local_base + site.returns[0].to;
  std::memcpy(w.local.data() + at, &value, bytes);
  if (!w.local_valid.empty()) std::memset(w.local_valid.data() + at, 1, bytes);
}

}  // namespace warpgrade::emulator
