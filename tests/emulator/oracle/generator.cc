// The kernel's frame (parameters, loading and storing registers) and its plain statements; generator_control.cc has
// control flow and calls, generator_memory.cc memory and warp-wide instructions.
#include "tests/emulator/oracle/generator.h"

#include <cstring>

#include "tests/emulator/oracle/forms.h"
#include "tests/emulator/oracle/writer.h"

namespace warpgrade::oracle {

const std::vector<Slot>& Registers() {
  static const auto* registers = [] {
    auto* all = new std::vector<Slot>;
    for (char c : kClasses) {
      for (int k = 0; k < kPerClass; ++k) all->push_back({RegisterPrefix(c) + std::to_string(k), c});
    }
    return all;
  }();
  return *registers;
}

uint64_t RandomBits(char c, uint64_t random) {
  static constexpr uint64_t kInteger[] = {0,          1,          2,          3,          7,          0x7F,
                                          0x80,       0xFF,       0x100,      0x7FFF,     0x8000,     0xFFFF,
                                          0x10000,    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1ull << 32, ~0ull >> 1,
                                          1ull << 63, ~0ull,      ~1ull,      0x12345678};
  static constexpr uint64_t kSingle[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x3F000000, 0x3FC00000,
                                         0x00000001, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF800000, 0x7F800000,
                                         0x7FC00000, 0x4F000000, 0x4B800001, 0x33800000, 0x477FE000, 0x477FF000};
  static constexpr uint64_t kDouble[] = {0,
                                         1ull << 63,
                                         0x3FF0000000000000,
                                         0xBFF8000000000000,
                                         1,
                                         0x0010000000000000,
                                         0x7FEFFFFFFFFFFFFF,
                                         0x7FF0000000000000,
                                         0xFFF0000000000000,
                                         0x7FF8000000000000,
                                         0x41E0000000000000,
                                         0x43E0000000000000,
                                         0x3810000000000000,
                                         0x36A0000000000000,
                                         0x47EFFFFFF0000000,
                                         0x40EFFC0000000000};
  static constexpr uint64_t kHalfEdges[] = {0,      0x8000, 1,      0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00,
                                            0x3555, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x3F80, 0xBF80, 0x7F80};
  auto pick = [random](const auto& list) { return list[(random >> 8) % (sizeof(list) / sizeof(list[0]))]; };
  const bool edge = random % 4 == 0;
  const uint64_t bits = random >> 3 ^ random << 29;
  // A float of moderate size, so that arithmetic does not only meet infinities.
  const bool moderate = random % 4 >= 2;
  switch (c) {
    case 'f':
      return edge       ? pick(kSingle)
             : moderate ? (bits & 0x80FFFFFF) + 0x3E000000 + (bits >> 32 & 3) * 0x00800000
                        : bits & 0xFFFFFFFF;
    case 'D':
      return edge ? pick(kDouble) : moderate ? (bits & 0x800FFFFFFFFFFFFF) + 0x3FE0000000000000 : bits;
    case 'e':
      return edge ? pick(kHalfEdges) : moderate ? (bits & 0x87FF) + 0x3800 : bits & 0xFFFF;
    case 'b':
      return edge ? pick(kHalfEdges) : moderate ? (bits & 0x80FF) + 0x3F00 : bits & 0xFFFF;
    case 'F':
      return RandomBits('f', random) | RandomBits('f', bits) << 32;
    case 'E':
      return RandomBits('e', random) | RandomBits('e', bits) << 16;
    case 'B':
      return RandomBits('b', random) | RandomBits('b', bits) << 16;
    case 'p':
      return random & 1;
    default:
      return edge ? pick(kInteger) : moderate ? bits & 0xFF : bits;
  }
}

std::string Writer::Register(char c) { return RegisterPrefix(c) + std::to_string(Draw(kPerClass)); }

std::string Writer::Immediate(char c) {
  char text[32];
  uint64_t bits = RandomBits(c, random_());
  switch (c) {
    case 'f':
      std::snprintf(text, sizeof(text), "0f%08X", static_cast<uint32_t>(bits));
      break;
    case 'D':
      std::snprintf(text, sizeof(text), "0d%016llX", static_cast<unsigned long long>(bits));
      break;
    case 'h':
      std::snprintf(text, sizeof(text), "%d", static_cast<int16_t>(bits));
      break;
    case 'r':
      std::snprintf(text, sizeof(text), "%d", static_cast<int32_t>(bits));
      break;
    default:
      std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(bits));
      break;
  }
  return text;
}

