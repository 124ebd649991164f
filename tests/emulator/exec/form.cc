#include "tests/emulator/exec/form.h"

#include <cmath>
#include <limits>
#include <random>

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/ptx/parser.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr size_t kRandomRows = 128;
constexpr uint64_t kUntouched = 0x5A5A5A5A5A5A5A5A;

int BytesOf(Operand o) {
  switch (o) {
    case Operand::kNone:
      return 0;
    case Operand::kInt16:
    case Operand::kF16:
    case Operand::kBF16:
      return 2;
    case Operand::kInt64:
    case Operand::kF64:
      return 8;
    default:
      return 4;
  }
}

std::vector<uint64_t> SingleEdges() {
  std::vector<uint64_t> bits;
  for (float f : {0.0f, 1.0f, 1.5f, 2.5f, 3.14159f, 1e-30f, 1e30f, 16777217.0f, 0.49999997f})
    bits.push_back(Cast<uint32_t>(f));
  // Smallest and largest subnormal, smallest and largest normal, infinity, two NaNs.
  for (uint32_t u : {1u, 0x007FFFFFu, 0x00800000u, 0x7F7FFFFFu, 0x7F800000u, 0x7FC00001u, 0x7F800001u})
    bits.push_back(u);
  for (size_t k = 0, n = bits.size(); k < n; ++k) bits.push_back(bits[k] | 0x80000000u);
  return bits;
}

std::vector<uint64_t> DoubleEdges() {
  std::vector<uint64_t> bits;
  for (double f : {0.0, 1.0, 1.5, 2.5, 1e-300, 1e300, 4503599627370497.5, 2147483648.0, 65504.0, 1e-8})
    bits.push_back(Cast<uint64_t>(f));
  for (uint64_t u : {uint64_t{1}, uint64_t{0x000FFFFFFFFFFFFF}, uint64_t{0x0010000000000000},
                     uint64_t{0x7FEFFFFFFFFFFFFF}, uint64_t{0x7FF0000000000000}, uint64_t{0x7FF8000000000001}}) {
    bits.push_back(u);
  }
  for (size_t k = 0, n = bits.size(); k < n; ++k) bits.push_back(bits[k] | (uint64_t{1} << 63));
  return bits;
}

std::vector<uint64_t> Edges(Operand o) {
  switch (o) {
    case Operand::kNone:
      return {0};
    case Operand::kPred:
      return {0, 1};
    case Operand::kAmount:
      return {0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 255, 256, 0x80000000u, 0xFFFFFFFFu};
    case Operand::kInt16:
      return {0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0x1234};
    case Operand::kInt32:
      return {0,           1,          2,          3,           10,          0x80,
              0xFFFF,      0x8000,     0x7FFFFFFF, 0x80000000u, 0x80000001u, 0xFFFFFFFEu,
              0xFFFFFFFFu, 0x12345678, 0x01000001, 0x00800000,  0x00FFFFFF};
    case Operand::kInt64:
      return {0,
              1,
              2,
              10,
              0x80,
              0xFFFFFFFFu,
              0x80000000u,
              0x100000000u,
              uint64_t{1} << 53 | 1,
              ~uint64_t{0} >> 1,
              uint64_t{1} << 63,
              ~uint64_t{0},
              ~uint64_t{1},
              0x123456789ABCDEF0};
    case Operand::kF16:
    case Operand::kBF16:
      return {0,      0x8000, 1,      0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x3E00, 0x7BFF, 0xFBFF, 0x7C00,
              0xFC00, 0x7E00, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7F7F, 0x7FC0, 0x3FC1, 0x0080, 0x4001};
    case Operand::kF16x2:
    case Operand::kBF16x2:
      return {0, 0x80000001u, 0x3C003C00, 0xBC007BFF, 0x7C00FC00, 0x7E000400, 0x3F80BF80, 0x7F80FF80, 0x7FC03FC1};
    case Operand::kF32:
      return SingleEdges();
    case Operand::kF64:
      return DoubleEdges();
    case Operand::kAngle:
    case Operand::kNormal:
      return {Cast<uint32_t>(0.5f), Cast<uint32_t>(-1.0f), Cast<uint32_t>(2.0f)};
  }
  return {0};
}

