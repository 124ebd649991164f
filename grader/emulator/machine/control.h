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
// Registers of all calls that one warp is in: what 32 threads could spill to local memory, and as much again, since
// those of PTX are virtual.
inline constexpr uint64_t kMaxFrameBytes = uint64_t{2} * kLanes * kMaxLocalBytes;
// Makes each lane's local memory at least `need` bytes long.
void GrowLocal(Warp& warp, uint32_t need);

// Points x at the warp's fragment number `fragment`.
void EnterFragment(Exec& x, int32_t fragment);
// Writes x.pc back to the current fragment.
void LeaveFragment(Exec& x);
// Moves `lanes` of the current fragment, not all of them, to a fragment of their own that goes on at `pc`.
void SetAside(Exec& x, LaneMask lanes, int32_t pc);
// Parts the lanes of the current fragment: `stay` goes on at x.pc, `away` becomes a fragment at `target`, polling (see
// wait_loop.h) or not. They meet again where `i` says.
void Split(Exec& x, const Inst& i, LaneMask away, LaneMask stay, int32_t target, bool polling);
// Lets lanes go on that wait at the join of branch `i` for lanes of the current fragment. False if none waited.
bool ReleaseOwnJoin(Exec& x, const Inst& i);
// Lets the lanes that wait at joins of this warp go on without those that still spin elsewhere. False if none waited.
bool ReleaseJoins(Warp& warp);
// Bytes of Frame::storage for a call of `code`: its registers start at a multiple of 64.
inline size_t FrameStorageBytes(const FunctionCode& code) { return size_t{code.frame_bytes} + 64; }
// Prepares a warp to run the kernel from its start.
void StartWarp(const LaunchShared& launch, Warp& warp, int32_t index);

}  // namespace warpgrade::emulator
