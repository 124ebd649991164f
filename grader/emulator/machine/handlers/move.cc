// Moves, packing and unpacking, special registers: PTX ISA "mov", "Special Registers". Tested by
// tests/emulator/exec/move_test.cc.
#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

template <typename T>
void Mov(Exec& x, const Inst& i) {
  const Storage<T>* a = Row<Storage<T>>(x, i.a);
  ForLanes<T>(x, i.dst, [=](int l) { return Get<T>(a[l]); });
}

// Packs {a, b} into 64 bits and unpacks them again; the same for two 16-bit parts in 32 bits, and for four 16-bit parts
// in 64 bits.
void Pack32(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  ForLanes<uint64_t>(x, i.dst, [=](int l) { return (static_cast<uint64_t>(b[l]) << 32) | a[l]; });
}
void Unpack32Low(Exec& x, const Inst& i) {
  const uint64_t* a = Row<uint64_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return static_cast<uint32_t>(a[l]); });
}
void Unpack32High(Exec& x, const Inst& i) {
  const uint64_t* a = Row<uint64_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return static_cast<uint32_t>(a[l] >> 32); });
}
void Pack16(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return (b[l] << 16) | (a[l] & 0xFFFF); });
}
// One 16-bit part, number Inst::part, of a 32-bit or 64-bit value.
void Unpack16From32(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const int shift = 16 * i.part;
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return (a[l] >> shift) & 0xFFFF; });
}
void Unpack16From64(Exec& x, const Inst& i) {
  const uint64_t* a = Row<uint64_t>(x, i.a);
  const int shift = 16 * i.part;
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return static_cast<uint32_t>(a[l] >> shift) & 0xFFFF; });
}
void Pack16To64(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  const uint32_t* d = Row<uint32_t>(x, i.d);
  ForLanes<uint64_t>(x, i.dst, [=](int l) {
    uint64_t low = (b[l] << 16) | (a[l] & 0xFFFF), high = (d[l] << 16) | (c[l] & 0xFFFF);
    return (high << 32) | low;
  });
}

// cvta: imm is the base of the space's address window, which this adds.
void AddWindow(Exec& x, const Inst& i) {
  const uint64_t* a = Row<uint64_t>(x, i.a);
  const uint64_t add = static_cast<uint64_t>(i.imm);
  ForLanes<uint64_t>(x, i.dst, [=](int l) { return a[l] + add; });
}
// isspacep. Global and constant memory share an address window, so the allocation decides whether an address is
// constant.
void IsSpace(Exec& x, const Inst& i) {
  const uint64_t* a = Row<uint64_t>(x, i.a);
  if (i.tested_space == TestedSpace::kGlobal || i.tested_space == TestedSpace::kConst) {
    uint32_t bits = 0;
    for (LaneMask m = x.mask; m != 0; m &= m - 1) {
      const int l = __builtin_ctz(m);
      const Allocation* at = x.launch->memory->Find(a[l]);
      const bool constant = at != nullptr && at->constant;
      const bool inside = i.tested_space == TestedSpace::kConst ? constant : a[l] >= GlobalMemory::kBase && !constant;
      bits |= static_cast<uint32_t>(inside) << l;
    }
    SetPredicate(x, i.dst, bits);
    return;
  }
  const uint64_t base = i.tested_space == TestedSpace::kLocal    ? kLocalWindow
                        : i.tested_space == TestedSpace::kShared ? kSharedWindow
                                                                 : kParamWindow;
  const uint64_t bytes = kWindowBytes;
  SetPredicate(x, i.dst, PredicateOf([=](int l) { return a[l] - base < bytes; }));
}

// The address of a variable in this call's local memory. imm is its offset in the frame.
void LocalAddress(Exec& x, const Inst& i) {
  uint64_t base =
      x.warp->frames[static_cast<size_t>(x.warp->fragments[static_cast<size_t>(x.warp->current)].frame)].local_base;
  uint64_t address = base + static_cast<uint64_t>(i.imm);
  ForLanes<uint64_t>(x, i.dst, [=](int) { return address; });
}

