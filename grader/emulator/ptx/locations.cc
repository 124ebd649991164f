// Source positions. Covered by tests/emulator/ptx/locations_test.cc.
#include "grader/emulator/ptx/locations.h"

#include <algorithm>

namespace warpgrade::ptx {
namespace {

// Deeper chains than compilers make are cut, so that hostile text cannot make their total size quadratic.
constexpr size_t kMaxFrames = 128;

}  // namespace

size_t Locations::FrameHash::operator()(const SourceFrame& frame) const {
  uint64_t hash = static_cast<uint32_t>(frame.line);
  hash = hash * 0x9E3779B97F4A7C15u + static_cast<uint32_t>(frame.column);
  hash = hash * 0x9E3779B97F4A7C15u + static_cast<uint32_t>(frame.file);
  return hash ^ (hash >> 32);
}

void Locations::StartFunction() {
  latest_.clear();
  current_ = -1;
}

void Locations::Add(const SourceFrame& frame, const SourceFrame* inlined_at) {
  if (frame.line == 0) return;
  int32_t caller = -1;
  if (inlined_at != nullptr) {
    const auto found = latest_.find(*inlined_at);
    caller = found != latest_.end() ? found->second : Intern(*inlined_at, -1);
  }
  current_ = Intern(frame, caller);
  latest_[frame] = current_;
}

int32_t Locations::Intern(const SourceFrame& frame, int32_t caller) {
  const auto [place, is_new] = known_.try_emplace({frame.file, frame.line, frame.column, caller}, 0);
  if (!is_new) return place->second;
  std::vector<SourceFrame> chain = {frame};
  if (caller >= 0) {
    const std::vector<SourceFrame>& outer = chains_[caller];
    chain.insert(chain.end(), outer.begin(), outer.begin() + std::min(outer.size(), kMaxFrames - 1));
  }
  place->second = static_cast<int32_t>(chains_.size());
  chains_.push_back(std::move(chain));
  return place->second;
}

}  // namespace warpgrade::ptx
