// Variables: `.space .align n .vN .type name[bounds] = initialiser`, also as parameters.
// Covered by tests/emulator/ptx/variables_test.cc.
#include <algorithm>
#include <string>

#include "grader/emulator/ptx/parser_state.h"

namespace warpgrade::ptx {
namespace {

constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 40;
constexpr uint64_t kMaxInitialBytes = uint64_t{256} << 20;  // of a module
constexpr size_t kMaxBounds = 16;

Space SpaceFromName(std::string_view name) {
  if (name == "reg") return Space::kReg;
  if (name == "const") return Space::kConst;
  if (name == "global") return Space::kGlobal;
  if (name == "local") return Space::kLocal;
  if (name == "param") return Space::kParam;
  if (name == "shared") return Space::kShared;
  return Space::kNone;
}

bool IsPowerOfTwo(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

Variable Parser::DeclarationHead(const Linkage& linkage) {
  Variable head;
  head.is_extern = linkage.is_extern;
  head.is_visible = linkage.is_visible;
  head.is_weak = linkage.is_weak;
  const Token first = tokens_.Expect(TokenKind::kDotted, "a state space such as .global, .shared or .param");
  head.space = SpaceFromName(first.text);
  if (head.space == Space::kNone) tokens_.Fail(first, "a state space such as .global, .shared or .param");
  while (tokens_.At(TokenKind::kDotted)) {
    const Token word = tokens_.Next();
    if (Attribute(&head, word)) continue;
    if (head.type != Type::kNone) tokens_.Fail(word, "a name after the type");
    head.type = TypeFromName(word.text.data(), word.text.size());
    if (head.type == Type::kNone) {
      tokens_.Fail(word, "a type such as .b32 (textures, surfaces and samplers are not supported)");
    }
  }
  if (head.type == Type::kNone) tokens_.Fail("a type such as .b32");
  if (head.type == Type::kPred && head.space != Space::kReg) tokens_.Fail("a type other than .pred in memory");
  if (head.alignment == 0)
    head.alignment = std::max<uint64_t>(1, static_cast<uint64_t>(SizeOf(head.type)) * head.vector);
  return head;
}

// Takes a word that may stand between the space and the name, other than the type. Returns false if `word` is no such
// word.
bool Parser::Attribute(Variable* variable, const Token& word) {
  if (word.text == "align") {
    const Token number = tokens_.Peek();
    const int64_t alignment = tokens_.ExpectCount(int64_t{1} << 20, "an alignment");
    if (!IsPowerOfTwo(alignment)) tokens_.Fail(number, "an alignment that is a power of two");
    // After .ptr it is the alignment of the memory that the parameter points to, which the emulator does not need.
    if (variable->type == Type::kNone) variable->alignment = alignment;
    return true;
  }
  if (word.text == "v2" || word.text == "v4" || word.text == "v8") {
    variable->vector = static_cast<int8_t>(word.text[1] - '0');
    return true;
  }
  if (word.text == "attribute") {
    tokens_.Expect("(");
    while (!tokens_.AtEnd() && !tokens_.At(")")) {
      const Token token = tokens_.Next();
      if (token.kind == TokenKind::kDotted && token.text == "managed") variable->is_managed = true;
    }
    tokens_.Expect(")");
    return true;
  }
  if (word.text == "ptr") {
    if (tokens_.At(TokenKind::kDotted) && SpaceFromName(tokens_.Peek().text) != Space::kNone) tokens_.Next();
    return true;
  }
  return false;
}

Token Parser::Declarator(Variable* variable, bool may_initialise) {
  const Token name = tokens_.Expect(TokenKind::kIdentifier, "a name");
  variable->name = name.text;
  bool is_unsized = false;
  std::vector<uint64_t> bounds = ArrayBounds(&is_unsized);
  if (variable->vector > 1) bounds.push_back(variable->vector);
  if (tokens_.At("=")) {
    if (!may_initialise) tokens_.Fail("no initialiser here");
    tokens_.Next();
    Initialiser(variable, &bounds, is_unsized);
    is_unsized = false;
  }
  uint64_t size = static_cast<uint64_t>(SizeOf(variable->type));
  for (const uint64_t bound : bounds) {
    if (bound != 0 && size > kMaxVariableBytes / bound) {
      tokens_.Fail(name, "a variable of at most 2^40 bytes");
      return name;
    }
    size *= bound;
  }
  variable->size = is_unsized ? 0 : size;
  return name;
}

// [2][3]; the first may be empty.
std::vector<uint64_t> Parser::ArrayBounds(bool* is_unsized) {
  std::vector<uint64_t> bounds;
  while (tokens_.Accept("[")) {
    if (bounds.empty() && tokens_.Accept("]")) {
      *is_unsized = true;
      bounds.push_back(0);
      continue;
    }
    const Token number = tokens_.Peek();
    const Constant bound = ParseConstant(tokens_);
    if (bound.IsFloat() || bound.bits > kMaxVariableBytes) tokens_.Fail(number, "an array bound of at most 2^40");
    if (bounds.size() >= kMaxBounds) tokens_.Fail(number, "at most 16 array bounds");
    bounds.push_back(bound.bits);
    tokens_.Expect("]");
  }
  return bounds;
}

void Parser::Initialiser(Variable* variable, std::vector<uint64_t>* bounds, bool is_unsized) {
  if (variable->space != Space::kGlobal && variable->space != Space::kConst) {
    return tokens_.Fail("initialisers only for .global and .const");
  }
  // An unsized array may have any length while its initialisers are read; after that its bound is known.
  if (is_unsized) bounds->front() = kMaxVariableBytes;
  const Token first = tokens_.Peek();
  if (bounds->empty()) {
    InitialiserValue(variable, 0);
  } else if (tokens_.At("{")) {
    const uint64_t count = InitialiserList(variable, *bounds, 0, 0);
    if (is_unsized) bounds->front() = count;
  } else {
    tokens_.Fail(first, "'{' before the values of an array");
  }
}

// {a, b, ...} of bounds[level] elements at most, the first at `offset`. Returns how many there are.
uint64_t Parser::InitialiserList(Variable* variable, const std::vector<uint64_t>& bounds, size_t level,
                                 uint64_t offset) {
  const bool is_innermost = level + 1 == bounds.size();
  uint64_t stride = SizeOf(variable->type);  // larger than any initialiser if it saturates
  for (size_t i = level + 1; i < bounds.size(); ++i) {
    const uint64_t bound = std::max<uint64_t>(bounds[i], 1);
    stride = stride > kMaxInitialBytes / bound ? kMaxInitialBytes + 1 : stride * bound;
  }
  uint64_t count = 0;
  tokens_.Expect("{");
  while (!tokens_.AtEnd() && !tokens_.At("}")) {
    if (count == bounds[level]) tokens_.Fail("'}' after as many values as the array has elements");
    const uint64_t place = offset + count * stride;
    if (place > kMaxInitialBytes) tokens_.Fail("initial values of at most 256 MiB");
    if (is_innermost) {
      InitialiserValue(variable, place);
    } else {
      InitialiserList(variable, bounds, level + 1, place);
    }
    ++count;
    if (!tokens_.At("}")) tokens_.Expect(",");
  }
  tokens_.Expect("}");
  return count;
}

// A constant, or an address: name, generic(name)+8, 0xFF00(name).
void Parser::InitialiserValue(Variable* variable, uint64_t offset) {
  const Token first = tokens_.Peek();
  const bool is_masked = first.kind == TokenKind::kNumber && tokens_.PeekSecond().Is("(");
  if (first.kind != TokenKind::kIdentifier && !is_masked) {
    const Constant value = ParseConstant(tokens_);
    return Write(variable, offset, BitsAs(variable->type, value), first);
  }
  CountNodes(1);
  Relocation relocation;
  relocation.offset = offset;
  relocation.size = SizeOf(variable->type);
  if (is_masked) {
    relocation.mask = ParseConstantTerm(tokens_).bits;
    tokens_.Expect("(");
    SymbolValue(&relocation);
    tokens_.Expect(")");
  } else {
    SymbolValue(&relocation);
  }
  relocation.addend += Offset();
  variable->relocations.push_back(std::move(relocation));
  Write(variable, offset, 0, first);
}

void Parser::SymbolValue(Relocation* relocation) {
  Token name = tokens_.Expect(TokenKind::kIdentifier, "the name of a variable or function");
  if (name.text == "generic" && tokens_.Accept("(")) {
    relocation->generic = true;
    name = tokens_.Expect(TokenKind::kIdentifier, "the name of a variable");
    tokens_.Expect(")");
  }
  relocation->symbol = name.text;
  relocation->addend = Offset();
  NoteSymbol(name);
}

void Parser::Write(Variable* variable, uint64_t offset, uint64_t bits, const Token& where) {
  const uint64_t size = SizeOf(variable->type);
  if (offset + size > variable->initial.size()) {
    initial_bytes_ += offset + size - variable->initial.size();
    if (initial_bytes_ > kMaxInitialBytes) return tokens_.Fail(where, "initial values of at most 256 MiB in a module");
    variable->initial.resize(offset + size);
  }
  for (uint64_t i = 0; i < size && i < sizeof bits; ++i) {
    variable->initial[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
  }
}

// (.param .b32 a, .reg .f32 b, .param .align 8 .b8 c[16]). Names are `_` in prototypes.
std::vector<Variable> Parser::Parameters(bool is_named, std::vector<Token>* names) {
  std::vector<Variable> parameters;
  tokens_.Expect("(");
  while (!tokens_.AtEnd() && !tokens_.At(")")) {
    CountNodes(1);
    const Token space = tokens_.Peek();
    Variable parameter = DeclarationHead({});
    if (parameter.space != Space::kParam && parameter.space != Space::kReg) {
      tokens_.Fail(space, "a parameter in .param or .reg");
    }
    if (is_named || tokens_.At(TokenKind::kIdentifier)) {
      names->push_back(Declarator(&parameter, false));
    }
    parameters.push_back(std::move(parameter));
    if (!tokens_.At(")")) tokens_.Expect(",");
  }
  tokens_.Expect(")");
  return parameters;
}

}  // namespace warpgrade::ptx