template <int kAxis>
void MovTid(Exec& x, const Inst& i) {
  const uint32_t* row = x.launch->warp_threads[static_cast<size_t>(x.warp->index)].tid[kAxis];
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return row[l]; });
}
enum class Uniform {
  kCtaIdX,
  kCtaIdY,
  kCtaIdZ,
  kNTidX,
  kNTidY,
  kNTidZ,
  kNCtaIdX,
  kNCtaIdY,
  kNCtaIdZ,
  kWarpId,
  kNWarpId,
  kDynamicShared,
  kTotalShared,
  kEnv1,
  kEnv2,
  kSmId,
  kNSmId,
  kReserved,
  kZero,
  kOne
};
// Long because it is a table: one case for each special register.
template <Uniform kWhich>
void MovUniform(Exec& x, const Inst& i) {
  const LaunchShared& s = *x.launch;
  uint32_t v = 0;
  switch (kWhich) {
    case Uniform::kCtaIdX:
      v = x.block->id.x;
      break;
    case Uniform::kCtaIdY:
      v = x.block->id.y;
      break;
    case Uniform::kCtaIdZ:
      v = x.block->id.z;
      break;
    case Uniform::kNTidX:
      v = s.block.x;
      break;
    case Uniform::kNTidY:
      v = s.block.y;
      break;
    case Uniform::kNTidZ:
      v = s.block.z;
      break;
    case Uniform::kNCtaIdX:
      v = s.grid.x;
      break;
    case Uniform::kNCtaIdY:
      v = s.grid.y;
      break;
    case Uniform::kNCtaIdZ:
      v = s.grid.z;
      break;
    case Uniform::kWarpId:
      v = static_cast<uint32_t>(x.warp->index);
      break;
    case Uniform::kNWarpId:
      v = 64;
      break;
    case Uniform::kDynamicShared:
      v = s.dynamic_shared_bytes;
      break;
    case Uniform::kTotalShared:
      v = s.shared_bytes;
      break;
    case Uniform::kEnv1:
      v = static_cast<uint32_t>(s.grid_workspace >> 32);
      break;
    case Uniform::kEnv2:
      v = static_cast<uint32_t>(s.grid_workspace);
      break;
    case Uniform::kSmId:
      v = static_cast<uint32_t>(x.block->linear % static_cast<uint64_t>(s.options->multiprocessors));
      break;
    case Uniform::kNSmId:
      v = static_cast<uint32_t>(s.options->multiprocessors);
      break;
    // Cooperative groups keep the barriers of tiles larger than a warp here.
    case Uniform::kReserved:
      v = s.reserved_shared;
      break;
    case Uniform::kZero:
      break;
    case Uniform::kOne:
      v = 1;
      break;
  }
  ForLanes<uint32_t>(x, i.dst, [=](int) { return v; });
}
void MovLaneId(Exec& x, const Inst& i) {
  ForLanes<uint32_t>(x, i.dst, [](int l) { return static_cast<uint32_t>(l); });
}
enum class LanesThat { kEq, kLt, kLe, kGt, kGe };
template <LanesThat kWhich>
void MovLaneMask(Exec& x, const Inst& i) {
  ForLanes<uint32_t>(x, i.dst, [](int l) {
    uint32_t own = 1u << l, below = own - 1;
    return kWhich == LanesThat::kEq   ? own
           : kWhich == LanesThat::kLt ? below
           : kWhich == LanesThat::kLe ? below | own
           : kWhich == LanesThat::kGt ? ~(below | own)
                                      : ~below;
  });
}
// A clock that counts reads of itself on this warp's host thread, so it never goes back.
template <typename T, int kShift = 0>
void MovClock(Exec& x, const Inst& i) {
  uint64_t now = ++x.clock >> kShift;
  ForLanes<T>(x, i.dst, [=](int) { return static_cast<T>(now); });
}

// Kernel parameters are the same for all lanes.
template <typename T, typename Out>
void LoadParam(Exec& x, const Inst& i) {
  const VectorOperand* vectors = x.vectors;
  const uint64_t at = static_cast<uint64_t>(i.imm), bytes = x.launch->parameters.size(), size = i.vector * sizeof(T);
  if (at > bytes || bytes - at < size) {  // only hand-written PTX can do this: compilers stay within the parameters
    if (x.mask == 0) return;
    Report(x, i, FindingKind::kOutOfBounds, __builtin_ctz(x.mask), kParamWindow + at, static_cast<int>(size),
           "read past the end of the kernel's parameters");
    return;
  }
  for (int k = 0; k < i.vector; ++k) {
    T v;
    __builtin_memcpy(&v, x.launch->parameters.data() + i.imm + k * static_cast<int>(sizeof(T)), sizeof(T));
    ForLanes<Out>(x, i.vector == 1 ? i.dst : vectors[i.vectors].rows[k], [=](int) { return static_cast<Out>(v); });
  }
}

