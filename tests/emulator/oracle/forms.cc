#include "tests/emulator/oracle/forms.h"

namespace warpgrade::oracle {
namespace {

using Rows = std::vector<Form>;

struct Integer {
  const char* name;
  int bits;
  char cls;
};
constexpr Integer kWords[] = {{"u16", 16, 'h'}, {"s16", 16, 'h'}, {"u32", 32, 'r'},
                              {"s32", 32, 'r'}, {"u64", 64, 'd'}, {"s64", 64, 'd'}};
constexpr Integer kBits[] = {{"b16", 16, 'h'}, {"b32", 32, 'r'}, {"b64", 64, 'd'}};

std::string Repeat(char c, int count) { return std::string(static_cast<size_t>(count), c); }
// All joined with dots: ("add", "s32") is add.s32.
std::string Dot(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& p : parts) {
    if (!p.empty()) all += (all.empty() ? "" : ".") + p;
  }
  return all;
}

void AddComparisons(Rows* rows, const std::vector<std::string>& names, const std::string& type, char cls) {
  for (const std::string& c : names) {
    std::string operands = Repeat(cls, 2);
    rows->push_back({Dot({"setp", c, type}), "p" + operands});
    rows->push_back({Dot({"setp", c, type}), "P" + operands});
    for (const char* join : {"and", "or", "xor"}) {
      rows->push_back({Dot({"setp", c, join, type}), "p" + operands + "q"});
      rows->push_back({Dot({"setp", c, join, type}), "P" + operands + "q"});
    }
  }
}

Rows IntegerArithmetic() {
  Rows rows;
  for (const Integer& t : kWords) {
    for (const char* op : {"add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"}) {
      rows.push_back({Dot({op, t.name}), Repeat(t.cls, 3)});
    }
    for (const char* op : {"mad.lo", "mad.hi", "sad"}) rows.push_back({Dot({op, t.name}), Repeat(t.cls, 4)});
    if (t.name[0] == 's') {
      for (const char* op : {"neg", "abs"}) rows.push_back({Dot({op, t.name}), Repeat(t.cls, 2)});
    }
    if (t.bits == 64) continue;
    char wide = t.bits == 16 ? 'r' : 'd';
    rows.push_back({Dot({"mul.wide", t.name}), wide + Repeat(t.cls, 2)});
    rows.push_back({Dot({"mad.wide", t.name}), wide + Repeat(t.cls, 2) + wide});
  }
  for (const char* t : {"u32", "s32"}) {
    rows.push_back({Dot({"mul24.lo", t}), "rrr"});
    rows.push_back({Dot({"mad24.lo", t}), "rrrr"});
    for (const char* u : {"u32", "s32"}) {
      for (const char* op : {"dp4a", "dp2a.lo", "dp2a.hi"}) rows.push_back({Dot({op, t, u}), "rrrr"});
    }
  }
  rows.push_back({"add.sat.s32", "rrr"});
  rows.push_back({"sub.sat.s32", "rrr"});
  return rows;
}

Rows BitOperations() {
  Rows rows;
  for (const Integer& t : kBits) {
    for (const char* op : {"and", "or", "xor"}) rows.push_back({Dot({op, t.name}), Repeat(t.cls, 3)});
    for (const char* op : {"not", "cnot"}) rows.push_back({Dot({op, t.name}), Repeat(t.cls, 2)});
    rows.push_back({Dot({"shl", t.name}), Repeat(t.cls, 2) + "a"});
    if (t.bits == 16) continue;
    for (const char* op : {"popc", "clz"}) rows.push_back({Dot({op, t.name}), std::string("r") + t.cls});
    rows.push_back({Dot({"brev", t.name}), Repeat(t.cls, 2)});
    rows.push_back({Dot({"bfi", t.name}), Repeat(t.cls, 3) + "aa"});
  }
  for (const Integer& t : kWords) {
    rows.push_back({Dot({"shr", t.name}), Repeat(t.cls, 2) + "a"});
    if (t.bits == 16) continue;
    rows.push_back({Dot({"bfe", t.name}), Repeat(t.cls, 2) + "aa"});
    rows.push_back({Dot({"bfind", t.name}), std::string("r") + t.cls});
    rows.push_back({Dot({"bfind.shiftamt", t.name}), std::string("r") + t.cls});
  }
  for (const char* way : {"l.clamp", "l.wrap", "r.clamp", "r.wrap"}) rows.push_back({Dot({"shf", way, "b32"}), "rrra"});
  for (const char* way : {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) {
    rows.push_back({Dot({"prmt.b32", way}), "rrrr"});
  }
  for (const char* way : {"clamp.u32", "clamp.s32", "wrap.u32", "wrap.s32"})
    rows.push_back({Dot({"szext", way}), "rra"});
  rows.push_back({"fns.b32", "rrko"});
  rows.push_back({"bmsk.clamp.b32", "raa"});
  rows.push_back({"bmsk.wrap.b32", "raa"});
  for (int copy = 0; copy < 3; ++copy) rows.push_back({"lop3.b32", "rrrri"});
  for (const char* op : {"and", "or", "xor"}) rows.push_back({Dot({op, "pred"}), "ppp"});
  rows.push_back({"not.pred", "pp"});
  rows.push_back({"mov.pred", "pp"});
  return rows;
}

Rows IntegerComparisons() {
  Rows rows;
  for (const Integer& t : kWords) {
    AddComparisons(&rows, {"eq", "ne", "lt", "le", "gt", "ge"}, t.name, t.cls);
    if (t.name[0] == 'u') AddComparisons(&rows, {"lo", "ls", "hi", "hs"}, t.name, t.cls);
  }
  return rows;
}

Rows FloatComparisons() {
  Rows rows;
  const std::vector<std::string> names = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                          "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  AddComparisons(&rows, names, "f32", 'f');
  AddComparisons(&rows, names, "ftz.f32", 'f');
  AddComparisons(&rows, names, "f64", 'D');
  AddComparisons(&rows, names, "f16", 'e');
  for (const char* kind : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
    rows.push_back({Dot({"testp", kind, "f32"}), "pf"});
    rows.push_back({Dot({"testp", kind, "f64"}), "pD"});
  }
  return rows;
}

Rows Selections() {
  Rows rows;
  struct Named {
    const char* name;
    char cls;
  };
  constexpr Named kAll[] = {{"b16", 'h'}, {"u16", 'h'}, {"s16", 'h'}, {"b32", 'r'}, {"u32", 'r'}, {"s32", 'r'},
                            {"b64", 'd'}, {"u64", 'd'}, {"s64", 'd'}, {"f32", 'f'}, {"f64", 'D'}};
  for (const Named& t : kAll) {
    rows.push_back({Dot({"selp", t.name}), Repeat(t.cls, 3) + "p"});
    if (t.cls == 'h') continue;
    rows.push_back({Dot({"slct", t.name, "s32"}), Repeat(t.cls, 3) + "r"});
    rows.push_back({Dot({"slct", t.name, "f32"}), Repeat(t.cls, 3) + "f"});
  }
  for (const char* c : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    for (const Named& t : kAll) {
      if (t.cls == 'h' || t.name[0] == 'b') continue;
      for (const char* d : {"u32", "s32", "f32"}) {
        std::string classes = (d[0] == 'f' ? "f" : "r") + Repeat(t.cls, 2);
        rows.push_back({Dot({"set", c, d, t.name}), classes});
        rows.push_back({Dot({"set", c, "and", d, t.name}), classes + "q"});
      }
    }
  }
  for (const Named& t : kAll) rows.push_back({Dot({"mov", t.name}), Repeat(t.cls, 2)});
  return rows;
}

Rows Floats() {
  Rows rows;
  for (const char* ftz : {"", "ftz"}) {
    for (const char* round : {"rn", "rz", "rm", "rp"}) {
      for (const char* op : {"add", "sub", "mul"}) {
        rows.push_back({Dot({op, round, ftz, "f32"}), "fff"});
        if (*ftz == 0) rows.push_back({Dot({op, round, "f64"}), "DDD"});
      }
      rows.push_back({Dot({"add", round, ftz, "f32x2"}), "FFF"});
      rows.push_back({Dot({"fma", round, ftz, "f32"}), "ffff"});
      rows.push_back({Dot({"div", round, ftz, "f32"}), "fff"});
      for (const char* op : {"rcp", "sqrt"}) rows.push_back({Dot({op, round, ftz, "f32"}), "ff"});
      if (*ftz != 0) continue;
      rows.push_back({Dot({"fma", round, "f64"}), "DDDD"});
      rows.push_back({Dot({"mad", round, "f64"}), "DDDD"});
      rows.push_back({Dot({"div", round, "f64"}), "DDD"});
      for (const char* op : {"rcp", "sqrt"}) rows.push_back({Dot({op, round, "f64"}), "DD"});
    }
    for (const char* op : {"add", "sub", "mul"}) {
      rows.push_back({Dot({op, ftz, "f32"}), "fff"});
      rows.push_back({Dot({op, ftz, "sat.f32"}), "fff"});
    }
    rows.push_back({Dot({"add", ftz, "f32x2"}), "FFF"});
    rows.push_back({Dot({"fma.rn", ftz, "sat.f32"}), "ffff"});
    for (const char* op : {"min", "max"}) {
      rows.push_back({Dot({op, ftz, "f32"}), "fff"});
      rows.push_back({Dot({op, ftz, "NaN.f32"}), "fff"});
      if (*ftz == 0) rows.push_back({Dot({op, "f64"}), "DDD"});
    }
    for (const char* op : {"abs", "neg"}) {
      rows.push_back({Dot({op, ftz, "f32"}), "ff"});
      if (*ftz == 0) rows.push_back({Dot({op, "f64"}), "DD"});
    }
  }
  rows.push_back({"copysign.f32", "fff"});
  rows.push_back({"copysign.f64", "DDD"});
  return rows;
}

Rows Halves() {
  Rows rows;
  struct Named {
    const char* name;
    char cls;
  };
  for (const Named& t : {Named{"f16", 'e'}, Named{"f16x2", 'E'}, Named{"bf16", 'b'}, Named{"bf16x2", 'B'}}) {
    for (const char* op : {"add", "sub", "mul", "min", "max"}) rows.push_back({Dot({op, t.name}), Repeat(t.cls, 3)});
    for (const char* op : {"add", "sub", "mul"}) rows.push_back({Dot({op, "rn", t.name}), Repeat(t.cls, 3)});
    for (int copy = 0; copy < 2; ++copy) rows.push_back({Dot({"fma.rn", t.name}), Repeat(t.cls, 4)});
    for (const char* op : {"neg", "abs"}) rows.push_back({Dot({op, t.name}), Repeat(t.cls, 2)});
  }
  return rows;
}

constexpr const char* kCompares[] = {"eq", "ne", "lt", "le", "gt", "ge"};

Rows ScalarVideo() {
  Rows rows;
  // Plain, saturated into a part, merged into a part, and with a second operation.
  auto add = [&rows](const std::string& op, const std::string& types, const std::string& mode, const char* second) {
    rows.push_back({Dot({op, types, mode}), "rvv"});
    rows.push_back({Dot({op, types, mode}), "wvvr"});
    rows.push_back({Dot({op, types, mode, second}), "rvvr"});
    rows.push_back({Dot({op, types, "sat", mode}), "wvvr"});
    rows.push_back({Dot({op, types, "sat", mode, second}), "rvvr"});
  };
  for (const char* op : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}) {
    add(op, "u32.u32.u32", "", "add");
    add(op, "s32.s32.s32", "", "min");
    add(op, "s32.u32.s32", "", "max");
    add(op, "u32.s32.s32", "", "min");
  }
  for (const char* op : {"vshl", "vshr"}) {
    for (const char* mode : {"clamp", "wrap"}) {
      add(op, "u32.u32.u32", mode, "max");
      add(op, "s32.s32.u32", mode, "add");
    }
  }
  for (const char* c : kCompares) {
    for (const char* types : {"u32.u32", "s32.s32", "s32.u32"}) {
      rows.push_back({Dot({"vset", types, c}), "rvv"});
      rows.push_back({Dot({"vset", types, c}), "wvvr"});
    }
    for (const char* second : {"add", "min", "max"}) rows.push_back({Dot({"vset.u32.s32", c, second}), "rvvr"});
  }
  for (const char* types : {"u32.u32.u32", "s32.s32.s32", "s32.s32.u32", "s32.u32.s32"}) {
    for (const char* scale : {"", "shr7", "shr15"}) {
      for (const char* classes : {"rvvr", "rnvr", "rvnr", "rvvm"}) {
        rows.push_back({Dot({"vmad", types, "sat", scale}), classes});
      }
      rows.push_back({Dot({"vmad", types, scale}), "rvvr"});
      rows.push_back({Dot({"vmad", types, "po", scale}), "rvvr"});
    }
  }
  return rows;
}

Rows SimdVideo() {
  Rows rows;
  for (const char* lanes : {"2", "4"}) {
    const char* classes = *lanes == '2' ? "yxxr" : "YXXr";
    for (const char* op : {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg"}) {
      for (const char* types : {"u32.u32.u32", "s32.s32.s32", "s32.u32.s32", "u32.s32.u32"}) {
        for (const char* end : {"", "sat", "add"})
          rows.push_back({Dot({std::string(op) + lanes, types, end}), classes});
      }
    }
    for (const char* c : kCompares) {
      for (const char* types : {"u32.u32", "s32.s32", "u32.s32"}) {
        rows.push_back({Dot({std::string("vset") + lanes, types, c}), classes});
        rows.push_back({Dot({std::string("vset") + lanes, types, c, "add"}), classes});
      }
    }
  }
  return rows;
}

// Registers may be wider than the type that they hold.
std::string ClassesFor(int bits) { return bits <= 16 ? "hrd" : bits == 32 ? "rd" : "d"; }

constexpr Integer kIntegers[] = {{"u8", 8, 'h'},   {"s8", 8, 'h'},   {"u16", 16, 'h'}, {"s16", 16, 'h'},
                                 {"u32", 32, 'r'}, {"s32", 32, 'r'}, {"u64", 64, 'd'}, {"s64", 64, 'd'}};

Rows IntegerConversions() {
  Rows rows;
  for (const Integer& to : kIntegers) {
    for (const Integer& from : kIntegers) {
      for (char d : ClassesFor(to.bits)) {
        for (char s : ClassesFor(from.bits)) {
          rows.push_back({Dot({"cvt", to.name, from.name}), std::string{d, s}});
          rows.push_back({Dot({"cvt.sat", to.name, from.name}), std::string{d, s}});
        }
      }
    }
  }
  return rows;
}

Rows MixedConversions() {
  Rows rows;
  struct Named {
    const char* name;
    char cls;
  };
  constexpr Named kFloats[] = {{"f16", 'e'}, {"f32", 'f'}, {"f64", 'D'}};
  for (const Integer& t : kIntegers) {
    for (const Named& f : kFloats) {
      for (const char* round : {"rni", "rzi", "rmi", "rpi"}) {
        for (char d : ClassesFor(t.bits)) {
          rows.push_back({Dot({"cvt", round, t.name, f.name}), std::string{d, f.cls}});
          if (f.cls == 'f') rows.push_back({Dot({"cvt", round, "ftz", t.name, f.name}), std::string{d, f.cls}});
        }
        rows.push_back({Dot({"cvt", round, "sat", t.name, f.name}), std::string{t.cls, f.cls}});
      }
      for (char s : ClassesFor(t.bits)) {
        rows.push_back({Dot({"cvt.rn", f.name, t.name}), std::string{f.cls, s}});
        for (const char* round : {"rz", "rm", "rp"}) {
          bool inexact = (f.cls == 'f' && t.bits >= 32) || (f.cls == 'D' && t.bits == 64);
          if (inexact) rows.push_back({Dot({"cvt", round, f.name, t.name}), std::string{f.cls, s}});
        }
      }
    }
  }
  return rows;
}

Rows FloatConversions() {
  Rows rows;
  for (const char* round : {"rn", "rz", "rm", "rp"}) {
    rows.push_back({Dot({"cvt", round, "f32.f64"}), "fD"});
    rows.push_back({Dot({"cvt", round, "ftz.f32.f64"}), "fD"});
  }
  for (const char* round : {"rni", "rzi", "rmi", "rpi"}) {
    rows.push_back({Dot({"cvt", round, "f32.f32"}), "ff"});
    rows.push_back({Dot({"cvt", round, "ftz.f32.f32"}), "ff"});
    rows.push_back({Dot({"cvt", round, "f64.f64"}), "DD"});
    rows.push_back({Dot({"cvt", round, "f16.f16"}), "ee"});
  }
  for (const Form& f : {Form{"cvt.rn.sat.f32.f64", "fD"}, Form{"cvt.f64.f32", "Df"}, Form{"cvt.ftz.f64.f32", "Df"},
                        Form{"cvt.f32.f16", "fe"}, Form{"cvt.ftz.f32.f16", "fe"}, Form{"cvt.f64.f16", "De"},
                        Form{"cvt.rn.f16.f32", "ef"}, Form{"cvt.rn.ftz.f16.f32", "ef"},
                        Form{"cvt.rn.sat.f16.f32", "ef"}, Form{"cvt.rn.f16.f64", "eD"}, Form{"cvt.rn.bf16.f32", "bf"},
                        Form{"cvt.rz.bf16.f32", "bf"}, Form{"cvt.f32.bf16", "fb"}, Form{"cvt.rn.f16x2.f32", "Eff"},
                        Form{"cvt.rn.bf16x2.f32", "Bff"}, Form{"cvt.sat.f32.f32", "ff"},
                        Form{"cvt.ftz.sat.f32.f32", "ff"}, Form{"cvt.f32.f32", "ff"}, Form{"cvt.sat.f64.f64", "DD"}}) {
    rows.push_back(f);
  }
  return rows;
}

}  // namespace

const std::vector<std::vector<Form>>& Forms() {
  static const auto* forms =
      new std::vector<Rows>{IntegerArithmetic(),  IntegerArithmetic(), BitOperations(),    IntegerComparisons(),
                            FloatComparisons(),   Selections(),        Floats(),           Halves(),
                            IntegerConversions(), MixedConversions(),  FloatConversions(), ScalarVideo(),
                            SimdVideo()};
  return *forms;
}

const char* RegisterType(char c) {
  switch (c) {
    case 'h':
    case 'e':
    case 'b':
      return ".b16";
    case 'd':
    case 'F':
      return ".b64";
    case 'f':
      return ".f32";
    case 'D':
      return ".f64";
    case 'p':
      return ".pred";
    default:
      return ".b32";
  }
}

const char* RegisterPrefix(char c) {
  switch (c) {
    case 'h':
      return "%h";
    case 'r':
      return "%r";
    case 'd':
      return "%d";
    case 'f':
      return "%f";
    case 'F':
      return "%ff";
    case 'D':
      return "%fd";
    case 'e':
      return "%e";
    case 'E':
      return "%ee";
    case 'b':
      return "%b";
    case 'B':
      return "%bb";
    default:
      return "%p";
  }
}

int RegisterBytes(char c) {
  switch (c) {
    case 'h':
    case 'e':
    case 'b':
      return 2;
    case 'd':
    case 'D':
    case 'F':
      return 8;
    case 'p':
      return 0;
    default:
      return 4;
  }
}

bool IsFloatClass(char c) { return std::string_view("fFDeEbB").find(c) != std::string_view::npos; }

}  // namespace warpgrade::oracle
