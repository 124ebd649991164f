// Reads each form of opcodes.def once. A modifier becomes a number, alternatives become a set of numbers, and an
// operand becomes its kind and the source of its type. Comparing an instruction with a form then takes a few bit tests.
// Tested by tests/emulator/refused_test.cc.
#include "grader/emulator/program/instruction_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <string_view>
#include <unordered_map>

#include "grader/emulator/program/decoder.h"

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

constexpr size_t kMostModifiers = 512;
using Modifiers = std::bitset<kMostModifiers>;

enum class Want : uint8_t { kValue, kAny, kAddress, kLabel, kTable, kConstant, kVector, kParts, kRegisters, kVideo };
enum class TypeFrom : uint8_t { kLast, kFirst, kTwiceLast, kFixed, kPointer };

struct OperandForm {
  std::string_view name;
  Want want = Want::kValue;
  TypeFrom type_from = TypeFrom::kLast;
  Type fixed = Type::kNone;
  bool loose = false;  // the register may be wider than the type
  bool negatable = false;
  bool optional = false;
  bool after_bar = false;  // the second operand of a pair
  bool is_destination() const { return name == "d" || name == "e"; }
};

struct ModifierForm {
  Modifiers any_of;
  bool optional = false;
};

struct Form {
  const char* text = "";
  std::string operands_text;  // "d, a, b" without types, for messages
  std::vector<ModifierForm> modifiers;
  std::vector<OperandForm> operands;
};

struct OpcodeForms {
  std::vector<Form> forms;
  Modifiers known;  // of all forms
};

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1)) {
    parts.push_back(text.substr(0, end));
  }
  parts.push_back(text);
  return parts;
}

class FormReader {
 public:
  std::vector<OpcodeForms> all;  // by Opcode::index
  std::unordered_map<std::string_view, size_t> numbers;
  std::vector<std::string> mistakes;

  FormReader() {
    const ptx::OpcodeSpan opcodes = ptx::Opcodes();
    all.resize(opcodes.count);
    for (size_t k = 0; k < opcodes.count; ++k) {
      opcode_ = &opcodes.rows[k];
      for (size_t f = 0; f < opcode_->form_count; ++f) Read(opcode_->forms[f], &all[k]);
    }
  }

 private:
  void Mistake(std::string_view what) { mistakes.push_back(fmt::format("{} {}: {}", opcode_->name, form_, what)); }