uint64_t Random(Operand o, std::mt19937_64& rng) {
  switch (o) {
    case Operand::kNone:
      return 0;
    case Operand::kPred:
      return rng() & 1;
    case Operand::kAmount:
      return rng() % 70;
    case Operand::kF32:
      if (rng() % 2)
        return Cast<uint32_t>(
            std::ldexp(static_cast<float>(static_cast<int32_t>(rng())), -static_cast<int>(rng() % 40)));
      return rng() & 0xFFFFFFFF;
    case Operand::kF64:
      if (rng() % 2)
        return Cast<uint64_t>(
            std::ldexp(static_cast<double>(static_cast<int64_t>(rng())), -static_cast<int>(rng() % 80)));
      return rng();
    case Operand::kAngle:
      return Cast<uint32_t>(static_cast<float>(std::uniform_real_distribution<double>(-6.28318, 6.28318)(rng)));
    case Operand::kNormal: {
      float f = std::ldexp(static_cast<float>(std::uniform_real_distribution<double>(1, 2)(rng)),
                           static_cast<int>(rng() % 120) - 60);
      return Cast<uint32_t>(rng() % 2 ? f : -f);
    }
    default:
      return rng() & (BytesOf(o) == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * BytesOf(o))) - 1);
  }
}

struct Rows {
  std::vector<uint64_t> a, b, c;
};

Rows MakeRows(const Form& form) {
  Rows rows;
  auto add = [&rows](uint64_t a, uint64_t b, uint64_t c) {
    rows.a.push_back(a);
    rows.b.push_back(b);
    rows.c.push_back(c);
  };
  std::vector<uint64_t> b_edges = Edges(form.b), c_edges = Edges(form.c);
  std::mt19937_64 rng(12345);
  size_t turn = 0;
  for (uint64_t a : Edges(form.a)) {
    for (uint64_t b : b_edges) {
      // Three operands: not every combination, but each value of c with many of (a, b).
      for (size_t k = 0; k < std::min<size_t>(3, c_edges.size()); ++k) add(a, b, c_edges[turn++ % c_edges.size()]);
    }
  }
  for (size_t k = 0; k < kRandomRows; ++k) add(Random(form.a, rng), Random(form.b, rng), Random(form.c, rng));
  while (rows.a.size() % 32 != 0) add(rows.a[0], rows.b[0], rows.c[0]);
  return rows;
}

std::string LoadOperand(const char* name, Operand o, int parameter) {
  std::string n(name), address = "[%row" + std::to_string(parameter) + "]";
  switch (BytesOf(o)) {
    case 0:
      return "";
    case 2:
      return ".reg .b16 " + n + ";\nld.global.b16 " + n + ", " + address + ";\n";
    case 8:
      return ".reg .b64 " + n + ";\nld.global.b64 " + n + ", " + address + ";\n";
    default:
      break;
  }
  if (o == Operand::kPred) {
    return ".reg .pred " + n + ";\nld.global.b32 %r10, " + address + ";\nsetp.ne.u32 " + n + ", %r10, 0;\n";
  }
  return ".reg .b32 " + n + ";\nld.global.b32 " + n + ", " + address + ";\n";
}

// A form may be several instructions in braces: each gets the guard.
std::string Guard(const std::string& ptx, const std::string& guard) {
  if (ptx[0] != '{') return guard + ptx;
  std::string out = "{ " + guard;
  for (size_t k = 2; k < ptx.size(); ++k) {
    out.push_back(ptx[k]);
    if (ptx[k] == ' ' && ptx[k - 1] == ';' && ptx[k + 1] != '}') out += guard;
  }
  return out;
}

// The result register, set to a pattern before the instruction, and how to store it at row `offset` of the output.
std::string RunAndStore(const Form& form, const std::string& guard, int offset) {
  std::string store = " [%row0+" + std::to_string(offset) + "], ";
  std::string instruction = Guard(form.ptx, guard) + "\n";
  if (form.d == Operand::kPred) {
    return "setp.ne.u32 %d, 1, 0;\n" + instruction + "selp.b32 %r11, 1, 0, %d;\nst.global.b32" + store + "%r11;\n";
  }
  std::string bits = std::to_string(8 * BytesOf(form.d));
  std::string pattern = BytesOf(form.d) == 8 ? "0x5A5A5A5A5A5A5A5A" : BytesOf(form.d) == 4 ? "0x5A5A5A5A" : "0x5A5A";
  return "mov.b" + bits + " %d, " + pattern + ";\n" + instruction + "st.global.b" + bits + store + "%d;\n";
}