#define UNIFORM(name, which) \
  { "mov." name, MovUniform<Uniform::which> }
const HandlerEntry kHandlers[] = {
    {"mov.b16", Mov<uint16_t>},
    {"mov.b32", Mov<uint32_t>},
    {"mov.b64", Mov<uint64_t>},
    {"pack.b32", Pack32},
    {"unpack.low.b32", Unpack32Low},
    {"unpack.high.b32", Unpack32High},
    {"pack.b16", Pack16},
    {"unpack.b16.b32", Unpack16From32},
    {"unpack.b16.b64", Unpack16From64},
    {"pack4.b16", Pack16To64},
    {"window.u64", AddWindow},
    {"isspacep", IsSpace},
    {"local.address", LocalAddress},
    {"mov.%tid.x", MovTid<0>},
    {"mov.%tid.y", MovTid<1>},
    {"mov.%tid.z", MovTid<2>},
    UNIFORM("%ctaid.x", kCtaIdX),
    UNIFORM("%ctaid.y", kCtaIdY),
    UNIFORM("%ctaid.z", kCtaIdZ),
    UNIFORM("%ntid.x", kNTidX),
    UNIFORM("%ntid.y", kNTidY),
    UNIFORM("%ntid.z", kNTidZ),
    UNIFORM("%nctaid.x", kNCtaIdX),
    UNIFORM("%nctaid.y", kNCtaIdY),
    UNIFORM("%nctaid.z", kNCtaIdZ),
    UNIFORM("%warpid", kWarpId),
    UNIFORM("%nwarpid", kNWarpId),
    UNIFORM("%dynamic_smem_size", kDynamicShared),
    UNIFORM("%total_smem_size", kTotalShared),
    UNIFORM("%envreg1", kEnv1),
    UNIFORM("%envreg2", kEnv2),
    UNIFORM("%smid", kSmId),
    UNIFORM("%nsmid", kNSmId),
    UNIFORM("%gridid", kZero),
    UNIFORM("%zero", kZero),
    UNIFORM("%one", kOne),
    UNIFORM("%reserved_smem_offset_1", kReserved),
    {"mov.%laneid", MovLaneId},
    {"mov.%lanemask_eq", MovLaneMask<LanesThat::kEq>},
    {"mov.%lanemask_lt", MovLaneMask<LanesThat::kLt>},
    {"mov.%lanemask_le", MovLaneMask<LanesThat::kLe>},
    {"mov.%lanemask_gt", MovLaneMask<LanesThat::kGt>},
    {"mov.%lanemask_ge", MovLaneMask<LanesThat::kGe>},
    {"mov.%clock", MovClock<uint32_t>},
    {"mov.%clock64", MovClock<uint64_t>},
    {"mov.%globaltimer", MovClock<uint64_t>},
    {"mov.%globaltimer_lo", MovClock<uint32_t>},
    {"mov.%clock_hi", MovClock<uint32_t, 32>},
    {"mov.%globaltimer_hi", MovClock<uint32_t, 32>},
    {"ld.kernelparam.u8", LoadParam<uint8_t, uint32_t>},
    {"ld.kernelparam.s8", LoadParam<int8_t, int32_t>},
    {"ld.kernelparam.u16", LoadParam<uint16_t, uint32_t>},
    {"ld.kernelparam.s16", LoadParam<int16_t, int32_t>},
    {"ld.kernelparam.u32", LoadParam<uint32_t, uint32_t>},
    {"ld.kernelparam.u64", LoadParam<uint64_t, uint64_t>},
    {"ld.kernelparam.u8.wide", LoadParam<uint8_t, uint64_t>},
    {"ld.kernelparam.s8.wide", LoadParam<int8_t, int64_t>},
    {"ld.kernelparam.u16.wide", LoadParam<uint16_t, uint64_t>},
    {"ld.kernelparam.s16.wide", LoadParam<int16_t, int64_t>},
    {"ld.kernelparam.u32.wide", LoadParam<uint32_t, uint64_t>},
    {"ld.kernelparam.s32.wide", LoadParam<int32_t, int64_t>},
};

}  // namespace

HandlerSpan MoveHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