  // "x|y|SET"
  Modifiers Alternatives(std::string_view text) {
    Modifiers any_of;
    for (std::string_view name : Split(text, '|')) {
      if (name.empty()) {
        Mistake("a modifier without a name");
      } else if (const char* members = ptx::ModifierSet(name)) {
        any_of |= Alternatives(members);
      } else if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string_view::npos) {
        Mistake(fmt::format("there is no MODIFIER_SET {}", name));
      } else {
        const size_t number = numbers.emplace(name, numbers.size()).first->second;
        if (number < kMostModifiers) any_of.set(number);
      }
    }
    return any_of;
  }

  void ReadModifiers(std::string_view text, Form* form) {
    while (!text.empty()) {
      ModifierForm m;
      m.optional = text.starts_with("{.");
      if (!m.optional && text[0] != '.') return Mistake("a modifier must begin with a point");
      text.remove_prefix(m.optional ? 2 : 1);
      const size_t end = m.optional ? text.find('}') : text.find_first_of(".{");
      if (m.optional && end == std::string_view::npos) return Mistake("a '}' is missing");
      m.any_of = Alternatives(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : m.optional ? end + 1 : end);
      form->modifiers.push_back(m);
    }
  }

  void ReadType(std::string_view word, OperandForm* o) {
    if (word == "1" || word == "1loose") {
      o->type_from = TypeFrom::kFirst;
      o->loose = word == "1loose";
      return;
    }
    if (word == "wide") o->type_from = TypeFrom::kTwiceLast;
    if (word == "pointer") o->type_from = TypeFrom::kPointer;
    if (word == "any") o->want = Want::kAny;
    if (word == "vector") o->want = Want::kVector;
    if (word == "parts") o->want = Want::kParts;
    if (word == "registers") o->want = Want::kRegisters;
    if (word == "video") o->want = Want::kVideo;
    o->loose = word == "loose" || word == "vector";
    if (o->type_from != TypeFrom::kLast || o->want != Want::kValue || o->loose) return;
    o->type_from = TypeFrom::kFixed;
    o->fixed = ptx::TypeFromName(word.data(), word.size());
    if (o->fixed == Type::kNone) Mistake(fmt::format("'{}' is not the type of an operand", word));
  }

  // One operand, without braces, commas and bars.
  void ReadOperand(std::string_view text, bool optional, bool after_bar, Form* form) {
    OperandForm o;
    o.optional = optional;
    o.after_bar = after_bar;
    if ((o.negatable = text.starts_with("!"))) text.remove_prefix(1);
    const size_t colon = text.find(':');
    o.name = text.substr(0, colon);
    if (o.name == "label") o.want = Want::kLabel;
    if (o.name == "table") o.want = Want::kTable;
    if (o.name == "imm") o.want = Want::kConstant;
    if (o.name.starts_with("[") && o.name.ends_with("]")) o.want = Want::kAddress;
    if (o.want == Want::kValue && o.name.size() != 1)
      Mistake(fmt::format("'{}' is not the name of an operand", o.name));
    if (colon != std::string_view::npos) ReadType(text.substr(colon + 1), &o);
    form->operands_text += after_bar ? "|" : form->operands.empty() ? "" : ", ";
    form->operands_text += o.name;
    form->operands.push_back(o);
  }

  void Read(const char* text, OpcodeForms* to) {
    form_ = text;
    Form form;
    form.text = text;
    std::string_view rest = text;
    const size_t blank = rest.find(' ');
    ReadModifiers(rest.substr(0, blank), &form);
    rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
    bool optional = false, after_bar = false;
    while (!rest.empty()) {
      const size_t end = rest.find_first_of(",|{} ");
      if (end != 0) ReadOperand(rest.substr(0, end), optional, after_bar, &form);
      if (end == std::string_view::npos) break;
      if (end != 0) after_bar = false;
      if (rest[end] == '{') optional = true;
      if (rest[end] == '}') optional = false;
      if (rest[end] == '|') after_bar = true;
      rest.remove_prefix(end + 1);
    }
    if (optional) Mistake("a '}' is missing");
    if (numbers.size() > kMostModifiers) Mistake("kMostModifiers is too small");
    for (const ModifierForm& m : form.modifiers) to->known |= m.any_of;
    to->forms.push_back(std::move(form));
  }

  const ptx::Opcode* opcode_ = nullptr;
  std::string_view form_;
};

const FormReader& Table() {
  static const auto* table = new FormReader;
  return *table;
}

// True if each modifier has a place in the form, and each required modifier is there. The order is free, with one
// exception: two places that could take the same modifier, such as the types of cvt, are filled in the order of the
// instruction.
bool TakesModifiers(const Form& form, const std::vector<size_t>& numbers) {
  uint64_t filled = 0;
  for (const size_t number : numbers) {
    bool found = false;
    for (size_t k = 0; k < form.modifiers.size() && !found; ++k) {
      if ((filled >> k & 1) != 0 || !form.modifiers[k].any_of.test(number)) continue;
      filled |= uint64_t{1} << k;
      found = true;
    }
    if (!found) return false;
  }
  for (size_t k = 0; k < form.modifiers.size(); ++k) {
    if (!form.modifiers[k].optional && (filled >> k & 1) == 0) return false;
  }
  return true;
}

enum class Class : uint8_t { kBits, kInteger, kFloat, kPredicate };

Class ClassOf(Type t) {
  switch (t) {
    case Type::kPred:
      return Class::kPredicate;
    case Type::kU8:
    case Type::kU16:
    case Type::kU32:
    case Type::kU64:
    case Type::kS8:
    case Type::kS16:
    case Type::kS32:
    case Type::kS64:
      return Class::kInteger;
    case Type::kF16:
    case Type::kF16x2:
    case Type::kBF16:
    case Type::kBF16x2:
    case Type::kF32:
    case Type::kF32x2:
    case Type::kF64:
      return Class::kFloat;
    default:
      return Class::kBits;
  }
}

std::string TypeName(Type t) { return t == Type::kPred ? "predicate" : std::string(".") + ptx::Name(t); }

