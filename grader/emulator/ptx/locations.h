// Builds Module::locations, without duplicates, from the .loc directives of each function.
//
// nvcc writes the frames of inlined code one after another, outermost first, each pointing at the one before it:
//   .loc 1 31 3
//   .loc 2 20 5, function_name $L__info_string1, inlined_at 1 31 3
//   .loc 3 9 8, function_name $L__info_string2, inlined_at 2 20 5
// so a chain is the frame itself, then the chain of the latest .loc at the inlined_at position.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::ptx {

class Locations {
 public:
  // Forgets the positions of the previous function. The locations stay.
  void StartFunction();
  // A .loc: `inlined_at` is null when it has none. Line 0 means "no new line" and changes nothing.
  void Add(const SourceFrame& frame, const SourceFrame* inlined_at);
  // Index of the location now in force, -1 before the first .loc of the function.
  int32_t current() const { return current_; }
  std::vector<std::vector<SourceFrame>> Take() { return std::move(chains_); }

 private:
  struct FrameHash {
    size_t operator()(const SourceFrame& frame) const;
  };
  // The location of `frame` called from location `caller` (-1: no caller).
  int32_t Intern(const SourceFrame& frame, int32_t caller);

  std::vector<std::vector<SourceFrame>> chains_;
  std::map<std::tuple<int32_t, int32_t, int32_t, int32_t>, int32_t> known_;  // file, line, column, caller
  std::unordered_map<SourceFrame, int32_t, FrameHash> latest_;
  int32_t current_ = -1;
};

}  // namespace warpgrade::ptx