std::string Writer::Source(char c) {
  switch (c) {
    case 'a':
      return Chance(50) ? std::to_string(Draw(70)) : Register('r');
    case 'i':
      return std::to_string(Draw(256));
    case 'q':
      return (Chance(50) ? "!" : "") + Register('p');
    case 'k':
      return std::to_string(Draw(32));
    case 'o':
      return Chance(70) ? std::to_string(static_cast<int>(Draw(19)) - 9) : Register('r');
    case 'v':
      return Register('r') + (Chance(60) ? Part() : "");
    case 'n':
      return "-" + Source('v');
    case 'm':
      return "-" + Register('r');
    case 'x':
      return Register('r') + (Chance(50) ? Parts(2) : "");
    case 'X':
      return Register('r') + (Chance(50) ? Parts(4) : "");
    default:
      break;
  }
  bool may_be_immediate = std::string_view("hrdfD").find(c) != std::string_view::npos;
  return may_be_immediate && Chance(20) ? Immediate(c) : Register(c);
}

std::string Writer::Destination(char c) {
  switch (c) {
    case 'w':
      return Register('r') + Part();
    case 'y':
      return Register('r') + (Chance(50) ? Mask(2) : "");
    case 'Y':
      return Register('r') + (Chance(50) ? Mask(4) : "");
    case 'P': {
      size_t first = Draw(kPerClass), second = (first + 1 + Draw(kPerClass - 1)) % kPerClass;
      return "%p" + std::to_string(first) + "|%p" + std::to_string(second);
    }
    default:
      return Register(c);
  }
}

// One byte or half of a register.
std::string Writer::Part() { return Chance(60) ? ".b" + std::to_string(Draw(4)) : ".h" + std::to_string(Draw(2)); }

// As many parts as there are lanes, each out of both operands.
std::string Writer::Parts(size_t lanes) {
  std::string text = lanes == 2 ? ".h" : ".b";
  for (size_t k = 0; k < lanes; ++k) text += std::to_string(Draw(2 * lanes));
  return text;
}

// At least one of the lanes, the highest first.
std::string Writer::Mask(size_t lanes) {
  std::string text = lanes == 2 ? ".h" : ".b";
  const size_t chosen = 1 + Draw((size_t{1} << lanes) - 1);
  for (size_t k = lanes; k-- > 0;) text += (chosen >> k & 1) != 0 ? std::to_string(k) : "";
  return text;
}

void Writer::Line(const std::string& text) { text_ += "  " + text + "\n"; }

void Writer::Arithmetic() {
  const std::vector<Form>& rows = Forms()[Draw(Forms().size())];
  const Form& form = rows[Draw(rows.size())];
  std::string line = Chance(15) ? (Chance(50) ? "@!" : "@") + Register('p') + " " : "";
  line += form.spelling + " " + Destination(form.classes[0]);
  for (char c : form.classes.substr(1)) line += ", " + Source(c);
  Line(line + ";");
}

