// The two halves of a wavefront as one. Tested by tests/emulator/exec/wave_test.cc.
#include "grader/emulator/machine/wave.h"

#include "grader/emulator/machine/control.h"

namespace warpgrade::emulator {

Wave::Wave(Block& block, size_t number) {
  warps_[0] = &block.warps[2 * number];
  if (2 * number + 1 < block.warps.size()) warps_[1] = &block.warps[2 * number + 1];
}

WaveMask Wave::Active() const {
  WaveMask active;
  for (size_t h = 0; h < halves(); ++h) active.half[h] = Current(h).mask;
  return active;
}

WaveMask Wave::Guarded(const Inst& i) const {
  WaveMask on = Active();
  if (i.guard < 0) return on;
  for (size_t h = 0; h < halves(); ++h) {
    const Frame& frame = half(h).frames[static_cast<size_t>(Current(h).frame)];
    LaneMask p = 0;
    __builtin_memcpy(&p, frame.registers + i.guard, sizeof(p));
    on.half[h] &= i.guard_negated ? ~p : p;
  }
  return on;
}

void Wave::SetActive(const WaveMask& mask) const {
  for (size_t h = 0; h < halves(); ++h) Current(h).mask = mask.half[h];
}

void Wave::SetState(FragmentState state) const {
  for (size_t h = 0; h < halves(); ++h) Current(h).state = state;
}

void Wave::Enter(Exec& x, int32_t fragment) const {
  for (size_t h = 0; h < halves(); ++h) half(h).current = fragment;
  x.warp = warps_[0];
  EnterFragment(x, fragment);
}

void Wave::EnterHalf(Exec& x, size_t h, LaneMask mask) const {
  x.warp = warps_[h];
  const Fragment& f = Current(h);
  x.frame = x.warp->frames[static_cast<size_t>(f.frame)].registers;
  x.active = f.mask;
  x.mask = mask;
}

void Wave::Leave(const Exec& x) const {
  for (size_t h = 0; h < halves(); ++h) Current(h).pc = x.pc;
}

void Wave::NewFragment(const Fragment& like, const WaveMask& mask) const {
  const std::vector<Fragment>& fragments = half(0).fragments;
  size_t at = 0;
  while (at < fragments.size() && fragments[at].state != FragmentState::kDone) ++at;
  for (size_t h = 0; h < halves(); ++h) {
    std::vector<Fragment>& own = half(h).fragments;
    if (at == own.size()) own.emplace_back();
    own[at] = like;
    own[at].mask = mask.half[h];
  }
}

}  // namespace warpgrade::emulator
