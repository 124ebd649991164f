// Matrix instructions of a warp: wmma.load/store/mma, mma.sync, ldmatrix, stmatrix, movmatrix. They gather the
// fragments into plain matrices, multiply these, and scatter the result again.
//
// Precision: products of f16, bf16 and tf32 are exact in single precision. Sums start with c, go through k in order,
// and are rounded to nearest even in single precision at each step; f16 results are rounded once at the end. Hardware
// adds groups of products with truncation, so the last bits may differ. f64 is a chain of fused multiply-adds; integers
// are exact.
// Tested by tests/emulator/exec/matrix_test.cc.
#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/barrier.h"
#include "grader/emulator/machine/handlers/shared_access.h"
#include "grader/emulator/program/matrix_form.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

constexpr int kMostElements = 16 * 256;  // m16n8k256.b1

struct Shape {
  int rows, columns;
};
inline Shape ShapeOf(const MatrixForm& f, Fragment2D which) {
  switch (which) {
    case Fragment2D::kA:
      return {f.m, f.k};
    case Fragment2D::kB:
      return {f.k, f.n};
    default:
      return {f.m, f.n};
  }
}

// Where element `slot` of a lane's fragment lies in the matrix, as row * columns + column.
inline int PlaceOf(const MatrixForm& f, Fragment2D which, int bits, int lane, int slot) {
  const Shape s = ShapeOf(f, which);
  if (f.wmma) {
    const int each = s.rows * s.columns / kLanes, e = lane * each + slot % each;
    const bool by_columns = which == Fragment2D::kA ? f.a_by_columns : which == Fragment2D::kB && f.b_by_columns;
    return by_columns ? e % s.rows * s.columns + e / s.rows : e;
  }
  const int group = lane >> 2, thread = lane & 3;
  if (which == Fragment2D::kC) return (group + 8 * (slot >> 1)) * s.columns + thread * 2 + (slot & 1);
  const int each = bits >= 32 ? 1 : 32 / bits, reg = slot / each, part = slot % each;
  if (which == Fragment2D::kB) return (thread * each + part + reg * 4 * each) * s.columns + group;
  const int row = f.m == 16 ? group + 8 * (reg & 1) : group, block = f.m == 16 ? reg >> 1 : reg;
  return row * s.columns + thread * each + part + block * 4 * each;
}

inline uint64_t ReadSlot(const Exec& x, const VectorOperand& v, int bits, int lane, int slot) {
  if (bits == 64) return Row<uint64_t>(x, v.rows[slot])[lane];
  const int each = 32 / bits;
  const uint32_t word = Row<uint32_t>(x, v.rows[slot / each])[lane];
  return bits == 32 ? word : (word >> (bits * (slot % each))) & ((1u << bits) - 1);
}
inline void WriteSlot(const Exec& x, const VectorOperand& v, int bits, int lane, int slot, uint64_t value) {
  if (bits == 64) {
    Row<uint64_t>(x, v.rows[slot])[lane] = value;
    return;
  }
  const int each = 32 / bits, shift = bits * (slot % each);
  uint32_t& word = Row<uint32_t>(x, v.rows[slot / each])[lane];
  const uint32_t mask = bits == 32 ? ~0u : ((1u << bits) - 1) << shift;
  word = (word & ~mask) | ((static_cast<uint32_t>(value) << shift) & mask);
}

template <typename V>
inline V Decode(Element e, uint64_t bits) {
  switch (e) {
    case Element::kF16:
      return static_cast<V>(static_cast<float>(__builtin_bit_cast(_Float16, static_cast<uint16_t>(bits))));
    case Element::kBF16:
      return static_cast<V>(__builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16));
    case Element::kTF32:
      return static_cast<V>(__builtin_bit_cast(float, static_cast<uint32_t>(bits) & 0xFFFFE000u));
    case Element::kF32:
      return static_cast<V>(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
    case Element::kF64:
      return static_cast<V>(__builtin_bit_cast(double, bits));
    case Element::kS8:
      return static_cast<V>(static_cast<int8_t>(bits));
    case Element::kS4:
      return static_cast<V>(static_cast<int8_t>(bits << 4) >> 4);
    case Element::kS32:
      return static_cast<V>(static_cast<int32_t>(bits));
    default:
      return static_cast<V>(static_cast<uint32_t>(bits));
  }
}
inline uint64_t Encode(Element e, float v) {
  if (e == Element::kF16) {
    return v != v ? 0x7FFF : __builtin_bit_cast(uint16_t, static_cast<_Float16>(v));
  }
  return v != v ? 0x7FFFFFFF : __builtin_bit_cast(uint32_t, v);
}
inline uint64_t Encode(Element, double v) { return __builtin_bit_cast(uint64_t, v); }
inline uint64_t Encode(Element, int64_t v) { return static_cast<uint32_t>(v); }