// A sum, difference or product of several words, as compilers make for long integers.
void Writer::CarryChain() {
  std::string type = Chance(50) ? "u32" : "u64";
  char c = type == "u32" ? 'r' : 'd';
  bool subtract = Chance(40), product = !subtract && Chance(40);
  size_t length = 2 + Draw(3);
  for (size_t k = 0; k < length; ++k) {
    std::string op = product    ? (k == 0            ? "mad.lo.cc."
                                   : k + 1 == length ? "madc.hi."
                                   : Chance(50)      ? "madc.lo.cc."
                                                     : "madc.hi.cc.")
                     : subtract ? (k == 0            ? "sub.cc."
                                   : k + 1 == length ? "subc."
                                                     : "subc.cc.")
                                : (k == 0            ? "add.cc."
                                   : k + 1 == length ? "addc."
                                                     : "addc.cc.");
    std::string line = op + type + " " + Register(c) + ", " + Source(c) + ", " + Source(c);
    Line(line + (product ? ", " + Source(c) : "") + ";");
  }
}

// Between registers of different widths, and values that are the same in all lanes.
void Writer::Move() {
  switch (Draw(9)) {
    case 0:
      return Line("mov.b32 " + Register('r') + ", {" + Register('h') + ", " + Register('h') + "};");
    case 1:
      return Line("mov.b64 " + Register('d') + ", {" + Register('r') + ", " + Register('r') + "};");
    case 2:
      return Line("mov.b64 " + Register('d') + ", {" + Register('h') + ", " + Register('h') + ", " + Register('h') +
                  ", " + Register('h') + "};");
    case 3:
      return Line("mov.b32 {%h0, " + std::string(Chance(70) ? "%h1" : "_") + "}, " + Register('r') + ";");
    case 4:
      return Line("mov.b64 {%r0, " + std::string(Chance(70) ? "%r1" : "_") + "}, " + Register('d') + ";");
    case 5:
      return Line("mov.b64 {%h2, %h3, %h4, %h5}, " + Register('d') + ";");
    case 6: {
      bool half = Chance(50);
      return Line(half ? "mov.b32 " + Register('E') + ", {" + Register('e') + ", " + Register('e') + "};"
                       : "mov.b32 {%e0, %e1}, " + Register('E') + ";");
    }
    case 7: {
      constexpr const char* kSpecials[] = {"%laneid",      "%lanemask_lt", "%lanemask_ge", "%tid.x",   "%ctaid.x",
                                           "%lanemask_eq", "%ntid.x",      "%tid.y",       "%nctaid.x"};
      return Line("mov.u32 " + Register('r') + ", " + kSpecials[Draw(9)] + ";");
    }
    default: {
      char c = "hrdfD"[Draw(5)];
      return Line("mov" + std::string(RegisterType(c)) + " " + Register(c) + ", " + Immediate(c) + ";");
    }
  }
}

void Writer::Declarations() {
  for (char c : kClasses) {
    Line(std::string(".reg ") + RegisterType(c) + " " + RegisterPrefix(c) + "<" + std::to_string(kPerClass) + ">;");
  }
  Line(
      ".reg .b32 %t, %g, %lane, %ti<8>, %m<400>, %c<400>; .reg .b64 %ta<8>, %in, %out, %own, %acc, %loc; .reg .pred "
      "%u<400>, %tp;");
  Line(".local .align 16 .b8 depot[64];");
}

// Every byte of the local array gets a value before anything reads it.
void Writer::FillLocal() {
  for (int k = 0; k < 8; ++k)
    Line("st.local.b64 [depot+" + std::to_string(8 * k) + "], %d" + std::to_string(k % kPerClass) + ";");
  Line("mov.u64 %loc, depot;");
}

