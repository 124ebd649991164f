// Control flow of a warp: divergence and reconvergence, calls and returns, exits. See execution.h for the model.
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Handlers.
void Branch(Exec& x, const Inst& i);         // bra
void BranchIndexed(Exec& x, const Inst& i);  // brx.idx: a = index row, table
void ReconvergenceMarker(Exec& x, const Inst& i);
void Call(Exec& x, const Inst& i);          // target = callee's function index, call site
void CallIndirect(Exec& x, const Inst& i);  // a = row of function addresses
void Return(Exec& x, const Inst& i);
void Exit(Exec& x, const Inst& i);

inline constexpr uint32_t kMaxLocalBytes = 512 * 1024;  // per thread, as on hardware
// Whether calls with so many bytes of local memory fit. `guards`: of these, bytes that only keep variables apart
// (program/guarded_locals.h). They do not count, but there is room for only as many again.
constexpr bool FitsLocalMemory(uint64_t bytes, uint64_t guards) {
  return bytes - guards <= kMaxLocalBytes && guards <= kMaxLocalBytes;
}
// The limit for the registers of all active calls of one warp. It is twice what 32 threads could spill to local memory,
// because PTX registers are virtual and outnumber the real ones.
inline constexpr uint64_t kMaxFrameBytes = uint64_t{2} * kLanes * kMaxLocalBytes;
// Calls a function with the lanes of `mask`, which are all of the current fragment.
void StartCall(Exec& x, const Inst& i, int32_t callee, LaneMask mask);
// Copies the arguments or results of a call between two parts of the local memory of each lane of `mask`.
void CopyLocal(Warp& w, const std::vector<CallSite::Copy>& copies, uint32_t from_base, uint32_t to_base, LaneMask mask);

// Makes each lane's local memory at least `need` bytes long.
void GrowLocal(Warp& warp, uint32_t need);

// Points x at the warp's fragment number `fragment`.
inline void EnterFragment(Exec& x, int32_t fragment) {
  Warp& w = *x.warp;
  w.current = fragment;
  const Fragment& f = w.fragments[static_cast<size_t>(fragment)];
  const Frame& frame = w.frames[static_cast<size_t>(f.frame)];
  x.frame = frame.registers;
  x.code = frame.code->code.data();
  x.vectors = frame.code->vectors.data();
  x.pc = f.pc;
  x.active = f.mask;
  x.gone = false;
}
// Writes x.pc back to the current fragment.
inline void LeaveFragment(Exec& x) { x.warp->fragments[static_cast<size_t>(x.warp->current)].pc = x.pc; }
// Moves `lanes`, a part of the current fragment, to a new fragment that continues at `pc`.
void SetAside(Exec& x, LaneMask lanes, int32_t pc);
// Splits the lanes of the current fragment. `stay` continues at x.pc; `away` becomes a fragment at `target`, which
// polls (wait_loop.h) if `polling` is true. The two meet again at the reconvergence point of `i`.
void Split(Exec& x, const Inst& i, LaneMask away, LaneMask stay, int32_t target, bool polling);
// Lanes that wait at the join of branch `i` for lanes of the current fragment continue without them. Returns false if
// none waited.
bool ReleaseOwnJoin(Exec& x, const Inst& i);
// Lanes that wait at joins of this warp continue without those that still spin elsewhere. Returns false if none waited.
bool ReleaseJoins(Warp& warp);
// Bytes of Frame::storage for a call of `code`, with room to align its registers to 64 bytes.
inline size_t FrameStorageBytes(const FunctionCode& code) { return size_t{code.frame_bytes} + 64; }
// Prepares a warp to run the kernel from its start.
void StartWarp(const LaunchShared& launch, Warp& warp, int32_t index);

}  // namespace warpgrade::emulator
