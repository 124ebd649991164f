// Builds one kernel for each form, runs it over the rows of form_rows.cc and compares every lane with the oracle.
// vacuous_test.cc shows that the comparison can fail.
#include "tests/emulator/exec/form.h"

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/ptx/parser.h"
#include "tests/emulator/exec/form_rows.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kUntouched = 0x5A5A5A5A5A5A5A5A;

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
    if (!Accepts(form, a, b, c, all)) {
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