// Compares one instruction with one form whose modifiers match.
class Comparison {
 public:
  Comparison(const ptx::Function& function, const Instruction& i) : function_(function), i_(i) {}

  // Returns "" or what is wrong.
  std::string Operands(const Form& form) {
    size_t must = 0;
    for (const OperandForm& o : form.operands) must += o.optional ? 0 : 1;
    const bool pairs = form.operands.size() > 1 && form.operands[1].after_bar;
    if (i_.pair && !pairs) return "it has no second destination behind a '|'";
    if (pairs && !i_.pair && !form.operands[1].optional) return "its second destination, behind a '|', is missing";
    if (pairs && i_.pair && form.operands[1].optional) ++must;
    const size_t given = i_.operands.size();
    size_t extra = given < must ? 0 : given - must, at = 0;
    for (const OperandForm& o : form.operands) {
      if (o.after_bar && !i_.pair) continue;
      if (o.optional && !o.after_bar) {
        if (extra == 0) continue;
        --extra;
      }
      if (at == given) break;
      if (std::string why = Check(o, i_.operands[at]); !why.empty()) return why;
      ++at;
    }
    if (given < must || at < given) return fmt::format("{} operand{} given", given, given == 1 ? " is" : "s are");
    return "";
  }

 private:
  Type TypeOf(const OperandForm& o) const {
    switch (o.type_from) {
      case TypeFrom::kFirst:
        return FirstType(i_);
      case TypeFrom::kFixed:
        return o.fixed;
      case TypeFrom::kPointer:
        return Type::kNone;
      default:
        return LastType(i_);
    }
  }

  int VectorOfModifiers() const { return i_.Has("v2") ? 2 : i_.Has("v4") ? 4 : i_.Has("v8") ? 8 : 1; }

  std::string Check(const OperandForm& form, const Operand& o) {
    switch (form.want) {
      case Want::kAddress:
        return CheckAddress(form, o);
      case Want::kLabel:
        return o.kind == OperandKind::kLabel ? "" : "the label is missing";
      case Want::kTable:
        return o.kind == OperandKind::kSymbol ? "" : "the .branchtargets list is missing";
      case Want::kConstant:
        return o.kind == OperandKind::kImmediate ? "" : fmt::format("{} must be a constant", Named(form, o));
      case Want::kAny:
        return o.kind == OperandKind::kRegister || o.kind == OperandKind::kImmediate
                   ? ""
                   : fmt::format("{} must be a register or a constant", Named(form, o));
      case Want::kVector:
        return CheckVector(form, o);
      case Want::kParts:
        return CheckParts(form, o);
      case Want::kRegisters:
        return CheckRegisters(form, o);
      case Want::kVideo:
        return CheckValue(form, o, Type::kB32, 4, false);
      case Want::kValue:
        break;
    }
    const Type type = TypeOf(form);
    const int bytes = ptx::SizeOf(type) * (form.type_from == TypeFrom::kTwiceLast ? 2 : 1);
    return CheckValue(form, o, type, bytes, form.loose);
  }

  std::string CheckAddress(const OperandForm& form, const Operand& o) const {
    if (o.kind != OperandKind::kAddress) return fmt::format("{} is no address", form.name);
    if (o.reg < 0) return "";
    const ptx::Register& base = function_.registers[static_cast<size_t>(o.reg)];
    const int size = ptx::SizeOf(base.type);
    const bool holds_addresses = (size == 4 || size == 8) && ClassOf(base.type) != Class::kFloat && base.vector == 1;
    if (holds_addresses) return "";
    return fmt::format("{} is a {} where an address of 32 or 64 bits is wanted", base.name, TypeName(base.type));
  }

  // Requires as many elements as .v2 or .v4 says.
  std::string CheckVector(const OperandForm& form, const Operand& o) {
    const size_t count = static_cast<size_t>(VectorOfModifiers());
    const Type type = TypeOf(form);
    if (o.kind != OperandKind::kVector) {
      if (count != 1) return fmt::format("{} must be {} registers in braces", Named(form, o), count);
      return CheckValue(form, o, type, ptx::SizeOf(type), true);
    }
    if (o.elements.size() != count) {
      return fmt::format("{} has {} elements where .v says {}", form.name, o.elements.size(), count);
    }
    for (const Operand& e : o.elements) {
      if (std::string why = CheckValue(form, e, type, ptx::SizeOf(type), true); !why.empty()) return why;
    }
    return "";
  }

