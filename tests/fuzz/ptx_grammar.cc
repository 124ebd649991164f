// Reads the forms of opcodes.def as a grammar: picks an opcode, a form, its modifiers and operands of the kinds that
// the form names. So a new row of the table is fuzzed without a change here. About one operand in thirty is of another
// kind than its form says.
#include "tests/fuzz/ptx_grammar.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "grader/emulator/ptx/opcode.h"

namespace warpgrade::fuzz {
namespace {

constexpr size_t kLabels = 4;
constexpr size_t kMostStatements = 24;

constexpr const char* kHead = R"(.version 8.8
.target sm_90a
.address_size 64
.file 1 "kernel.cu"
.extern .shared .align 16 .b8 dynamic[];
.global .align 16 .b8 g[256];
.global .align 8 .u64 where = g;
.const .align 16 .b32 c[16] = {1, 2, 3, 4};
.func (.param .b32 out) twice(.param .b32 in)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r0, [in];
  add.u32 %r1, %r0, %r0;
  st.param.b32 [out], %r1;
  ret;
}
.func again(.param .b32 in)
{
  .reg .b32 %r<2>;
  .reg .pred %p<1>;
  .local .align 8 .b8 frame[32];
  ld.param.u32 %r0, [in];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 ret;
  sub.u32 %r1, %r0, 1;
  {
    .param .b32 next;
    st.param.b32 [next], %r1;
    call again, (next);
  }
  ret;
}
.visible .entry k(.param .u64 memory, .param .u32 n)
.maxntid 64, 1, 1
{
  .reg .pred %p<4>;
  .reg .b16 %h<6>;
  .reg .b32 %r<8>;
  .reg .b64 %d<8>;
  .reg .b128 %q<2>;
  .reg .f32 %f<6>;
  .reg .f64 %e<4>;
  .shared .align 16 .b8 s[512];
  .local .align 16 .b8 l[64];
  ld.param.u64 %d0, [memory];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %laneid;
  mov.u32 %r3, 0xFFFFFFFF;
  mul.wide.u32 %d1, %r1, 16;
  add.u64 %d1, %d0, %d1;
  mov.u64 %d2, s;
  cvta.shared.u64 %d3, %d2;
  mov.u64 %d4, l;
  mov.u64 %d5, g;
  setp.lt.u32 %p0, %r1, 7;
  setp.lt.u32 %p1, %r2, 16;
  cvt.rn.f32.u32 %f0, %r1;
  cvt.f64.f32 %e0, %f0;
  cvt.u16.u32 %h0, %r1;
)";

using Words = std::vector<std::string_view>;

Words Split(std::string_view text, char at) {
  Words parts;
  for (size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1)) {
    parts.push_back(text.substr(0, end));
  }
  parts.push_back(text);
  return parts;
}

// The bits of a type such as "u32" or "bf16x2"; 1 for pred, 0 if it is no type.
int BitsOf(std::string_view type) {
  if (type == "pred") return 1;
  if (type == "f16x2" || type == "bf16x2" || type == "u16x2" || type == "s16x2" || type == "tf32") return 32;
  if (type == "f32x2") return 64;
  const size_t digits = type.find_first_of("0123456789");
  const std::string_view kind = type.substr(0, digits);
  if (digits == std::string_view::npos || (kind != "b" && kind != "u" && kind != "s" && kind != "f" && kind != "bf")) {
    return 0;
  }
  int bits = 0;
  for (const char digit : type.substr(digits)) {
    if (digit < '0' || digit > '9') return 0;
    bits = 10 * bits + (digit - '0');
  }
  return bits;
}

class Writer {
 public:
  explicit Writer(Choices& choices) : choices_(choices) {}

  std::string Module() {
    std::string text = kHead;
    const size_t statements = 1 + choices_.Below(kMostStatements);
    for (size_t k = 0; k < statements && !choices_.AtEnd(); ++k) text += Statement();
    while (next_label_ < kLabels) text += Label();
    return text + "  ret;\n}\n";
  }

 private:
  std::string Number(size_t below) { return std::to_string(choices_.Below(below)); }
  std::string Label() { return "L" + std::to_string(next_label_++) + ":\n"; }

