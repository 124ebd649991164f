// Integer arithmetic and carries: PTX ISA 9.0, "Integer Arithmetic" and "Extended-Precision Integer Arithmetic".
#include <algorithm>

#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {
namespace {

using ptx::Type;
using Wide = __int128;

uint64_t Low(Wide v) { return static_cast<uint64_t>(v); }

// Half of the product: .lo, .hi or all of it (.wide).
Wide Product(const ptx::Instruction& i, uint64_t a, uint64_t b, int width, bool is_signed) {
  if (!is_signed) {
    unsigned __int128 p = static_cast<unsigned __int128>(Number(a, width, false)) *
                          static_cast<unsigned __int128>(Number(b, width, false));
    return static_cast<Wide>(Has(i, "hi") ? p >> width : p);
  }
  Wide p = Number(a, width, true) * Number(b, width, true);
  return Has(i, "hi") ? p >> width : p;
}

// add, sub, mad with .cc (sets the carry) and addc, subc, madc (use it). A subtraction's carry is its borrow.
Rule CarryRule(const ptx::Instruction& i, int width, bool is_signed) {
  const std::string op = i.opcode;
  bool uses = op == "addc" || op == "subc" || op == "madc", sets = Has(i, "cc");
  bool subtract = op == "sub" || op == "subc", product = op == "mad" || op == "madc";
  return [=](Step& s) {
    uint64_t x = s.in[0], y = s.in[1];
    if (product) {
      x = Low(Product(i, s.in[0], s.in[1], width, is_signed));
      y = s.in[2];
    }
    unsigned __int128 a = static_cast<unsigned __int128>(Number(x, width, false)),
                      b = static_cast<unsigned __int128>(Number(y, width, false)), c = uses && s.carry ? 1 : 0;
    unsigned __int128 sum = subtract ? a - b - c : a + b + c;
    s.out = static_cast<uint64_t>(sum);
    if (sets) s.carry = (sum >> width & 1) != 0;
  };
}

Rule DotRule(const ptx::Instruction& i) {
  bool four = i.opcode == "dp4a", high = Has(i, "hi");
  bool a_signed = IsSigned(TypeFromEnd(i, 1)), b_signed = IsSigned(TypeFromEnd(i, 0));
  return [=](Step& s) {
    Wide sum = static_cast<Wide>(s.in[2]);
    for (int k = 0; k < (four ? 4 : 2); ++k) {
      Wide a = four ? Number(s.in[0] >> (8 * k), 8, a_signed) : Number(s.in[0] >> (16 * k), 16, a_signed);
      int byte = four ? k : k + (high ? 2 : 0);
      sum += a * Number(s.in[1] >> (8 * byte), 8, b_signed);
    }
    s.out = Low(sum);
  };
}

}  // namespace

Rule IntegerRule(const ptx::Instruction& i) {
  const std::string& op = i.opcode;
  if (op == "dp4a" || op == "dp2a") return DotRule(i);
  Type t = TypeFromEnd(i, 0);
  if (!IsInteger(t)) return nullptr;
  const int width = BitsOf(t);
  const bool is_signed = IsSigned(t);
  if (Has(i, "cc") || op == "addc" || op == "subc" || op == "madc") return CarryRule(i, width, is_signed);
  auto number = [=](uint64_t v) { return Number(v, width, is_signed); };
  if (op == "mul24" || op == "mad24") {
    return [=](Step& s) {
      Wide p = Number(s.in[0], 24, is_signed) * Number(s.in[1], 24, is_signed);
      s.out = Low(p + (op == "mad24" ? static_cast<Wide>(s.in[2]) : 0));
    };
  }
  if (op == "mul" || op == "mad") {
    return [=](Step& s) { s.out = Low(Product(i, s.in[0], s.in[1], width, is_signed)) + (op == "mad" ? s.in[2] : 0); };
  }
  if ((op == "add" || op == "sub") && Has(i, "sat")) {
    return [=](Step& s) {
      Wide r = op == "add" ? number(s.in[0]) + number(s.in[1]) : number(s.in[0]) - number(s.in[1]);
      s.out = Low(std::clamp<Wide>(r, INT32_MIN, INT32_MAX));
    };
  }
  if (op == "add") return [](Step& s) { s.out = s.in[0] + s.in[1]; };
  if (op == "sub") return [](Step& s) { s.out = s.in[0] - s.in[1]; };
  // By zero: the machine gives all ones, and the dividend as remainder; the ISA leaves it open.
  if (op == "div") {
    return [=](Step& s) { s.out = number(s.in[1]) == 0 ? ~uint64_t{0} : Low(number(s.in[0]) / number(s.in[1])); };
  }
  if (op == "rem") {
    return [=](Step& s) { s.out = number(s.in[1]) == 0 ? s.in[0] : Low(number(s.in[0]) % number(s.in[1])); };
  }
  if (op == "min") return [=](Step& s) { s.out = number(s.in[0]) < number(s.in[1]) ? s.in[0] : s.in[1]; };
  if (op == "max") return [=](Step& s) { s.out = number(s.in[0]) > number(s.in[1]) ? s.in[0] : s.in[1]; };
  if (op == "neg") return [](Step& s) { s.out = 0 - s.in[0]; };
  if (op == "abs") return [=](Step& s) { s.out = number(s.in[0]) < 0 ? 0 - s.in[0] : s.in[0]; };
  if (op == "sad") {
    return [=](Step& s) {
      Wide d = number(s.in[0]) - number(s.in[1]);
      s.out = s.in[2] + Low(d < 0 ? -d : d);
    };
  }
  return nullptr;
}

}  // namespace warpgrade::oracle