  // Accepts a value, or in braces two or four parts that make up the type.
  std::string CheckParts(const OperandForm& form, const Operand& o) {
    const Type type = TypeOf(form);
    if (o.kind != OperandKind::kVector) return CheckValue(form, o, type, ptx::SizeOf(type), false);
    const size_t count = o.elements.size();
    if (ClassOf(type) != Class::kBits) return fmt::format("only .b types are made of parts, not {}", TypeName(type));
    if (count != 2 && count != 4) return fmt::format("{} has {} parts; 2 or 4 are possible", form.name, count);
    const int bytes = ptx::SizeOf(type) / static_cast<int>(count);
    for (const Operand& e : o.elements) {
      if (e.kind == OperandKind::kSink && form.is_destination()) continue;
      if (std::string why = CheckValue(form, e, Type::kNone, bytes, false); !why.empty()) return why;
    }
    return "";
  }

  std::string CheckRegisters(const OperandForm& form, const Operand& o) {
    if (o.kind != OperandKind::kVector) return CheckRegister(form, o);
    for (const Operand& e : o.elements) {
      if (std::string why = CheckRegister(form, e); !why.empty()) return why;
    }
    return "";
  }

  std::string CheckRegister(const OperandForm& form, const Operand& o) {
    const bool is_constant = o.kind == OperandKind::kImmediate && !form.is_destination();
    if (o.kind != OperandKind::kRegister && !is_constant) return fmt::format("{} is no register", Named(form, o));
    if (o.kind == OperandKind::kRegister && TypeOfRegister(o) == Type::kPred) {
      return fmt::format("{} is a predicate where a value is wanted", Named(form, o));
    }
    return Extras(form, o);
  }

  // Accepts a register, constant, address of a symbol or special register that holds `bytes` bytes of `type`. With 0
  // bytes, it accepts any integer of 32 or 64 bits.
  std::string CheckValue(const OperandForm& form, const Operand& o, Type type, int bytes, bool loose) {
    const Class wanted = type == Type::kNone && bytes != 0 ? Class::kBits : ClassOf(type);
    switch (o.kind) {
      case OperandKind::kSink:
        return form.is_destination() ? "" : fmt::format("{} cannot be left out", form.name);
      case OperandKind::kRegister:
        return CheckRegisterType(form, o, type, bytes, loose);
      case OperandKind::kImmediate: {
        if (form.is_destination()) return "its destination is a constant";
        const bool is_float = o.immediate_type == Type::kF32 || o.immediate_type == Type::kF64;
        if (wanted == Class::kInteger && is_float) return "a constant with a fraction stands for an integer";
        if ((type == Type::kF32 || type == Type::kF64) && !is_float && !loose) {
          return fmt::format("an integer constant stands for a {}; write 0f... or 0d... or a decimal point",
                             TypeName(type));
        }
        return "";
      }
      case OperandKind::kSymbol:
        if (form.is_destination() || wanted == Class::kFloat || wanted == Class::kPredicate) {
          return fmt::format("the address {} cannot stand here", o.name);
        }
        return "";
      case OperandKind::kSpecial:
        if (form.is_destination()) return fmt::format("the special register %{} cannot be written", o.name);
        if (wanted == Class::kFloat || wanted == Class::kPredicate) {
          return fmt::format("the special register %{} is an integer where a {} is wanted", o.name, TypeName(type));
        }
        return "";
      default:
        return fmt::format("{} must be a single register{}", form.name, form.is_destination() ? "" : " or constant");
    }
  }