  std::string Statement() {
    switch (choices_.Below(16)) {
      case 0:
        if (next_label_ < kLabels) return Label();
        return "";
      case 1:
        return "  .loc 1 " + Number(100) + " " + Number(100) + "\n";
      case 2:
        return Call();
      case 3:
        return "  and.b32 %r7, " + Register(32) + ", 3;\n  { ts: .branchtargets L0, L1, L2; " + Guard() +
               "brx.idx %r7, ts; }\n";
      default:
        return "  " + Guard() + Instruction() + ";\n";
    }
  }

  std::string Guard() {
    if (!choices_.OneIn(4)) return "";
    return (choices_.OneIn(2) ? "@!" : "@") + Register(1) + " ";
  }

  // With the guard: the arguments are stored by all lanes.
  std::string Call() {
    const std::string first =
        "  { .param .b32 in; .param .b32 out; st.param.b32 [in], " + Register(32) + "; " + Guard();
    switch (choices_.Below(3)) {
      case 0:
        return first + "call (out), twice, (in); ld.param.b32 " + Register(32) + ", [out]; }\n";
      case 1:
        return first + "call again, (in); }\n";
      default:
        return first + "call.uni again, (in); }\n";
    }
  }

  std::string Instruction() {
    const ptx::OpcodeSpan opcodes = ptx::Opcodes();
    size_t row = choices_.Below(opcodes.count);
    // Textures have no forms, and a call is a statement of its own.
    while (opcodes.rows[row].form_count == 0 || (opcodes.rows[row].traits & ptx::kCalls) != 0) {
      row = (row + 1) % opcodes.count;
    }
    const ptx::Opcode& opcode = opcodes.rows[row];
    const std::string_view form = opcode.forms[choices_.Below(opcode.form_count)];
    const size_t blank = form.find(' ');
    types_.clear();
    vector_ = 1;
    std::string text = opcode.name + Modifiers(form.substr(0, blank));
    if (blank != std::string_view::npos) text += " " + Operands(form.substr(blank + 1));
    return text;
  }

  std::string Modifiers(std::string_view text) {
    std::string chosen;
    while (!text.empty()) {
      const bool optional = text[0] == '{';
      text.remove_prefix(optional ? 2 : 1);
      const size_t end = text.find_first_of(optional ? "}" : ".{");
      const bool left_out = optional && !choices_.OneIn(4);
      if (!left_out) chosen += Modifier(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : optional ? end + 1 : end);
    }
    return chosen;
  }

  // One of "x|y|SET", with its point.
  std::string Modifier(std::string_view alternatives) {
    const std::string_view one = choices_.Of(Split(alternatives, '|'));
    if (const char* members = ptx::ModifierSet(one)) return Modifier(members);
    if (BitsOf(one) != 0) types_.push_back(one);
    if (one == "v2" || one == "v4" || one == "v8") vector_ = static_cast<size_t>(one[1] - '0');
    return "." + std::string(one);
  }

  std::string Operands(std::string_view text) {
    std::string all;
    while (!text.empty()) {
      if (text[0] == '{') {
        const size_t end = text.find('}');
        if (choices_.OneIn(3)) all += Operands(text.substr(1, end - 1));
        text.remove_prefix(end + 1);
      } else if (text[0] == ',' || text[0] == '|' || text[0] == ' ') {
        all += text[0];
        text.remove_prefix(1);
      } else {
        const size_t end = std::min(text.find_first_of(",|{"), text.size());
        all += Operand(text.substr(0, end));
        text.remove_prefix(end);
      }
    }
    return all;
  }

  std::string Operand(std::string_view word) {
    if (choices_.OneIn(30)) return Any();
    std::string sign;
    if (word[0] == '!') {
      if (choices_.OneIn(4)) sign = "!";
      word.remove_prefix(1);
    }
    if (word[0] == '[') return Address();
    if (word == "label") return "L" + Number(kLabels);
    if (word == "table") return "ts";
    if (word == "imm") return Constant(32);
    const size_t colon = word.find(':');
    const std::string_view kind = colon == std::string_view::npos ? "" : word.substr(colon + 1);
    const bool written = word[0] == 'd' || word[0] == 'e';
    return sign + OfKind(kind, written);
  }