std::string FormKernel(const Form& form) {
  std::string d_type = form.d == Operand::kPred ? ".pred" : ".b" + std::to_string(8 * BytesOf(form.d));
  std::string body = ".reg .b64 %row0, %row1, %row2, %row3;\n.reg " + d_type + " %d;\n";
  body +=
      "mul.wide.u32 %rd10, %g, 8; add.u64 %row1, %rd1, %rd10; add.u64 %row2, %rd2, %rd10; add.u64 %row3, %rd3, "
      "%rd10;\n";
  body += "mul.wide.u32 %rd10, %g, 16; add.u64 %row0, %rd0, %rd10;\n";
  body += LoadOperand("%a", form.a, 1) + LoadOperand("%b", form.b, 2) + LoadOperand("%c", form.c, 3);
  body += RunAndStore(form, "", 0);
  body += "mul.lo.u32 %r12, %g, 0x9E3779B1; shr.u32 %r12, %r12, 30; setp.eq.u32 %p15, %r12, 1;\n";  // a quarter of the
                                                                                                    // lanes
  body += RunAndStore(form, "@%p15 ", 8);
  return Kernel(body);
}

bool Guarded(uint32_t row) { return (row * 0x9E3779B1u) >> 30 == 1; }

uint64_t Truncate(uint64_t v, Operand o) { return BytesOf(o) == 8 ? v : v & ((uint64_t{1} << (8 * BytesOf(o))) - 1); }

bool IsNan(uint64_t v, Operand o) {
  switch (o) {
    case Operand::kF16:
      return (v & 0x7C00) == 0x7C00 && (v & 0x3FF) != 0;
    case Operand::kBF16:
      return (v & 0x7F80) == 0x7F80 && (v & 0x7F) != 0;
    case Operand::kF32:
    case Operand::kNormal:
    case Operand::kAngle:
      return std::isnan(Cast<float>(v));
    case Operand::kF64:
      return std::isnan(Cast<double>(v));
    default:
      return false;
  }
}

bool Same(uint64_t got, uint64_t want, Operand o) {
  if (o == Operand::kF16x2 || o == Operand::kBF16x2) {
    Operand part = o == Operand::kF16x2 ? Operand::kF16 : Operand::kBF16;
    return Same(got & 0xFFFF, want & 0xFFFF, part) && Same(got >> 16 & 0xFFFF, want >> 16 & 0xFFFF, part);
  }
  return got == want || (IsNan(got, o) && IsNan(want, o));
}

void CheckForm(const Form& form) {
  SCOPED_TRACE(form.ptx);
  const std::string ptx = FormKernel(form);
  EXPECT_TRUE(Reaches(ptx, form.key)) << "does not run handler " << form.key;
  Rows rows = MakeRows(form);
  KernelHarness harness;
  harness.Load(ptx);
  if (::testing::Test::HasFatalFailure()) return;
  const uint32_t n = static_cast<uint32_t>(rows.a.size());
  DevicePtr out = harness.Allocate(n * 16, "output");
  Ran ran =
      harness.Launch({n / 32}, {32}, {out, harness.Upload(rows.a), harness.Upload(rows.b), harness.Upload(rows.c)});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
  std::vector<uint64_t> got = harness.Download<uint64_t>(out, 2 * n);
  const uint64_t untouched = form.d == Operand::kPred ? 1 : Truncate(kUntouched, form.d);
  int wrong = 0;
  for (uint32_t row = 0; row < n && wrong < 5; ++row) {
    uint64_t a = rows.a[row], b = rows.b[row], c = rows.c[row], all = Truncate(got[2 * row], form.d);
    bool right = form.judge ? form.judge(a, b, c, all) : Same(all, Truncate(form.oracle(a, b, c), form.d), form.d);
    if (!right) {
      ++wrong;
      ADD_FAILURE() << std::hex << "a=" << a << " b=" << b << " c=" << c << " got " << all << " want "
                    << (form.oracle ? Truncate(form.oracle(a, b, c), form.d) : 0);
    }
    uint64_t some = Truncate(got[2 * row + 1], form.d), want = Guarded(row) ? all : untouched;
    if (!Same(some, want, form.d)) {
      ++wrong;
      ADD_FAILURE() << std::hex << "with some lanes off: row " << row << " got " << some << " want " << want;
    }
  }
}

}  // namespace

void CheckForms(const std::vector<Form>& forms) {
  for (const Form& form : forms) CheckForm(form);
}

bool Reaches(const std::string& ptx, const std::string& key) {
  Handler handler = MachineHandlers().Find(key.c_str());
  if (handler == nullptr) return false;
  Result<ptx::Module> module = ptx::Parse(ptx);
  if (!module) return false;
  SymbolAddresses symbols;
  for (const ptx::Variable& v : module->variables) symbols[v.name] = 256;
  for (const ptx::Function& f : module->functions) {
    if (!f.is_entry || f.prototype.name != "k") continue;
    std::unique_ptr<Program> program = Decode(*module, f, symbols, MachineHandlers());
    for (const FunctionCode& code : program->functions) {
      for (const Inst& inst : code.code) {
        if (inst.handler == handler) return true;
      }
    }
  }
  return false;
}

}  // namespace warpgrade::emulator
