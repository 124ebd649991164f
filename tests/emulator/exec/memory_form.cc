#include "tests/emulator/exec/memory_form.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/narrow_float.h"

namespace warpgrade::emulator {
namespace {

constexpr uint32_t kArenaBytes = 1024;
constexpr int kLaneCount = 32;

struct Cell {
  const char* spelling;  // PTX type
  const char* key;       // the handler's
  int bytes;
  bool is_signed, wide;  // wide: into a 64-bit register
};
constexpr Cell kLoadCells[] = {
    {"u8", "u8", 1, false, false},       {"s8", "s8", 1, true, false},       {"b16", "u16", 2, false, false},
    {"s16", "s16", 2, true, false},      {"f32", "u32", 4, false, false},    {"s32", "u32", 4, false, false},
    {"f64", "u64", 8, false, true},      {"u8", "u8.wide", 1, false, true},  {"s8", "s8.wide", 1, true, true},
    {"u16", "u16.wide", 2, false, true}, {"s16", "s16.wide", 2, true, true}, {"u32", "u32.wide", 4, false, true},
    {"s32", "s32.wide", 4, true, true}};
constexpr Cell kStoreCells[] = {{"s8", "u8", 1, false, false},   {"b16", "u16", 2, false, false},
                                {"f32", "u32", 4, false, false}, {"b64", "u64", 8, false, true},
                                {"u8", "u8", 1, false, true},    {"u32", "u32", 4, false, true}};
constexpr int kVectors[] = {1, 2, 4};

std::string VectorName(int vector) { return vector == 1 ? "" : ".v" + std::to_string(vector); }

// Which cell each lane accesses, and which lanes take part.
struct Pattern {
  const char* name;
  std::function<uint32_t(uint32_t)> cell;
  uint32_t mask;
};
const std::vector<Pattern>& Patterns() {
  static const auto* patterns = new std::vector<Pattern>{
      {"a run", [](uint32_t l) { return l; }, 0xFFFFFFFF},
      {"permuted", [](uint32_t l) { return l * 7 % 32; }, 0xFFFFFFFF},
      {"reversed, some lanes off", [](uint32_t l) { return 31 - l; }, 0xA5F0137E},
      {"a run, some lanes off", [](uint32_t l) { return l; }, 0x0FFFFFF0},
      {"all the same, one lane", [](uint32_t) { return 3u; }, 0x00010000},
  };
  return *patterns;
}

std::vector<uint8_t> Noise(size_t bytes, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<uint8_t> v(bytes);
  for (uint8_t& b : v) b = static_cast<uint8_t>(rng());
  return v;
}

// Parameters: p0 output, p1 offset of each lane, p2 whether it takes part, p3 bytes that fill the arena first. Leaves
// the lane's address in %addr (or %addr32), its flag in %p1, and every lane's arena filled.
std::string Prologue(const MemorySpace& space, int offset) {
  std::string text =
      ".reg .b64 %base, %addr, %fill; .reg .b32 %base32, %addr32;\n.local .align 32 .b8 local_arena[1024];\n";
  text += std::string(space.base) + "\n";
  // Shared and global: one copy, by thread 0 for all. Local: each thread its own.
  text += "mov.u32 %r20, 0;\nFILL:\n" +
          std::string("cvt.u64.u32 %rd20, %r20; add.u64 %rd21, %rd3, %rd20; ld.global.u8 %r21, [%rd21];\n");
  if (space.narrow) {
    text += "add.u32 %r22, %base32, %r20; st.shared.u8 [%r22], %r21;\n";
  } else {
    text += "add.u64 %fill, %base, %rd20; st" + std::string(space.modifier) + ".u8 [%fill], %r21;\n";
  }
  text += "add.u32 %r20, %r20, 1; setp.lt.u32 %p9, %r20, " + std::to_string(kArenaBytes) +
          "; @%p9 bra FILL;\nbar.sync 0;\n";
  text += "ld.global.u32 %r23, [%at1]; ld.global.u32 %r24, [%at2]; setp.ne.u32 %p1, %r24, 0;\n";
  // The instruction adds `offset` back.
  if (space.narrow) {
    text += "add.u32 %addr32, %base32, %r23; sub.u32 %addr32, %addr32, " + std::to_string(offset) + ";\n";
  } else {
    text +=
        "cvt.u64.u32 %rd22, %r23; add.u64 %addr, %base, %rd22; sub.u64 %addr, %addr, " + std::to_string(offset) + ";\n";
  }
  return text;
}

std::string Address(const MemorySpace& space, int offset) {
  return std::string(space.narrow ? "[%addr32" : "[%addr") + "+" + std::to_string(offset) + "]";
}

std::string Module(const std::string& body) {
  return Kernel(body, ".global .align 32 .b8 arena[1024];\n.shared .align 32 .b8 shared_arena[1024];\n");
}

std::string Registers(const std::string& prefix, int count) {
  std::string list;
  for (int k = 0; k < count; ++k) list += (k > 0 ? ", " : "") + prefix + std::to_string(k + 10);
  return count == 1 ? list : "{" + list + "}";
}

struct Setup {
  std::vector<uint32_t> offsets, flags;
  std::vector<uint8_t> bytes;
};
Setup Prepare(const Pattern& pattern, int size, unsigned seed) {
  Setup s;
  for (uint32_t l = 0; l < kLaneCount; ++l) {
    s.offsets.push_back(pattern.cell(l) * static_cast<uint32_t>(size));
    s.flags.push_back(pattern.mask >> l & 1);
  }
  s.bytes = Noise(kArenaBytes, seed);
  return s;
}

std::vector<uint64_t> Run(const std::string& ptx, const Setup& s, size_t words) {
  KernelHarness harness;
  harness.Load(ptx);
  DevicePtr out = harness.Allocate(words * 8);
  Ran ran = harness.Launch({1}, {kLaneCount},
                           {out, harness.Upload(s.offsets), harness.Upload(s.flags), harness.Upload(s.bytes)});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  for (const Finding& f : ran.findings) {
    // Every thread fills shared memory with the same bytes: a race, but a harmless one.
    EXPECT_EQ(f.kind, FindingKind::kSharedRace) << f.message;
  }
  return harness.Download<uint64_t>(out, words);
}

uint64_t Extended(const uint8_t* bytes, const Cell& c) {
  uint64_t v = 0;
  std::memcpy(&v, bytes, static_cast<size_t>(c.bytes));
  if (c.is_signed && (v >> (8 * c.bytes - 1) & 1)) v |= ~uint64_t{0} << (8 * c.bytes);
  return c.wide ? v : v & 0xFFFFFFFF;
}

constexpr uint64_t kOld = 0x77777777;

void CheckLoad(const MemorySpace& space, const Cell& cell, int vector) {
  const int size = cell.bytes * vector, offset = size;  // a multiple, so that alignment stays
  std::string r = cell.wide ? "%rd" : "%r", bits = cell.wide ? "b64" : "b32";
  std::string body = Prologue(space, offset) + "mul.wide.u32 %rd24, %t, 32; add.u64 %rd24, %rd24, %rd0;\n";
  for (int k = 0; k < vector; ++k) body += "mov." + bits + " " + r + std::to_string(k + 10) + ", 0x77777777;\n";
  body += "@%p1 ld" + std::string(space.modifier) + VectorName(vector) + "." + cell.spelling + " " +
          Registers(r, vector) + ", " + Address(space, offset) + ";\n";
  for (int k = 0; k < vector; ++k) {
    body += "st.global." + bits + " [%rd24+" + std::to_string(8 * k) + "], " + r + std::to_string(k + 10) + ";\n";
  }
  const std::string ptx = Module(body);
  const std::string key = std::string("ld") + space.key + VectorName(vector) + "." + cell.key;
  SCOPED_TRACE(key + " in " + space.name);
  EXPECT_TRUE(Reaches(ptx, key));
  for (const Pattern& pattern : Patterns()) {
    SCOPED_TRACE(pattern.name);
    Setup s = Prepare(pattern, size, 1);
    std::vector<uint64_t> got = Run(ptx, s, 4 * kLaneCount);
    for (size_t l = 0; l < kLaneCount; ++l) {
      for (size_t k = 0; k < static_cast<size_t>(vector); ++k) {
        const uint8_t* at = s.bytes.data() + s.offsets[l] + k * static_cast<size_t>(cell.bytes);
        ASSERT_EQ(got[4 * l + k], s.flags[l] ? Extended(at, cell) : kOld) << "lane " << l << " element " << k;
      }
    }
  }
}

// What a lane stores as element k.
uint64_t Stored(uint32_t lane, int k) {
  return 0x0123456789ABCDEF * (lane + 1) + static_cast<uint64_t>(k) * 0x1111111111111111;
}

void CheckStore(const MemorySpace& space, const Cell& cell, int vector) {
  const int size = cell.bytes * vector, offset = size;
  const bool local = std::string(space.base).find("local") != std::string::npos;
  std::string r = cell.wide ? "%rd" : "%r";
  std::string body = Prologue(space, offset);
  body += "cvt.u64.u32 %rd24, %t; add.u64 %rd24, %rd24, 1; mul.lo.u64 %rd24, %rd24, 0x0123456789ABCDEF;\n";
  for (int k = 0; k < vector; ++k) {
    std::string n = std::to_string(k + 10);
    body += "add.u64 %rd" + n + ", %rd24, 0x" + std::string(16, static_cast<char>('0' + k)) + "; cvt.u32.u64 %r" + n +
            ", %rd" + n + ";\n";
  }
  body += "@%p1 st" + std::string(space.modifier) + VectorName(vector) + "." + cell.spelling + " " +
          Address(space, offset) + ", " + Registers(r, vector) + ";\nbar.sync 0;\n";
  // Read back the first 512 bytes: lane l's copy of them to row l.
  body +=
      "mul.wide.u32 %rd25, %t, 1024; add.u64 %rd25, %rd25, %rd0; mov.u32 %r20, 0;\nBACK: cvt.u64.u32 %rd26, %r20;\n";
  if (space.narrow) {
    body += "add.u32 %r22, %base32, %r20; ld.shared.u8 %r21, [%r22];\n";
  } else {
    body += "add.u64 %rd27, %base, %rd26; ld" + std::string(space.modifier) + ".u8 %r21, [%rd27];\n";
  }
  body +=
      "add.u64 %rd27, %rd25, %rd26; st.global.u8 [%rd27], %r21; add.u32 %r20, %r20, 1; setp.lt.u32 %p9, %r20, 1024; "
      "@%p9 bra BACK;\n";
  const std::string ptx = Module(body);
  const std::string key = std::string("st") + space.key + VectorName(vector) + "." + cell.key;
  SCOPED_TRACE(key + " in " + space.name);
  EXPECT_TRUE(Reaches(ptx, key));
  for (const Pattern& pattern : Patterns()) {
    SCOPED_TRACE(pattern.name);
    Setup s = Prepare(pattern, size, 2);
    std::vector<uint64_t> words = Run(ptx, s, kLaneCount * kArenaBytes / 8);
    const uint8_t* got = reinterpret_cast<const uint8_t*>(words.data());
    std::vector<uint8_t> all = s.bytes;
    for (uint32_t l = 0; l < kLaneCount; ++l) {
      std::vector<uint8_t> own = s.bytes;
      for (int k = 0; k < vector && s.flags[l]; ++k) {
        uint64_t v = Stored(l, k);
        size_t at = s.offsets[l] + static_cast<size_t>(k * cell.bytes);
        std::memcpy(own.data() + at, &v, static_cast<size_t>(cell.bytes));
        std::memcpy(all.data() + at, &v, static_cast<size_t>(cell.bytes));
      }
      if (local) {
        ASSERT_EQ(std::vector<uint8_t>(got + l * kArenaBytes, got + (l + 1) * kArenaBytes), own) << "lane " << l;
      }
    }
    if (!local) {
      ASSERT_EQ(std::vector<uint8_t>(got, got + kArenaBytes), all);
    }
  }
}

struct AtomicForm {
  const char* op;
  const char* spelling;  // modifiers after the space: "add.noftz.f16x2"
  const char* type;      // of the key
  int bytes;
  std::function<uint64_t(uint64_t old, uint64_t b, uint64_t c)> next;
};

uint64_t AddHalves(uint64_t a, uint64_t b, const Narrow& n = kHalf) {
  return RoundTo(n, Widen(a & 0xFFFF, n) + Widen(b & 0xFFFF, n));
}
template <typename T>
uint64_t AddFloats(uint64_t a, uint64_t b) {
  return Cast<std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>(Cast<T>(a) + Cast<T>(b));
}

const std::vector<AtomicForm>& AtomicForms() {
  using W = uint64_t;
  static const auto* forms = [] {
    auto* f = new std::vector<AtomicForm>{
        {"add", "add.u32", "u32", 4, [](W o, W b, W) { return o + b; }},
        {"add", "add.s32", "u32", 4, [](W o, W b, W) { return o + b; }},
        {"add", "add.u64", "u64", 8, [](W o, W b, W) { return o + b; }},
        {"add", "add.f32", "f32", 4, [](W o, W b, W) { return AddFloats<float>(o, b); }},
        {"add", "add.f64", "f64", 8, [](W o, W b, W) { return AddFloats<double>(o, b); }},
        {"add", "add.noftz.f16", "f16", 2, [](W o, W b, W) { return AddHalves(o, b); }},
        {"add", "add.noftz.f16x2", "f16x2", 4,
         [](W o, W b, W) { return AddHalves(o, b) | AddHalves(o >> 16, b >> 16) << 16; }},
        {"add", "add.noftz.bf16", "bf16", 2, [](W o, W b, W) { return AddHalves(o, b, kBFloat); }},
        {"add", "add.noftz.bf16x2", "bf16x2", 4,
         [](W o, W b, W) { return AddHalves(o, b, kBFloat) | AddHalves(o >> 16, b >> 16, kBFloat) << 16; }},
        {"min", "min.u32", "u32", 4,
         [](W o, W b, W) { return std::min(static_cast<uint32_t>(o), static_cast<uint32_t>(b)); }},
        {"max", "max.u32", "u32", 4,
         [](W o, W b, W) { return std::max(static_cast<uint32_t>(o), static_cast<uint32_t>(b)); }},
        {"min", "min.s32", "s32", 4,
         [](W o, W b, W) { return W(std::min(static_cast<int32_t>(o), static_cast<int32_t>(b))); }},
        {"max", "max.s32", "s32", 4,
         [](W o, W b, W) { return W(std::max(static_cast<int32_t>(o), static_cast<int32_t>(b))); }},
        {"min", "min.u64", "u64", 8, [](W o, W b, W) { return std::min(o, b); }},
        {"max", "max.u64", "u64", 8, [](W o, W b, W) { return std::max(o, b); }},
        {"min", "min.s64", "s64", 8,
         [](W o, W b, W) { return W(std::min(static_cast<int64_t>(o), static_cast<int64_t>(b))); }},
        {"max", "max.s64", "s64", 8,
         [](W o, W b, W) { return W(std::max(static_cast<int64_t>(o), static_cast<int64_t>(b))); }},
        {"cas", "cas.b16", "b16", 2, [](W o, W b, W c) { return (o & 0xFFFF) == (b & 0xFFFF) ? c : o; }},
        {"inc", "inc.u32", "u32", 4, [](W o, W b, W) { return o >= b ? 0 : o + 1; }},
        {"dec", "dec.u32", "u32", 4, [](W o, W b, W) { return o == 0 || o > b ? b : o - 1; }},
    };
    for (int bytes : {4, 8}) {
      const char* t = bytes == 4 ? "b32" : "b64";
      f->push_back({"and", bytes == 4 ? "and.b32" : "and.b64", t, bytes, [](W o, W b, W) { return o & b; }});
      f->push_back({"or", bytes == 4 ? "or.b32" : "or.b64", t, bytes, [](W o, W b, W) { return o | b; }});
      f->push_back({"xor", bytes == 4 ? "xor.b32" : "xor.b64", t, bytes, [](W o, W b, W) { return o ^ b; }});
      f->push_back({"exch", bytes == 4 ? "exch.b32" : "exch.b64", t, bytes, [](W, W b, W) { return b; }});
      f->push_back({"cas", bytes == 4 ? "cas.b32" : "cas.b64", t, bytes, [](W o, W b, W c) { return o == b ? c : o; }});
    }
    return f;
  }();
  return *forms;
}

// Operand b of a lane: small numbers, so that inc, dec and cas take both ways, of the right kind.
uint64_t OperandOf(const AtomicForm& form, uint32_t lane) {
  std::string type = form.type;
  uint64_t small = lane * 5 % 7;
  if (type == "f32") return Cast<uint32_t>(0.1f * static_cast<float>(small));
  if (type == "f64") return Cast<uint64_t>(0.1 * static_cast<double>(small));
  if (type == "f16" || type == "f16x2") return RoundTo(kHalf, 0.1L * small) * 0x10001;
  if (type == "bf16" || type == "bf16x2") return RoundTo(kBFloat, 0.1L * small) * 0x10001;
  if (type[0] == 's') return small - 3;
  return std::string(form.op) == "exch" ? lane * 0x0101010101010101 : small;
}

void CheckAtomic(const MemorySpace& space, const AtomicForm& form, bool result) {
  const bool cas = std::string(form.op) == "cas";
  std::string r = form.bytes == 8 ? "%rd" : form.bytes == 2 ? "%h" : "%r", bits = "b" + std::to_string(8 * form.bytes);
  std::string body =
      Prologue(space, form.bytes) + "bar.sync 0;\nmul.wide.u32 %rd24, %t, 8; add.u64 %rd24, %rd24, %rd0;\n";
  body += "ld.global." + bits + " " + r + "10, [%rd24]; ld.global." + bits + " " + r + "11, [%rd24+256]; mov." + bits +
          " " + r + "12, 0x7777;\n";
  std::string operands = Address(space, form.bytes) + ", " + r + "10" + (cas ? ", " + r + "11" : "") + ";\n";
  body += std::string("@%p1 ") + (result ? "atom" : "red") + ".relaxed.gpu" + space.modifier + "." + form.spelling +
          " " + (result ? r + "12, " : "") + operands;
  body += "st.global." + bits + " [%rd24+512], " + r + "12;\nbar.sync 0;\n";
  // The first 256 bytes of the arena back, 8 to a lane.
  if (space.narrow) {
    body += "shl.b32 %r13, %t, 3; add.u32 %r13, %r13, %base32; ld.shared.b64 %rd13, [%r13];\n";
  } else {
    body += "mul.wide.u32 %rd14, %t, 8; add.u64 %rd14, %rd14, %base; ld" + std::string(space.modifier) +
            ".b64 %rd13, [%rd14];\n";
  }
  body += "st.global.b64 [%rd24+768], %rd13;\n";
  const std::string ptx = Module(body);
  const std::string key = std::string("atom") + space.key + "." + form.op + "." + form.type;
  SCOPED_TRACE(key + " in " + space.name + (result ? "" : ", red"));
  EXPECT_TRUE(Reaches(ptx, key));

  // Four cells, so that lanes collide; a third of the lanes off.
  KernelHarness harness;
  harness.Load(ptx);
  std::vector<uint32_t> offsets, flags;
  std::vector<uint64_t> io(128);
  for (uint32_t l = 0; l < 32; ++l) {
    offsets.push_back((l * 3 % 4) * static_cast<uint32_t>(form.bytes));
    flags.push_back(l % 3 != 2);
    io[l] = OperandOf(form, l);
    io[32 + l] = l % 6;
  }
  std::vector<uint8_t> arena(kArenaBytes, 0);
  for (uint8_t k = 0; k < 4; ++k) arena[static_cast<size_t>(k) * static_cast<size_t>(form.bytes)] = k;
  DevicePtr out = harness.Upload(io);
  Ran ran = harness.Launch({1}, {32}, {out, harness.Upload(offsets), harness.Upload(flags), harness.Upload(arena)});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  std::vector<uint64_t> got = harness.Download<uint64_t>(out, 128);
  const uint64_t low = form.bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * form.bytes)) - 1;
  for (uint32_t l = 0; l < 32; ++l) {
    uint64_t old = 0, want_old = 0x7777;
    if (flags[l]) {
      uint8_t* cell = arena.data() + offsets[l];
      std::memcpy(&old, cell, static_cast<size_t>(form.bytes));
      uint64_t next = form.next(old, io[l] & low, io[32 + l] & low);
      std::memcpy(cell, &next, static_cast<size_t>(form.bytes));
      if (result) want_old = old;
    }
    ASSERT_EQ(got[64 + l] & low, want_old) << "old value of lane " << l;
  }
  ASSERT_EQ(std::memcmp(&got[96], arena.data(), 256), 0) << "what memory holds at the end";
}

}  // namespace

