// Operands: registers, constants, symbols, addresses, vectors, special registers.
// Covered by tests/emulator/ptx/operands_test.cc.
#include <string>
#include <unordered_set>

#include "grader/emulator/ptx/parser_state.h"

namespace warpgrade::ptx {
namespace {

const std::unordered_map<std::string, int>& SpecialRegisters() {
  static const auto* const kRegisters = [] {
    auto* table = new std::unordered_map<std::string, int>;
    const auto family = [table](const std::string& prefix, int count, const std::string& suffix) {
      for (int i = 0; i < count; ++i) table->emplace((prefix + std::to_string(i)).append(suffix), 1);
    };
#define SPECIAL_REGISTER(name, parts) table->emplace(#name, parts);
#define SPECIAL_REGISTER_FAMILY(prefix, count, suffix) family(#prefix, count, suffix);
#include "grader/emulator/ptx/special_registers.def"
#undef SPECIAL_REGISTER
#undef SPECIAL_REGISTER_FAMILY
    return table;
  }();
  return *kRegisters;
}

// 0..3 for .x .y .z .w and .r .g .b .a, -1 for anything else.
int8_t Component(std::string_view name) {
  if (name.size() != 1) return -1;
  const size_t place = std::string_view("xyzwrgba").find(name[0]);
  return place == std::string_view::npos ? int8_t{-1} : static_cast<int8_t>(place % 4);
}

// Which bytes or halves of its operand a video instruction takes: b0..b7 or h0..h3, several for SIMD (b3210, h10).
bool IsVideoPart(std::string_view name) {
  if (name.size() < 2 || name.size() > 5 || (name[0] != 'b' && name[0] != 'h')) return false;
  const char last = name[0] == 'b' ? '7' : '3';
  for (char c : name.substr(1)) {
    if (c < '0' || c > last) return false;
  }
  return true;
}

}  // namespace

void Parser::Operands(Instruction* instruction) {
  if (instruction->Is(kBranches)) return LabelOperand(instruction, Scopes::LabelKind::kCode);
  const bool is_indexed_branch = instruction->Is(kBranchesByIndex);
  do {
    if (is_indexed_branch && instruction->operands.size() == 1) {
      LabelOperand(instruction, Scopes::LabelKind::kBranchTargets);
      continue;
    }
    instruction->operands.push_back(ParseOperand());
    if (tokens_.At("|")) {
      if (instruction->operands.size() != 1) return tokens_.Fail("'|' only between two destinations");
      tokens_.Next();
      instruction->pair = true;
      instruction->operands.push_back(ParseOperand());
    }
  } while (tokens_.Accept(","));
}

void Parser::LabelOperand(Instruction* instruction, Scopes::LabelKind kind) {
  Scopes::Reference reference;
  reference.name = tokens_.Expect(TokenKind::kIdentifier,
                                  kind == Scopes::LabelKind::kCode ? "a label" : "the name of a .branchtargets list");
  reference.wanted = kind;
  reference.index = static_cast<int32_t>(function_->body.size());
  reference.position = static_cast<int32_t>(instruction->operands.size());
  scopes_->Refer(reference);
  Operand operand;
  operand.kind = kind == Scopes::LabelKind::kCode ? OperandKind::kLabel : OperandKind::kSymbol;
  instruction->operands.push_back(std::move(operand));
}

Operand Parser::ParseOperand() {
  if (tokens_.At("[")) return Address();
  if (tokens_.At("{")) return Vector();
  return Simple();
}

// A register, symbol, special register, sink or constant.
Operand Parser::Simple() {
  CountNodes(1);
  const Token first = tokens_.Peek();
  if (first.kind == TokenKind::kIdentifier && first.text != "WARP_SZ") return Named();
  if (first.Is("!") && tokens_.PeekSecond().kind == TokenKind::kIdentifier) {
    tokens_.Next();
    const Token name = tokens_.Peek();
    Operand operand = Named();
    operand.negated = true;
    if (operand.kind != OperandKind::kRegister) tokens_.Fail(name, "a predicate register after '!'");
    return operand;
  }
  if (first.Is("-") && tokens_.PeekSecond().kind == TokenKind::kIdentifier && tokens_.PeekSecond().text[0] == '%') {
    tokens_.Next();
    const Token name = tokens_.Peek();
    Operand operand = Named();
    operand.negated = true;
    if (operand.kind != OperandKind::kRegister) tokens_.Fail(name, "a register after '-'");
    return operand;
  }
  const bool begins_constant = first.kind == TokenKind::kNumber || first.kind == TokenKind::kIdentifier ||
                               first.Is("-") || first.Is("+") || first.Is("~") || first.Is("!") || first.Is("(");
  Operand operand;
  if (!begins_constant) {
    tokens_.Fail("an operand");
    return operand;
  }
  const Constant value = ParseConstant(tokens_);
  operand.kind = OperandKind::kImmediate;
  operand.immediate_type = value.type;
  operand.bits = value.bits;
  return operand;
}

Operand Parser::Named() {
  const Token name = tokens_.Next();
  Operand operand;
  if (name.text == "_") return operand;
  const auto binding = scopes_->Find(name.text);
  if (binding && binding->kind == Scopes::Binding::Kind::kRegister) {
    operand.kind = OperandKind::kRegister;
    operand.reg = binding->index;
    if (tokens_.At(TokenKind::kDotted)) {
      const Token part = tokens_.Next();
      if (IsVideoPart(part.text)) {
        part.text.copy(operand.part, sizeof(operand.part) - 1);
        return operand;
      }
      operand.sub = Component(part.text);
      if (operand.sub < 0 || operand.sub >= function_->registers[binding->index].vector) {
        tokens_.Fail(part, "a component of a vector register: .x, .y, .z or .w");
      }
    }
    return operand;
  }
  if (!binding && name.text[0] == '%') return Special(name);
  operand.kind = OperandKind::kSymbol;
  operand.name = name.text;
  if (binding) {
    operand.variable = binding->index;
  } else {
    NoteSymbol(name);
  }
  operand.offset = Offset();
  return operand;
}

Operand Parser::Special(const Token& name) {
  Operand operand;
  operand.kind = OperandKind::kSpecial;
  operand.name = name.text.substr(1);
  const auto known = SpecialRegisters().find(operand.name);
  if (known == SpecialRegisters().end()) {
    tokens_.Fail(name, "a declared register or a special register such as %tid.x");
    return operand;
  }
  if (!tokens_.At(TokenKind::kDotted)) return operand;
  const Token part = tokens_.Next();
  if (known->second == 1 || Component(part.text) < 0) {
    tokens_.Fail(part, "a component of a special register: .x, .y, .z or .w");
  }
  operand.name += ".";
  operand.name += part.text;
  return operand;
}

// [%rd1], [%rd1+-8], [name+4], [16].
Operand Parser::Address() {
  CountNodes(1);
  tokens_.Expect("[");
  const Token base = tokens_.Peek();
  Operand operand;
  if (base.kind == TokenKind::kIdentifier) {
    operand = Named();
    const bool is_register = operand.kind == OperandKind::kRegister;
    if (!is_register && operand.kind != OperandKind::kSymbol) tokens_.Fail(base, "a register or a variable");
    if (is_register) operand.offset = Offset();
  } else {
    const Constant value = ParseConstant(tokens_);
    if (value.IsFloat()) tokens_.Fail(base, "an address");
    operand.offset = static_cast<int64_t>(value.bits);
  }
  operand.kind = OperandKind::kAddress;
  if (tokens_.At(",")) tokens_.Fail("']' (coordinates of textures, surfaces and tensors are not supported)");
  tokens_.Expect("]");
  return operand;
}

Operand Parser::Vector() {
  tokens_.Expect("{");
  Operand operand;
  operand.kind = OperandKind::kVector;
  while (!tokens_.AtEnd() && !tokens_.At("}")) {
    operand.elements.push_back(Simple());
    if (!tokens_.At("}")) tokens_.Expect(",");
  }
  tokens_.Expect("}");
  return operand;
}

int64_t Parser::Offset() {
  uint64_t sum = 0;
  while (tokens_.At("+") || tokens_.At("-")) {
    const bool is_minus = tokens_.Next().Is("-");
    const Token first = tokens_.Peek();
    const Constant term = ParseConstantTerm(tokens_);
    if (term.IsFloat()) tokens_.Fail(first, "a whole number of bytes");
    sum = is_minus ? sum - term.bits : sum + term.bits;
  }
  return static_cast<int64_t>(sum);
}

}  // namespace warpgrade::ptx