void Writer::Prologue() {
  Declarations();
  Line(".shared .align 16 .b8 slots[" + std::to_string(16 * block_) + "];");
  Line(".shared .align 8 .b64 sums[" + std::to_string(kAccumulators) + "];");
  Line("mov.u32 %t, %tid.x; mov.u32 %ti0, %ctaid.x; mov.u32 %ti1, %ntid.x; mad.lo.u32 %g, %ti0, %ti1, %t;");
  Line("mov.u32 %lane, %laneid;");
  Line(
      "ld.param.u64 %in, [input]; ld.param.u64 %out, [output]; ld.param.u64 %own, [scratch]; ld.param.u64 %acc, "
      "[sums_in];");
  const std::string row = std::to_string(8 * Registers().size());
  Line("mul.wide.u32 %ta0, %g, " + row + "; add.u64 %ta1, %in, %ta0; add.u64 %out, %out, %ta0;");
  Line("mul.wide.u32 %ta0, %g, " + std::to_string(kScratchBytes) + "; add.u64 %own, %own, %ta0;");
  for (size_t k = 0; k < Registers().size(); ++k) {
    const Slot& s = Registers()[k];
    std::string from = "[%ta1+" + std::to_string(8 * k) + "]";
    if (s.register_class == 'p') {
      Line("ld.global.b32 %ti0, " + from + "; setp.ne.u32 " + s.name + ", %ti0, 0;");
    } else {
      Line("ld.global" + std::string(RegisterType(s.register_class)) + " " + s.name + ", " + from + ";");
    }
  }
  Line("ld.param.s16 %h0, [s]; ld.param.u8 %r1, [u]; ld.param.f32 %f2, [x]; ld.param.s16 %d1, [s];");
  FillLocal();
  // The lanes of this warp that exist, and cleared sums.
  Line(
      "sub.u32 %ti0, %ti1, %t; add.u32 %ti0, %ti0, %lane; mov.u32 %ti2, 1; shl.b32 %m0, %ti2, %ti0; sub.u32 %m0, %m0, "
      "1;");
  // A block may be of one thread, so that one clears them all.
  Line("setp.eq.u32 %tp, %t, 0; mov.u64 %ta0, sums;");
  for (uint32_t k = 0; k < kAccumulators; ++k) {
    Line("@%tp st.shared.u64 [%ta0+" + std::to_string(8 * k) + "], 0;");
  }
  Line("bar.sync 0;");
}

void Writer::Epilogue() {
  Line("bar.sync 0; and.b32 %ti0, %t, " + std::to_string(kAccumulators - 1) + ";");
  Line("mul.wide.u32 %ta1, %ti0, 8; mov.u64 %ta0, sums; add.u64 %ta0, %ta0, %ta1; ld.shared.u64 %d0, [%ta0];");
  if (Chance(30)) Line("@" + Register('p') + (Chance(50) ? " exit;" : " ret;"));
  for (size_t k = 0; k < Registers().size(); ++k) {
    const Slot& s = Registers()[k];
    std::string to = "[%out+" + std::to_string(8 * k) + "], ";
    if (s.register_class == 'p') {
      Line("selp.b32 %ti0, 1, 0, " + s.name + "; st.global.b32 " + to + "%ti0;");
    } else {
      Line("st.global" + std::string(RegisterType(s.register_class)) + " " + to + s.name + ";");
    }
  }
}

Generated Writer::Make() {
  Generated made;
  constexpr uint32_t kBlocks[] = {32, 64, 96, 40, 72, 1, 33};
  block_ = kBlocks[Draw(7)];
  made.grid = 1 + static_cast<uint32_t>(Draw(3));
  made.block = block_;
  threads_ = made.grid * block_;
  std::string functions = Functions();
  text_.clear();
  in_kernel_ = true;
  mask_ = "%m0";
  masks_ = 1;
  Prologue();
  Block(12 + Draw(50), 0);
  Epilogue();
  made.ptx = ".version 8.3\n.target sm_90\n.address_size 64\n" + Tables() + functions +
             ".visible .entry k(.param .u64 input, .param .u64 output, .param .u64 scratch, .param .u64 sums_in, "
             ".param .s16 s, .param .u8 u, .param .f32 x)\n{\n" +
             text_ + "  " + (Chance(50) ? "ret" : "exit") + ";\n}\n";
  return made;
}

Generated Generate(uint64_t seed, int statements) { return Writer(seed, statements).Make(); }

}  // namespace warpgrade::oracle