template <typename V>
inline void Gather(const Exec& x, const MatrixForm& f, Fragment2D which, Element e, const VectorOperand& v,
                   int registers, V* matrix) {
  const int bits = BitsOf(e), slots = bits == 64 ? registers : registers * 32 / bits;
  const Shape s = ShapeOf(f, which);
  const int distinct = f.wmma ? s.rows * s.columns / kLanes : slots;
  for (int slot = 0; slot < slots && slot < distinct; ++slot) {
    for (int l = 0; l < kLanes; ++l) {
      matrix[PlaceOf(f, which, bits, l, slot)] = Decode<V>(e, ReadSlot(x, v, bits, l, slot));
    }
  }
}

// All lanes of the warp must take part. Returns true if they are all here.
inline bool Assemble(Exec& x, const Inst& i) {
  if (x.mask == 0 || !GatherLanes(x, i, kAllLanes)) return false;
  if (x.mask != kAllLanes) {
    Report(x, i, FindingKind::kBadShuffleMask, __builtin_ctz(x.mask), 0, 0,
           "a matrix instruction needs all 32 lanes of the warp, and some of them have exited or do not exist");
  }
  return true;
}

inline MatrixForm FormOf(const Exec& x, const Inst& i) {
  MatrixForm f;
  __builtin_memcpy(static_cast<void*>(&f), &x.vectors[i.vectors + 4], sizeof(f));
  return f;
}

template <typename V>
inline V MultiplyAdd(V a, V b, V c) {
  if constexpr (sizeof(V) == 8 && V(0.5) != V(0)) {
    return static_cast<V>(__builtin_fma(a, b, c));
  } else {
    return a * b + c;
  }
}

// V is the type of the products and sums.
template <typename V>
void Mma(Exec& x, const Inst& i) {
  if (!Assemble(x, i)) return;
  x.owed += kMatrixCosts;
  const MatrixForm f = FormOf(x, i);
  const VectorOperand* v = &x.vectors[i.vectors];
  V a[kMostElements], b[kMostElements], sum[512];
  Gather(x, f, Fragment2D::kA, f.a, v[1], f.a_registers, a);
  Gather(x, f, Fragment2D::kB, f.b, v[2], f.b_registers, b);
  Gather(x, f, Fragment2D::kC, f.c, v[3], f.c_registers, sum);
  const int m = f.m, n = f.n, k = f.k;
  if (f.a == Element::kB1) {
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < n; ++c) {
        V count = 0;
        for (int p = 0; p < k; ++p) {
          const bool bit_a = a[r * k + p] != 0, bit_b = b[p * n + c] != 0;
          count += (f.exclusive_or ? bit_a != bit_b : bit_a && bit_b) ? V(1) : V(0);
        }
        sum[r * n + c] += count;
      }
    }
  } else {
    for (int r = 0; r < m; ++r) {
      V* row = sum + r * n;
      for (int p = 0; p < k; ++p) {
        const V factor = a[r * k + p];
        const V* from = b + p * n;
#pragma GCC ivdep
        for (int c = 0; c < n; ++c) row[c] = MultiplyAdd(factor, from[c], row[c]);
      }
    }
  }
  if constexpr (sizeof(V) == 8 && V(0.5) == V(0)) {
    for (int e = 0; f.saturate && e < m * n; ++e) {
      sum[e] = sum[e] > INT32_MAX ? INT32_MAX : sum[e] < INT32_MIN ? INT32_MIN : sum[e];
    }
  }
  const int bits = BitsOf(f.d), slots = bits == 64 ? f.d_registers : f.d_registers * 32 / bits;
  for (int slot = 0; slot < slots; ++slot) {
    for (LaneMask left = x.mask; left != 0; left &= left - 1) {
      const int l = __builtin_ctz(left);
      WriteSlot(x, v[0], bits, l, slot, Encode(f.d, sum[PlaceOf(f, Fragment2D::kC, bits, l, slot)]));
    }
  }
}