  std::string OfKind(std::string_view kind, bool written) {
    const int last = types_.empty() ? 32 : BitsOf(types_.back());
    const int first = types_.empty() ? 32 : BitsOf(types_.front());
    if (kind == "vector" && vector_ > 1) return Braces(vector_, last);
    if (kind == "parts" && choices_.OneIn(4)) return Braces(last == 128 ? 2 : 2, last / 2);
    if (kind == "registers")
      return Braces(size_t{1} << choices_.Below(4), choices_.Of(std::vector<int>{32, 32, 320, 64}));
    if (kind == "video")
      return Register(32) + (choices_.OneIn(2) ? choices_.Of(std::vector<std::string>{".b0", ".b3", ".h1"}) : "");
    if (kind == "any") return Any();
    if (kind == "1" || kind == "1loose") return Value(first, types_.empty() ? "u32" : types_.front(), written);
    if (kind == "wide") return Value(2 * last, "u64", written);
    if (kind == "pointer") return Value(64, "u64", written);
    if (const int bits = BitsOf(kind); bits != 0) return Value(bits, kind, written);
    return Value(last, types_.empty() ? "u32" : types_.back(), written);
  }

  std::string Value(int bits, std::string_view type, bool written) {
    const bool is_float = type[0] == 'f' && (type == "f32" || type == "f64");
    if (!written && bits != 1 && choices_.OneIn(5)) return is_float ? FloatConstant(bits) : Constant(bits);
    return Register(is_float ? 10 * bits : bits);
  }

  // 320 and 640: of floats.
  std::string Register(int bits) {
    switch (bits) {
      case 1:
        return "%p" + Number(4);
      case 8:
      case 16:
        return "%h" + Number(6);
      case 64:
        return "%d" + Number(8);
      case 128:
        return "%q" + Number(2);
      case 320:
        return "%f" + Number(6);
      case 640:
        return "%e" + Number(4);
      default:
        return "%r" + Number(8);
    }
  }

  std::string Braces(size_t count, int bits) {
    std::string all = "{";
    for (size_t k = 0; k < count; ++k) all += (k == 0 ? "" : ", ") + Register(bits);
    return all + "}";
  }

  std::string Constant(int bits) {
    static const std::vector<std::string> kEdges = {
        "0",  "1",  "-1", "2",   "4",      "8",          "16",         "31",
        "32", "33", "64", "128", "0x7FFF", "0x80000000", "0xFFFFFFFF", "0x7FFFFFFFFFFFFFFF"};
    if (choices_.OneIn(8)) return std::to_string(bits > 32 ? choices_.Word() : choices_.Word() & 0xFFFFFFFF);
    return choices_.Of(kEdges);
  }

  std::string FloatConstant(int bits) {
    if (bits == 64)
      return choices_.Of(std::vector<std::string>{"0d3FF0000000000000", "0d7FF8000000000000", "0d0000000000000001"});
    return choices_.Of(std::vector<std::string>{"0f3F800000", "0f7F800000", "0f7FC00000", "0f00000001", "0fFF7FFFFF"});
  }

  std::string Any() {
    static const std::vector<std::string> kOthers = {
        "%tid.x", "%ctaid.y", "%clock64", "%lanemask_lt", "%envreg3", "%smem", "s",
        "g",      "l",        "c",        "dynamic",      "where",    "twice", "memory"};
    switch (choices_.Below(3)) {
      case 0:
        return choices_.Of(kOthers);
      case 1:
        return Constant(64);
      default:
        return Register(choices_.Of(std::vector<int>{1, 16, 32, 64, 128, 320, 640}));
    }
  }

  std::string Address() {
    static const std::vector<std::string> kBases = {"%d0", "%d1", "%d1",    "%d2",     "%d3",  "%d4",
                                                    "%d5", "%d6", "%d7",    "%r0",     "s",    "g",
                                                    "l",   "c",   "memory", "dynamic", "where"};
    static const std::vector<std::string> kOffsets = {"",    "",     "",   "",   "+4",     "+8",
                                                      "+16", "+252", "-4", "+1", "+65536", "-2147483648"};
    if (choices_.OneIn(20)) return "[" + Constant(64) + "]";
    return "[" + choices_.Of(kBases) + choices_.Of(kOffsets) + "]";
  }

  Choices& choices_;
  size_t next_label_ = 0;
  std::vector<std::string_view> types_;  // of the instruction's modifiers
  size_t vector_ = 1;
};

}  // namespace

std::string HostileModule(Choices& choices) { return Writer(choices).Module(); }

}  // namespace warpgrade::fuzz
