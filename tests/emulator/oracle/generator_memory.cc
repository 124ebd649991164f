// Memory and warp-wide statements. Each thread owns a slot of shared memory, a piece of scratch and a local array;
// others read these only between two barriers. Atomics on common words commute, and nobody uses what they return.
#include "tests/emulator/oracle/forms.h"
#include "tests/emulator/oracle/writer.h"

namespace warpgrade::oracle {
namespace {

std::string Text(uint64_t v) { return std::to_string(v); }

}  // namespace

// Constant and global variables with initialisers, and pointers to them.
std::string Writer::Tables() {
  std::string words, bytes;
  for (int k = 0; k < 16; ++k) words += (k != 0 ? ", " : "") + Text(random_() & 0xFFFFFFFF);
  for (int k = 0; k < 40; ++k) bytes += (k != 0 ? ", " : "") + Text(random_() & 0xFF);
  return ".const .align 8 .u32 fixed[16] = {" + words + "};\n.global .align 8 .b8 bytes[64] = {" + bytes +
         "};\n.global .align 8 .u64 pointers[2] = {bytes+8, generic(bytes)+16};\n";
}

// ".v2.u32": an access of at most `most` bytes.
std::string Writer::PickAccess(int* bytes, std::string* type, int* vector, int most) {
  static constexpr const char* kTypes[] = {"u8",  "s8",  "b8",  "u16", "s16", "b16",
                                           "u32", "s32", "b32", "u64", "s64", "b64"};
  for (;;) {
    size_t k = Draw(12);
    *type = kTypes[k];
    *vector = 1 << Draw(3);
    *bytes = (1 << k / 3) * *vector;
    if (*bytes <= most && *bytes <= 16) break;
  }
  return (*vector > 1 ? ".v" + std::to_string(*vector) : "") + "." + *type;
}

// Registers for an access, distinct where it loads. Registers may be wider than the type.
std::string Writer::Cells(const std::string& type, int vector, bool load) {
  const int bits = std::stoi(type.substr(1));
  const std::string classes = bits <= 16 ? "hrd" : bits == 32 ? "rd" : "d";
  const char c = classes[Draw(classes.size())];
  const size_t first = Draw(kPerClass);
  std::string cells;
  for (int k = 0; k < vector; ++k) {
    size_t at = load ? (first + static_cast<size_t>(k)) % kPerClass : Draw(kPerClass);
    cells += (k != 0 ? ", " : "") + (load && vector > 1 && Chance(8) ? "_" : RegisterPrefix(c) + Text(at));
  }
  return vector > 1 ? "{" + cells + "}" : cells;
}

void Writer::Local() {
  int bytes = 0, vector = 0;
  std::string type;
  const std::string access = PickAccess(&bytes, &type, &vector, 16);
  const bool load = Chance(50);
  std::string space = ".local", address;
  if (Chance(40)) {
    address = "[depot+" + Text(Draw(64 / static_cast<size_t>(bytes)) * static_cast<size_t>(bytes)) + "]";
  } else {
    Line("and.b32 %ti0, " + Register('r') + ", " + Text(64 - static_cast<uint64_t>(bytes)) + ";");
    Line("cvt.u64.u32 %ta0, %ti0; add.u64 %ta0, %loc, %ta0;");
    if (Chance(40)) {
      Line("cvta.local.u64 %ta0, %ta0;");
      space = "";
    }
    address = "[%ta0]";
  }
  const std::string cells = Cells(type, vector, load);
  Line(load ? "ld" + space + access + " " + cells + ", " + address + ";"
            : "st" + space + access + " " + address + ", " + cells + ";");
}

void Writer::Scratch() {
  int bytes = 0, vector = 0;
  std::string type;
  const std::string access = PickAccess(&bytes, &type, &vector, 16);
  const bool load = Chance(50);
  const std::string address = "[%own+" + Text(Draw(32 / static_cast<size_t>(bytes)) * static_cast<size_t>(bytes)) + "]";
  const std::string cells = Cells(type, vector, load), space = Chance(70) ? ".global" : "";
  Line(load ? "ld" + space + access + " " + cells + ", " + address + ";"
            : "st" + space + access + " " + address + ", " + cells + ";");
}

// Any thread's input, which nobody writes.
void Writer::Input() {
  int bytes = 0, vector = 0;
  std::string type;
  std::string access = PickAccess(&bytes, &type, &vector, 16);
  const uint64_t rows = uint64_t{threads_} * Registers().size() * 8 / 16;
  Line("rem.u32 %ti0, " + Register('r') + ", " + Text(rows) +
       "; mul.wide.u32 %ta0, %ti0, 16; add.u64 %ta0, %in, %ta0;");
  const size_t offset = Draw(16 / static_cast<size_t>(bytes)) * static_cast<size_t>(bytes);
  std::string cells = Cells(type, vector, true);
  if (Chance(30)) {
    char c = Chance(50) ? 'f' : 'D';
    access = RegisterType(c);
    cells = Register(c);
    return Line("ld.global.nc" + access + " " + cells + ", [%ta0+8];");
  }
  Line("ld" +
       std::string(Chance(30)   ? ".global.nc"
                   : Chance(30) ? ""
                                : ".global") +
       access + " " + cells + ", [%ta0+" + Text(offset) + "];");
}

void Writer::Table() {
  switch (Draw(3)) {
    case 0:
      Line("and.b32 %ti0, " + Register('r') + ", 15; mul.wide.u32 %ta0, %ti0, 4; mov.u64 %ta1, fixed;");
      return Line("add.u64 %ta0, %ta0, %ta1; ld.const.u32 " + Register('r') + ", [%ta0];");
    case 1:
      return Line("ld.const.v2.u32 {%r0, %r1}, [fixed+" + Text(8 * Draw(8)) + "];");
    default:
      Line("ld.global.u64 %ta0, [pointers+" + Text(8 * Draw(2)) + "];");
      return Line("ld.global.s8 " + Register(Chance(50) ? 'r' : 'd') + ", [%ta0+" + Text(Draw(48)) + "];");
  }
}

void Writer::Barrier() {
  const std::string id = Text(Draw(16)), count = block_ % 32 == 0 && Chance(40) ? ", " + Text(block_) : "";
  const std::string q = ", " + std::string(Chance(30) ? "!" : "") + Register('p');
  switch (Draw(6)) {
    case 0:
      return Line("barrier.sync " + id + count + ";");
    case 1:
      return Line("bar.red.popc.u32 " + Register('r') + ", " + id + count + q + ";");
    case 2:
      return Line("bar.red.and.pred " + Register('p') + ", " + id + count + q + ";");
    case 3:
      return Line("bar.red.or.pred " + Register('p') + ", " + id + count + q + ";");
    case 4:
      return Line(Chance(50) ? "membar.cta;" : "fence.acq_rel.gpu;");
    default:
      return Line("bar.sync " + id + count + ";");
  }
}

// Everybody writes its slot of shared memory and reads another's.
void Writer::BlockExchange() {
  int bytes = 0, vector = 0;
  std::string type;
  const std::string access = PickAccess(&bytes, &type, &vector, 16);
  const bool narrow = Chance(50), generic = !narrow && Chance(30);
  const std::string b = narrow ? "%ti" : "%ta", word = narrow ? ".u32 " : ".u64 ";
  const std::string space = generic ? "" : ".shared";
  const size_t offset = Draw(16 / static_cast<size_t>(bytes)) * static_cast<size_t>(bytes);
  auto address = [&](const std::string& thread) {  // into %ti3 or %ta3
    Line(narrow ? "shl.b32 %ti3, " + thread + ", 4;" : "mul.wide.u32 %ta3, " + thread + ", 16;");
    Line("mov" + word + b + "4, slots; add" + word + b + "3, " + b + "3, " + b + "4;");
    if (generic) Line("cvta.shared.u64 %ta3, %ta3;");
  };
  const std::string at = "[" + b + "3+" + Text(offset) + "]";
  const bool whole_warp = Chance(40);
  if (whole_warp) Line("mad.lo.u32 %ti2, %t, " + Text(2 * Draw(40) + 1) + ", " + Text(Draw(100)) + ";");
  if (!whole_warp) Line("add.u32 %ti2, " + Register('r') + ", " + Text(Draw(100)) + ";");
  Line("rem.u32 %ti2, %ti2, " + Text(block_) + ";");
  address("%t");
  Line("st" + space + access + " " + at + ", " + Cells(type, vector, false) + ";");
  Line("bar.sync " + Text(Draw(16)) + ";");
  address("%ti2");
  Line("ld" + space + access + " " + Cells(type, vector, true) + ", " + at + ";");
  Line("bar.sync 0;");
}

void Writer::GlobalExchange() {
  Line("add.u32 %ti2, " + Register('r') + ", " + Text(Draw(100)) + "; rem.u32 %ti2, %ti2, " + Text(block_) + ";");
  Line("sub.u32 %ti2, %ti2, %t; mul.wide.s32 %ta2, %ti2, " + Text(kScratchBytes) + "; add.u64 %ta2, %ta2, %own;");
  Line("st.global.v2.b64 [%own+32], {" + Register('d') + ", " + Register('d') + "};");
  Line("bar.sync 0;");
  Line("ld.global.v2.b32 {%r1, %r2}, [%ta2+" + Text(32 + 8 * Draw(2)) + "];");
  Line("bar.sync 0;");
}

void Writer::HighestLane(const std::string& into) { Line("bfind.u32 " + into + ", " + mask_ + ";"); }

// Within the lanes that are here: everybody writes its slot and reads the highest lane's.
void Writer::WarpExchange() {
  Line("mov.u32 %ti4, slots; shl.b32 %ti3, %t, 4; add.u32 %ti3, %ti3, %ti4;");
  Line("st.shared.v2.u32 [%ti3], {" + Register('r') + ", " + Register('r') + "};");
  Line("bar.warp.sync " + mask_ + ";");
  HighestLane("%ti5");
  Line("sub.u32 %ti5, %ti5, %lane; add.u32 %ti5, %ti5, %t; shl.b32 %ti5, %ti5, 4; add.u32 %ti5, %ti5, %ti4;");
  Line("ld.shared.u64 " + Register('d') + ", [%ti5];");
  Line("bar.warp.sync " + mask_ + ";");
}

void Writer::Vote() {
  const std::string q = (Chance(30) ? "!" : "") + Register('p');
  switch (Draw(8)) {
    case 0:
      return Line("vote.sync.ballot.b32 " + Register('r') + ", " + q + ", " + mask_ + ";");
    case 1:
      return Line("vote.sync.all.pred " + Register('p') + ", " + q + ", " + mask_ + ";");
    case 2:
      return Line("vote.sync.any.pred " + Register('p') + ", " + q + ", " + mask_ + ";");
    case 3:
      return Line("vote.sync.uni.pred " + Register('p') + ", " + q + ", " + mask_ + ";");
    case 4:
      Line("and.b32 %ti0, " + Register('r') + ", 3;");
      return Line("match.any.sync.b32 " + Register('r') + ", %ti0, " + mask_ + ";");
    case 5:
      Line("and.b64 %ta0, " + Register('d') + ", 0x100000001;");
      return Line("match.any.sync.b64 " + Register('r') + ", %ta0, " + mask_ + ";");
    case 6: {
      const bool wide = Chance(50);
      return Line("match.all.sync.b" + std::string(wide ? "64 " : "32 ") + Register('r') + "|" + Register('p') + ", " +
                  Register(wide ? 'd' : 'r') + ", " + mask_ + ";");
    }
    default: {
      static constexpr const char* kReductions[] = {"add.s32", "add.u32", "min.s32", "min.u32", "max.s32",
                                                    "max.u32", "and.b32", "or.b32",  "xor.b32"};
      return Line("redux.sync." + std::string(kReductions[Draw(9)]) + " " + Register('r') + ", " + Register('r') +
                  ", " + mask_ + ";");
    }
  }
}

void Writer::Shuffle() {
  const char c = "rrrfE"[Draw(5)];
  const std::string pair = Chance(50) ? "|" + Register('p') : "";
  if (mask_ == "%m0" && block_ % 32 == 0) {
    static constexpr const char* kModes[] = {"up", "down", "bfly", "idx"};
    const size_t mode = Draw(4);
    const std::string lane = Chance(60) ? Text(Draw(32)) : Register('r');
    const uint64_t segments = (32 - (uint64_t{1} << Draw(6))) << 8;
    const std::string clamp = Chance(20) ? Register('r') : Text((mode == 0 ? 0 : 0x1F) + segments);
    return Line("shfl.sync." + std::string(kModes[mode]) + ".b32 " + Register(c) + pair + ", " + Register(c) + ", " +
                lane + ", " + clamp + ", " + mask_ + ";");
  }
  HighestLane("%ti0");
  Line("shfl.sync.idx.b32 " + Register(c) + pair + ", " + Register(c) + ", %ti0, 0x1f, " + mask_ + ";");
}

// On a word that only this thread uses, so what comes back is known.
void Writer::OwnAtomic() {
  struct Operation {
    const char* name;
    char cls;
  };
  static constexpr Operation kAll[] = {
      {"add.u32", 'r'}, {"add.s32", 'r'},  {"add.u64", 'd'},  {"min.u32", 'r'}, {"min.s32", 'r'}, {"min.u64", 'd'},
      {"min.s64", 'd'}, {"max.u32", 'r'},  {"max.s32", 'r'},  {"max.u64", 'd'}, {"max.s64", 'd'}, {"and.b32", 'r'},
      {"and.b64", 'd'}, {"or.b32", 'r'},   {"or.b64", 'd'},   {"xor.b32", 'r'}, {"xor.b64", 'd'}, {"inc.u32", 'r'},
      {"dec.u32", 'r'}, {"exch.b32", 'r'}, {"exch.b64", 'd'}, {"cas.b32", 'r'}, {"cas.b64", 'd'}, {"cas.b16", 'h'}};
  const Operation op = kAll[Draw(24)];
  const bool shared = Chance(50), generic = Chance(30);
  std::string address = "[%own+" + Text(48 + 8 * Draw(2)) + "]", order = "";
  if (shared) {
    Line("mul.wide.u32 %ta0, %t, 16; mov.u64 %ta1, slots; add.u64 %ta0, %ta0, %ta1;");
    Line("st.shared.b64 [%ta0], " + Register('d') + ";");
    if (generic) Line("cvta.shared.u64 %ta0, %ta0;");
    address = "[%ta0]";
    if (!generic && Chance(50)) {
      Line("cvt.u32.u64 %ti0, %ta0;");
      address = "[%ti0]";
    }
  }
  if (Chance(40)) order = Chance(50) ? ".relaxed.gpu" : ".acq_rel.cta";
  const std::string space = generic ? "" : shared ? ".shared" : ".global";
  const bool cas = op.name[0] == 'c';
  Line("atom" + order + space + "." + op.name + " " + Register(op.cls) + ", " + address + ", " +
       (op.cls == 'h' ? Register('h') : Source(op.cls)) + (cas ? ", " + Register(op.cls) : "") + ";");
}

void Writer::Accumulate() {
  struct Operation {
    const char* name;
    char cls;
  };
  static constexpr Operation kWords[kAccumulators] = {{"add.u32", 'r'}, {"min.s32", 'r'}, {"max.u64", 'd'},
                                                      {"and.b32", 'r'}, {"or.b64", 'd'},  {"xor.b32", 'r'},
                                                      {"inc.u32", 'r'}, {"max.s64", 'd'}};
  const size_t k = Draw(kAccumulators);
  const Operation op = kWords[k];
  const bool shared = Chance(50), generic = Chance(30);
  const std::string value = k == 6 ? "1000" : Source(op.cls);
  std::string address = "[%acc+" + Text(8 * k) + "]";
  if (shared) {
    Line("mov.u64 %ta0, sums;" + std::string(generic ? " cvta.shared.u64 %ta0, %ta0;" : ""));
    address = "[%ta0+" + Text(8 * k) + "]";
  }
  const std::string space = generic ? "" : shared ? ".shared" : ".global";
  const std::string guard = Chance(30) ? "@" + Register('p') + " " : "";
  if (Chance(50)) return Line(guard + "red" + space + "." + op.name + " " + address + ", " + value + ";");
  Line(guard + "atom" + space + "." + op.name + " " + (op.cls == 'r' ? "%ti7" : "%ta7") + ", " + address + ", " +
       value + ";");
}

}  // namespace warpgrade::oracle