// One access of `bytes` at each lane's address. Afterwards the addresses of shared memory are relative to it. Returns
// the lanes that may access, and in `host` where their bytes are.
inline LaneMask Access(Exec& x, const Inst& i, const MatrixForm& f, uint64_t* addresses, LaneMask mask, int bytes,
                       uint8_t** host) {
  const AccessKind kind = f.store ? AccessKind::kWrite : AccessKind::kRead;
  LaneMask shared = f.space >= 2 ? mask : 0;
  if (f.space == 0) {
    for (LaneMask m = mask; m != 0; m &= m - 1) {
      const int l = __builtin_ctz(m);
      if (addresses[l] - kSharedWindow >= kWindowBytes) continue;
      addresses[l] -= kSharedWindow;
      shared |= 1u << l;
    }
  }
  LaneMask global = mask & ~shared;
  AddressSpan span;
  if (shared != 0) shared = EnterShared(x, i, addresses, 0, shared, bytes, kind, &span);
  if (global != 0) global = EnterGlobal(x, i, addresses, 0, global, bytes, kind, &span);
  for (LaneMask m = shared | global; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    host[l] = (shared >> l) & 1 ? x.block->shared.data() + addresses[l] : x.launch->memory->Host(addresses[l]);
  }
  return shared | global;
}

inline uint64_t AddressOf(const Exec& x, const Inst& i, const MatrixForm& f, int lane) {
  return f.space == 3 ? uint64_t{Row<uint32_t>(x, i.a)[lane] + static_cast<uint32_t>(i.imm)}
                      : Row<uint64_t>(x, i.a)[lane] + static_cast<uint64_t>(i.imm);
}

// wmma.load and wmma.store: a = address, b = stride in elements (no stride: the matrix is dense).
void Fragments(Exec& x, const Inst& i) {
  if (!Assemble(x, i)) return;
  const MatrixForm f = FormOf(x, i);
  const VectorOperand& v = x.vectors[i.vectors];
  const Element e = f.a;
  const int bits = BitsOf(e), registers = f.a_registers, slots = bits == 64 ? registers : registers * 32 / bits;
  const Shape s = ShapeOf(f, f.fragment);
  const int each = s.rows * s.columns / kLanes, first = __builtin_ctz(x.mask);
  const int64_t stride =
      i.has_stride ? static_cast<int64_t>(Row<int32_t>(x, i.b)[first]) : (f.memory_by_columns ? s.rows : s.columns);
  const uint64_t base = AddressOf(x, i, f, first);
  const bool by_columns =
      f.fragment == Fragment2D::kA ? f.a_by_columns : f.fragment == Fragment2D::kB && f.b_by_columns;
  // Elements of a lane that are adjacent in memory move together, at most 16 bytes at a time.
  const bool runs = by_columns == f.memory_by_columns;
  const int most = bits >= 128 ? 1 : 128 / bits, chunk = runs ? (each < most ? each : most) : (bits < 8 ? 0 : 1);
  if (chunk == 0 || chunk * bits < 8) {
    Report(x, i, FindingKind::kUnsupported, first, 0, 0,
           "elements of less than a byte in another order than the fragment's");
    return;
  }
  const int bytes = chunk * bits / 8;
  for (int slot = 0; slot < each; slot += chunk) {
    uint64_t addresses[kLanes];
    uint8_t* host[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      const int place = PlaceOf(f, f.fragment, bits, l, slot), row = place / s.columns, column = place % s.columns;
      const int64_t element = f.memory_by_columns ? column * stride + row : row * stride + column;
      addresses[l] = base + static_cast<uint64_t>(element * bits / 8);
    }
    const LaneMask legal = Access(x, i, f, addresses, x.mask, bytes, host);
    for (LaneMask m = legal; m != 0; m &= m - 1) {
      const int l = __builtin_ctz(m);
      uint8_t data[16] = {};
      if (!f.store) __builtin_memcpy(data, host[l], static_cast<size_t>(bytes));
      for (int c = 0; c < chunk; ++c) {
        const int at = c * bits, size = bits < 8 ? 1 : bits / 8;
        if (f.store) {
          uint64_t value = ReadSlot(x, v, bits, l, slot + c);
          if (bits < 8) {
            data[at / 8] = static_cast<uint8_t>(data[at / 8] | (value << (at % 8)));
          } else {
            __builtin_memcpy(data + at / 8, &value, static_cast<size_t>(size));
          }
          continue;
        }
        uint64_t value = 0;
        __builtin_memcpy(&value, data + at / 8, static_cast<size_t>(size));
        if (bits < 8) value = (value >> (at % 8)) & ((1u << bits) - 1);
        for (int again = slot + c; again < slots; again += each) WriteSlot(x, v, bits, l, again, value);
      }
      if (f.store) __builtin_memcpy(host[l], data, static_cast<size_t>(bytes));
    }
  }
}