std::vector<std::string> LoadKeys(const MemorySpace& space) {
  std::vector<std::string> keys;
  for (int v : kVectors) {
    for (const Cell& c : kLoadCells) keys.push_back(std::string("ld") + space.key + VectorName(v) + "." + c.key);
  }
  return keys;
}
std::vector<std::string> StoreKeys(const MemorySpace& space) {
  std::vector<std::string> keys;
  for (int v : kVectors) {
    for (const Cell& c : kStoreCells) keys.push_back(std::string("st") + space.key + VectorName(v) + "." + c.key);
  }
  return keys;
}
std::vector<std::string> AtomicKeys(const MemorySpace& space) {
  std::vector<std::string> keys;
  for (const AtomicForm& f : AtomicForms()) keys.push_back(std::string("atom") + space.key + "." + f.op + "." + f.type);
  return keys;
}

void CheckLoads(const MemorySpace& space) {
  for (int v : kVectors) {
    for (const Cell& c : kLoadCells) CheckLoad(space, c, v);
  }
}
void CheckStores(const MemorySpace& space) {
  for (int v : kVectors) {
    for (const Cell& c : kStoreCells) CheckStore(space, c, v);
  }
}
void CheckAtomics(const MemorySpace& space) {
  for (const AtomicForm& f : AtomicForms()) {
    CheckAtomic(space, f, true);
    bool has_red = std::string(f.op) != "exch" && std::string(f.op) != "cas";
    if (has_red) CheckAtomic(space, f, false);
  }
}

}  // namespace warpgrade::emulator