  std::string CheckRegisterType(const OperandForm& form, const Operand& o, Type type, int bytes, bool loose) {
    const Type have = TypeOfRegister(o);
    const Class is = ClassOf(have), wanted = bytes == 0 && type == Type::kNone ? Class::kInteger : ClassOf(type);
    const auto mismatch = [&] {
      const std::string want =
          type == Type::kPred   ? "predicate"
          : type == Type::kNone ? (bytes == 0 ? "32-bit or 64-bit integer" : fmt::format("value of {} bits", bytes * 8))
          : bytes != ptx::SizeOf(type) ? fmt::format("value of {} bits", bytes * 8)
                                       : TypeName(type);
      return fmt::format("{} is a {} where a {} is wanted", Named(form, o), TypeName(have), want);
    };
    if ((is == Class::kPredicate) != (wanted == Class::kPredicate)) return mismatch();
    if (is == Class::kPredicate) return Extras(form, o);
    const int size = ptx::SizeOf(have);
    if (bytes == 0 ? size < 4 || size > 8 : loose ? size < bytes : size != bytes) return mismatch();
    const bool mixed = (is == Class::kInteger && wanted == Class::kFloat) ||
                       (is == Class::kFloat && wanted == Class::kInteger) ||
                       (is == Class::kFloat && wanted == Class::kFloat && (have != type || size != bytes));
    if (mixed && form.want != Want::kVideo) return mismatch();
    return Extras(form, o);
  }

  // Checks what stands before or after a register.
  std::string Extras(const OperandForm& form, const Operand& o) const {
    if (o.kind != OperandKind::kRegister) return "";
    const bool is_video = form.want == Want::kVideo;
    if (o.negated && !form.negatable && !is_video) return fmt::format("{} cannot be negated", Named(form, o));
    if (o.part[0] != 0 && !is_video) return fmt::format("only video instructions take {}.{}", Named(form, o), o.part);
    const ptx::Register& r = function_.registers[static_cast<size_t>(o.reg)];
    if (o.sub >= 0 || r.vector > 1) return fmt::format("{} is a vector register, which is not emulated", r.name);
    return "";
  }

  Type TypeOfRegister(const Operand& o) const { return function_.registers[static_cast<size_t>(o.reg)].type; }

  std::string Named(const OperandForm& form, const Operand& o) const {
    if (o.kind == OperandKind::kRegister) return function_.registers[static_cast<size_t>(o.reg)].name;
    return std::string(form.name);
  }

  const ptx::Function& function_;
  const Instruction& i_;
};

// The forms as the table spells them, with sets written out, cut off if the text gets long.
std::string Allowed(const ptx::Opcode& opcode) {
  constexpr size_t kLongest = 400;
  std::string all;
  for (size_t k = 0; k < opcode.form_count; ++k) {
    std::string_view rest = opcode.forms[k];
    rest = rest.substr(0, rest.find(' '));
    std::string text = opcode.name;
    while (!rest.empty()) {
      const size_t end = std::min(rest.size(), rest.find_first_of(".|{}"));
      const std::string_view word = rest.substr(0, end);
      const char* members = word.empty() ? nullptr : ptx::ModifierSet(word);
      text += members != nullptr ? members : std::string(word);
      if (end == rest.size()) break;
      text += rest[end];
      rest.remove_prefix(end + 1);
    }
    if (all.size() + text.size() > kLongest) return all + (all.empty() ? text.substr(0, kLongest) : "") + ", ...";
    all += (all.empty() ? "" : ", ") + text;
  }
  return all;
}

}  // namespace

std::string WhatIsWrong(const ptx::Function& function, const Instruction& i) {
  const FormReader& table = Table();
  const OpcodeForms& opcode = table.all[i.known->index];
  std::vector<size_t> numbers;
  for (const std::string& m : i.modifiers) {
    const auto at = table.numbers.find(m);
    if (at == table.numbers.end() || !opcode.known.test(at->second)) {
      return fmt::format("{} has no .{} here; it takes {}", i.opcode, m, Allowed(*i.known));
    }
    numbers.push_back(at->second);
  }
  Comparison comparison(function, i);
  std::string wrong;
  for (const Form& form : opcode.forms) {
    if (!TakesModifiers(form, numbers)) continue;
    std::string why = comparison.Operands(form);
    if (why.empty()) return "";
    if (wrong.empty()) wrong = fmt::format("{}; it takes {} {}", why, SpellingOf(i), form.operands_text);
  }
  if (!wrong.empty()) return wrong;
  return fmt::format("{} does not take these modifiers together; it takes {}", i.opcode, Allowed(*i.known));
}

std::vector<std::string> MistakesOfTheOpcodeTable() { return Table().mistakes; }

}  // namespace warpgrade::emulator
