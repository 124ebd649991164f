// Control flow: branches, loops, switches, jumps, calls. Where it diverges the writer keeps a register with the lanes
// that are here (by ballots), so that warp-wide instructions may stand there too; where that is too hard it forgets.
#include "tests/emulator/oracle/forms.h"
#include "tests/emulator/oracle/writer.h"

namespace warpgrade::oracle {

void Writer::Block(size_t statements, int depth) {
  for (size_t k = 0; k < statements && left_ > 0; ++k) Statement(depth);
}

void Writer::Statement(int depth) {
  --left_;
  const size_t what = Draw(100);
  if (what < 56) return Arithmetic();
  if (what < 59) return CarryChain();
  if (what < 63) return Move();
  if (what < 67) return Local();
  if (depth < 3 && masks_ < 300) {
    if (what < 72) return If(depth);
    // What a thread does stays within thousands of instructions: loops two deep, calls in one of the kernel's.
    if (what < 77 && loops_ >= 2) return Arithmetic();
    if (what < 75) return CountedLoop(depth);
    if (what < 77) return LoopWithBreak(depth);
    if (what < 79) return Switch(depth);
    if (what < 81) return Jumps(depth);
  }
  if (what < 84 && calls_to_ > 0 && loops_ < (in_kernel_ ? 2 : 1)) return Call();
  if (!in_kernel_) return Arithmetic();
  if (what < 86) return Scratch();
  if (what < 88) return Input();
  if (what < 89) return Table();
  if (what < 91) return OwnAtomic();
  if (what < 92) return Accumulate();
  if (!mask_.empty()) {
    if (what < 94) return Vote();
    if (what < 96) return Shuffle();
    if (what < 97) return WarpExchange();
  }
  if (depth == 0) {
    if (what < 98) return Barrier();
    return Chance(50) ? BlockExchange() : GlobalExchange();
  }
  Arithmetic();
}

void Writer::If(int depth) {
  const std::string p = Register('p'), otherwise = Label(), end = Label(), outer = mask_;
  std::string inside, outside;
  if (!outer.empty()) {
    inside = NewMask();
    outside = NewMask();
    Line("vote.sync.ballot.b32 " + inside + ", " + p + ", " + outer + ";");
    Line("not.b32 " + outside + ", " + inside + "; and.b32 " + outside + ", " + outside + ", " + outer + ";");
  }
  const bool has_else = Chance(60);
  Line("@!" + p + " bra " + (has_else ? otherwise : end) + ";");
  mask_ = inside;
  Block(1 + Draw(4), depth + 1);
  if (has_else) {
    Line("bra.uni " + end + ";");
    Line(otherwise + ":");
    mask_ = outside;
    Block(1 + Draw(4), depth + 1);
  }
  Line(end + ":");
  mask_ = outer;
}

// A loop whose number of turns is the thread's own.
void Writer::CountedLoop(int depth) {
  const std::string id = std::to_string(counters_++), counter = "%c" + id, again = "%u" + id, top = Label();
  const std::string outer = mask_;
  Line(Chance(30) ? "mov.u32 " + counter + ", " + std::to_string(Draw(4)) + ";"
                  : "and.b32 " + counter + ", " + Register('r') + ", 7;");
  if (!outer.empty()) {
    mask_ = NewMask();
    Line("mov.b32 " + mask_ + ", " + outer + ";");
  }
  ++loops_;
  Line(top + ":");
  Block(1 + Draw(4), depth + 1);
  Line("setp.ne.u32 " + again + ", " + counter + ", 0; sub.u32 " + counter + ", " + counter + ", 1;");
  if (!outer.empty()) Line("vote.sync.ballot.b32 " + mask_ + ", " + again + ", " + mask_ + ";");
  Line("@" + again + " bra " + top + ";");
  mask_ = outer;
  --loops_;
}

// Tested at the top, left in the middle, begun anew in the middle.
void Writer::LoopWithBreak(int depth) {
  const std::string id = std::to_string(counters_++), counter = "%c" + id, done = "%u" + id;
  const std::string top = Label(), end = Label(), outer = mask_;
  mask_.clear();
  Line("and.b32 " + counter + ", " + Register('r') + ", 15;");
  ++loops_;
  Line(top + ":");
  Line("setp.eq.u32 " + done + ", " + counter + ", 0; @" + done + " bra " + end + ";");
  Line("sub.u32 " + counter + ", " + counter + ", 1;");
  Block(1 + Draw(3), depth + 1);
  Line("@" + Register('p') + " bra " + (Chance(60) ? end : top) + ";");
  Block(1 + Draw(2), depth + 1);
  Line("bra.uni " + top + ";");
  Line(end + ":");
  mask_ = outer;
  --loops_;
}

void Writer::Switch(int depth) {
  const std::string index = "%c" + std::to_string(counters_++), table = Label() + "_table", end = Label();
  const std::string outer = mask_;
  mask_.clear();
  std::string arms[4] = {Label(), Label(), Label(), Chance(50) ? end : Label()};
  if (Chance(30)) arms[2] = arms[0];
  Line("and.b32 " + index + ", " + Register('r') + ", 3;");
  Line(table + ": .branchtargets " + arms[0] + ", " + arms[1] + ", " + arms[2] + ", " + arms[3] + ";");
  Line("brx.idx " + index + ", " + table + ";");
  for (int k = 0; k < 4; ++k) {
    if (arms[k] == end || (k == 2 && arms[2] == arms[0])) continue;
    Line(arms[k] + ":");
    Block(1 + Draw(3), depth + 1);
    if (Chance(70)) Line("bra.uni " + end + ";");  // or fall through
  }
  Line(end + ":");
  mask_ = outer;
}

// Two ways into the same code, as compilers make of || and &&.
void Writer::Jumps(int depth) {
  const std::string first = Label(), second = Label(), outer = mask_;
  mask_.clear();
  Line("@" + Register('p') + " bra " + first + ";");
  Block(1 + Draw(2), depth + 1);
  Line("@!" + Register('p') + " bra " + second + ";");
  Block(1 + Draw(2), depth + 1);
  Line(first + ":");
  Block(1 + Draw(2), depth + 1);
  Line("@" + Register('p') + " bra " + second + ";");
  Block(1 + Draw(2), depth + 1);
  Line(second + ":");
  mask_ = outer;
}

namespace {

constexpr const char kSignature[] = "(.param .b32 a, .param .b64 b, .param .f32 c, .param .align 16 .b8 pair[16])";
constexpr const char kReturn[] = "(.param .align 8 .b8 back[16]) ";

}  // namespace

// f0, f1 and rec: all of one signature, so that one call may reach either by its address.
std::string Writer::Functions() {
  std::string all = std::string(".func ") + kReturn + "rec" + kSignature + ";\n";
  for (const char* name : {"f0", "f1", "rec"}) {
    text_.clear();
    FunctionBody(std::string(name) == "rec");
    all += std::string(".func ") + kReturn + name + kSignature + "\n{\n" + text_ + "}\n";
    if (calls_to_ < 2) ++calls_to_;  // f1 may call f0, rec both
  }
  calls_to_ = 3;
  return all;
}

void Writer::FunctionBody(bool recursive) {
  Declarations();
  Line("ld.param.b32 %ti0, [a]; ld.param.b64 %ta0, [b]; ld.param.f32 %f0, [c]; ld.param.b64 %ta1, [pair+8];");
  for (const Slot& s : Registers()) {
    switch (s.register_class) {
      case 'p':
        Line("and.b32 %ti1, %ti0, " + std::to_string(1 << Draw(8)) + "; setp.ne.u32 " + s.name + ", %ti1, 0;");
        break;
      case 'd':
        Line("xor.b64 " + s.name + ", %ta0, " + Immediate('d') + ";");
        break;
      case 'r':
        Line("xor.b32 " + s.name + ", %ti0, " + Immediate('r') + ";");
        break;
      case 'h':
        Line("cvt.u16.u64 " + s.name + ", %ta1;");
        break;
      default:
        if (s.name != "%f0") {
          Line("mov" + std::string(RegisterType(s.register_class)) + " " + s.name + ", " + Immediate(s.register_class) +
               ";");
        }
    }
  }
  FillLocal();
  int budget = left_;
  left_ = 1000;  // functions are whole however small the kernel is
  const int callable = calls_to_;
  if (recursive) {  // a is how deep it goes; the others do not recurse
    Line("and.b32 %ti2, %ti0, 3; setp.eq.u32 %tp, %ti2, 0; mov.b32 %r0, %ti0; @%tp bra BOTTOM;");
    Line("sub.u32 %ti2, %ti2, 1; { .param .b32 a0; .param .b64 a1; .param .f32 a2; .param .align 16 .b8 a3[16];");
    Line(".param .align 8 .b8 r[16]; st.param.b32 [a0], %ti2; st.param.b64 [a1], %d2; st.param.f32 [a2], %f1;");
    Line("st.param.b64 [a3], %d3; st.param.b64 [a3+8], %d4; call (r), rec, (a0, a1, a2, a3);");
    Line("ld.param.b64 %d2, [r]; ld.param.b32 %r3, [r+8]; ld.param.f32 %f4, [r+12]; }");
    Line("BOTTOM:");
  }
  mask_.clear();
  Block(4 + Draw(8), 1);
  calls_to_ = callable;
  left_ = budget;
  Line("st.param.b64 [back], %d2; st.param.b32 [back+8], %r3; st.param.f32 [back+12], %f4;");
  if (Chance(50)) {
    Line("@%p0 ret;");
    Line("st.param.b64 [back], %d0; st.param.b32 [back+8], %r1;");
  }
  Line("ret;");
}

void Writer::Call() {
  Line("{ .param .b32 a0; .param .b64 a1; .param .f32 a2; .param .align 16 .b8 a3[16]; .param .align 8 .b8 r[16];");
  Line("st.param.b32 [a0], " + Source('r') + "; st.param.b64 [a1], " + Register('d') + "; st.param.f32 [a2], " +
       Register('f') + "; st.param.v2.b64 [a3], {" + Register('d') + ", " + Register('d') + "};");
  static constexpr const char* kNames[] = {"f0", "f1", "rec"};
  if (calls_to_ >= 2 && Chance(40)) {
    const std::string prototype = "proto_" + Label();
    Line("mov.u64 %ta2, f0; mov.u64 %ta3, f1; selp.b64 %ta2, %ta2, %ta3, " + Register('p') + ";");
    Line(prototype +
         ": .callprototype (.param .align 8 .b8 _[16]) _ (.param .b32 _, .param .b64 _, .param .f32 _, "
         ".param .align 16 .b8 _[16]);");
    Line("call (r), %ta2, (a0, a1, a2, a3), " + prototype + ";");
  } else {
    Line("call" + std::string(Chance(50) ? ".uni" : "") + " (r), " + kNames[Draw(static_cast<size_t>(calls_to_))] +
         ", (a0, a1, a2, a3);");
  }
  Line("ld.param.b64 " + Register('d') + ", [r]; ld.param.b32 " + Register('r') + ", [r+8]; ld.param.f32 " +
       Register('f') + ", [r+12]; }");
}

}  // namespace warpgrade::oracle