// ldmatrix, stmatrix: 8x8 matrices of 16-bit elements. Lane 8*m + r has the address of row r of matrix m; lane l holds
// elements 2*(l%4) and the next of row l/4, or of column l/4 when transposed.
void Rows8x8(Exec& x, const Inst& i) {
  if (!Assemble(x, i)) return;
  const MatrixForm f = FormOf(x, i);
  const VectorOperand& v = x.vectors[i.vectors];
  const int count = f.matrices;
  const LaneMask owners = count == 4 ? kAllLanes : (1u << (8 * count)) - 1;
  uint64_t addresses[kLanes];
  uint8_t* host[kLanes];
  for (int l = 0; l < kLanes; ++l) addresses[l] = AddressOf(x, i, f, l);
  const LaneMask legal = Access(x, i, f, addresses, owners & x.mask, 16, host);
  uint16_t rows[kLanes][8] = {};
  if (!f.store) {
    for (LaneMask m = legal; m != 0; m &= m - 1) __builtin_memcpy(rows[__builtin_ctz(m)], host[__builtin_ctz(m)], 16);
  }
  for (int matrix = 0; matrix < count; ++matrix) {
    for (LaneMask m = x.mask; m != 0; m &= m - 1) {
      const int l = __builtin_ctz(m);
      uint32_t& word = Row<uint32_t>(x, v.rows[matrix])[l];
      if (!f.store) word = 0;
      for (int part = 0; part < 2; ++part) {
        const int along = 2 * (l & 3) + part, across = l >> 2;
        uint16_t& cell = f.transpose ? rows[8 * matrix + along][across] : rows[8 * matrix + across][along];
        if (f.store) {
          cell = static_cast<uint16_t>(word >> (16 * part));
        } else {
          word |= static_cast<uint32_t>(cell) << (16 * part);
        }
      }
    }
  }
  if (f.store) {
    for (LaneMask m = legal; m != 0; m &= m - 1) __builtin_memcpy(host[__builtin_ctz(m)], rows[__builtin_ctz(m)], 16);
  }
}

// movmatrix: an 8x8 matrix of 16-bit elements transposed across the warp.
void MovMatrix(Exec& x, const Inst& i) {
  if (!Assemble(x, i)) return;
  const uint32_t* a = Row<uint32_t>(x, i.a);
  uint32_t* d = Row<uint32_t>(x, i.dst);
  uint16_t cells[8][8];
  for (int l = 0; l < kLanes; ++l) {
    cells[l >> 2][2 * (l & 3)] = static_cast<uint16_t>(a[l]);
    cells[l >> 2][2 * (l & 3) + 1] = static_cast<uint16_t>(a[l] >> 16);
  }
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    d[l] = static_cast<uint32_t>(cells[2 * (l & 3)][l >> 2]) |
           (static_cast<uint32_t>(cells[2 * (l & 3) + 1][l >> 2]) << 16);
  }
}

const HandlerEntry kHandlers[] = {
    {"mma.float", Mma<float>},    {"mma.f64", Mma<double>}, {"mma.integer", Mma<int64_t>},
    {"wmma.fragment", Fragments}, {"matrix.rows", Rows8x8}, {"movmatrix.b16", MovMatrix},
};

}  // namespace

HandlerSpan MatrixHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
