// Logic, shifts, bit fields and byte permutation: PTX ISA 9.0, "Integer Arithmetic" and "Logic and Shift". Bit by bit.
#include <algorithm>
#include <vector>

#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {
namespace {

using ptx::Type;

uint64_t Bit(uint64_t v, int k) { return v >> k & 1; }

Rule PredicateRule(const std::string& op) {
  if (op == "and") return [](Step& s) { s.out = s.in[0] & s.in[1]; };
  if (op == "or") return [](Step& s) { s.out = s.in[0] | s.in[1]; };
  if (op == "xor") return [](Step& s) { s.out = s.in[0] ^ s.in[1]; };
  if (op == "not") return [](Step& s) { s.out = s.in[0] ^ 1; };
  if (op == "mov") return [](Step& s) { s.out = s.in[0]; };
  return nullptr;
}

Rule FunnelRule(const ptx::Instruction& i) {
  bool left = Has(i, "l"), wrap = Has(i, "wrap");
  return [=](Step& s) {
    uint64_t n = wrap ? s.in[2] & 31 : std::min<uint64_t>(s.in[2] & 0xFFFFFFFF, 32);
    uint64_t both = s.in[1] << 32 | (s.in[0] & 0xFFFFFFFF);
    s.out = left ? (n == 32 ? both : both << n >> 32) : both >> n;
  };
}

// The special modes of prmt: bytes of {b, a} picked by the low two bits of c, most significant first.
Rule PermuteRule(const ptx::Instruction& i) {
  struct Mode {
    const char* name;
    const char* rows[4];
  };
  static constexpr Mode kModes[] = {
      {"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}},
  };
  auto byte = [](const Step& s, int k) { return (k < 4 ? s.in[0] >> (8 * k) : s.in[1] >> (8 * (k - 4))) & 0xFF; };
  for (const Mode& m : kModes) {
    if (!Has(i, m.name)) continue;
    const char* const* rows = m.rows;
    return [=](Step& s) {
      s.out = 0;
      for (int k = 0; k < 4; ++k) s.out = s.out << 8 | byte(s, rows[s.in[2] & 3][k] - '0');
    };
  }
  return [=](Step& s) {
    s.out = 0;
    for (int k = 3; k >= 0; --k) {
      uint64_t selector = s.in[2] >> (4 * k) & 15, value = byte(s, static_cast<int>(selector & 7));
      if ((selector & 8) != 0) value = (value & 0x80) != 0 ? 0xFF : 0;
      s.out = s.out << 8 | value;
    }
  };
}

Rule FieldRule(const ptx::Instruction& i, int width, bool is_signed) {
  if (i.opcode == "bfe") {
    return [=](Step& s) {
      int position = static_cast<int>(s.in[1] & 0xFF), length = static_cast<int>(s.in[2] & 0xFF);
      uint64_t sign = !is_signed || length == 0 ? 0 : Bit(s.in[0], std::min(position + length - 1, width - 1));
      s.out = 0;
      for (int k = 0; k < width; ++k) {
        bool inside = k < length && position + k < width;
        s.out |= (inside ? Bit(s.in[0], position + k) : sign) << k;
      }
    };
  }
  return [=](Step& s) {
    int position = static_cast<int>(s.in[2] & 0xFF), length = static_cast<int>(s.in[3] & 0xFF);
    s.out = s.in[1];
    for (int k = 0; k < length && position + k < width; ++k) {
      s.out = (s.out & ~(uint64_t{1} << (position + k))) | Bit(s.in[0], k) << (position + k);
    }
  };
}

Rule CountRule(const ptx::Instruction& i, int width, bool is_signed) {
  const std::string op = i.opcode;
  bool shift_amount = Has(i, "shiftamt");
  return [=](Step& s) {
    int ones = 0, highest = -1;
    bool inverted = op == "bfind" && is_signed && Bit(s.in[0], width - 1) != 0;
    for (int k = 0; k < width; ++k) {
      bool on = (Bit(s.in[0], k) != 0) != inverted;
      ones += on ? 1 : 0;
      if (on) highest = k;
    }
    if (op == "popc") {
      s.out = static_cast<uint64_t>(ones);
    } else if (op == "clz") {
      s.out = static_cast<uint64_t>(width - 1 - highest);
    } else {
      s.out = highest < 0 ? 0xFFFFFFFF : static_cast<uint64_t>(shift_amount ? width - 1 - highest : highest);
    }
  };
}

Rule MaskRule(const ptx::Instruction& i) {
  bool wrap = Has(i, "wrap");
  return [=](Step& s) {
    auto bounded = [wrap](uint64_t v) { return wrap ? v & 31 : std::min<uint64_t>(v & 0xFFFFFFFF, 32); };
    s.out = 0;
    for (uint64_t k = bounded(s.in[0]); k < bounded(s.in[0]) + bounded(s.in[1]) && k < 32; ++k) {
      s.out |= uint64_t{1} << k;
    }
  };
}

// The low bits of a number, with its sign or with zeros above them. A clamped width of 32 or more keeps all.
Rule ExtendRule(const ptx::Instruction& i, bool is_signed) {
  bool wrap = Has(i, "wrap");
  return [=](Step& s) {
    uint64_t width = s.in[1] & 0xFFFFFFFF;
    if (wrap) width &= 31;
    if (width >= 32) {
      s.out = s.in[0];
    } else {
      s.out = width == 0 ? 0 : static_cast<uint64_t>(Number(s.in[0], static_cast<int>(width), is_signed));
    }
  };
}

// fns: the position of the n-th set bit of a mask from a base on, upwards or downwards.
void FindNthBit(Step& s) {
  const int base = static_cast<int>(s.in[1]);
  const int64_t offset = static_cast<int64_t>(Number(s.in[2], 32, true));
  std::vector<int> set;  // where the mask is 1, in the order of the search
  for (int k = base; k >= 0 && k < 32; k += offset < 0 ? -1 : 1) {
    if (Bit(s.in[0], k) != 0) set.push_back(k);
  }
  s.out = 0xFFFFFFFF;
  if (offset == 0) {
    if (Bit(s.in[0], base) != 0) s.out = s.in[1];
  } else if (const int64_t nth = offset < 0 ? -offset : offset; nth <= static_cast<int64_t>(set.size())) {
    s.out = static_cast<uint64_t>(set[static_cast<size_t>(nth - 1)]);
  }
}

}  // namespace

Rule BitRule(const ptx::Instruction& i) {
  const std::string& op = i.opcode;
  Type t = TypeFromEnd(i, 0);
  if (t == Type::kPred) return PredicateRule(op);
  if (op == "mov") return [](Step& s) { s.out = s.in[0]; };
  if (!IsInteger(t)) return nullptr;
  const int width = BitsOf(t);
  const bool is_signed = IsSigned(t);
  if (op == "and") return [](Step& s) { s.out = s.in[0] & s.in[1]; };
  if (op == "or") return [](Step& s) { s.out = s.in[0] | s.in[1]; };
  if (op == "xor") return [](Step& s) { s.out = s.in[0] ^ s.in[1]; };
  if (op == "not") return [](Step& s) { s.out = ~s.in[0]; };
  if (op == "cnot") return [=](Step& s) { s.out = Number(s.in[0], width, false) == 0 ? 1 : 0; };
  if (op == "shl") {
    return [=](Step& s) {
      uint64_t n = s.in[1] & 0xFFFFFFFF;
      s.out = n >= static_cast<uint64_t>(width) ? 0 : s.in[0] << n;
    };
  }
  if (op == "shr") {
    return [=](Step& s) {
      uint64_t n = std::min<uint64_t>(s.in[1] & 0xFFFFFFFF, static_cast<uint64_t>(width));
      s.out = static_cast<uint64_t>(Number(s.in[0], width, is_signed) >> n);
    };
  }
  if (op == "shf") return FunnelRule(i);
  if (op == "prmt") return PermuteRule(i);
  if (op == "bfe" || op == "bfi") return FieldRule(i, width, is_signed);
  if (op == "popc" || op == "clz" || op == "bfind") return CountRule(i, width, is_signed);
  if (op == "bmsk") return MaskRule(i);
  if (op == "szext") return ExtendRule(i, is_signed);
  if (op == "fns") return FindNthBit;
  if (op == "brev") {
    return [=](Step& s) {
      s.out = 0;
      for (int k = 0; k < width; ++k) s.out |= Bit(s.in[0], k) << (width - 1 - k);
    };
  }
  if (op == "lop3") {
    return [](Step& s) {
      s.out = 0;
      for (int k = 0; k < 32; ++k) {
        int row = static_cast<int>(Bit(s.in[0], k) * 4 + Bit(s.in[1], k) * 2 + Bit(s.in[2], k));
        s.out |= Bit(s.in[3], row) << k;
      }
    };
  }
  return nullptr;
}

}  // namespace warpgrade::oracle
