// Functions: signature, directives, scopes, labels, .loc, instructions and calls.
// Covered by tests/emulator/ptx/{parser,scopes,instructions}_test.cc.
#include <string>

#include "grader/emulator/ptx/parser_state.h"

namespace warpgrade::ptx {
namespace {

constexpr uint64_t kMaxModuleRegisters = 2'000'000;
constexpr int64_t kMaxInt = INT32_MAX;
constexpr int kNodesOfAnInstruction = 4;  // because of its size

}  // namespace

// .func (returns) name (parameters) directives, and then ; or { body }. The .func itself has been read.
void Parser::FunctionDefinition(bool is_entry, const Linkage& linkage) {
  Function function;
  std::vector<Token> return_names;
  std::vector<Token> parameter_names;
  function.is_entry = is_entry;
  function.is_visible = linkage.is_visible;
  function.is_weak = linkage.is_weak;
  if (tokens_.At("(") && !is_entry) function.prototype.returns = Parameters(true, &return_names);
  const Token name = tokens_.Expect(TokenKind::kIdentifier, "the name of a function");
  function.prototype.name = name.text;
  function.ptx_line = name.line;
  if (tokens_.At("(")) function.prototype.parameters = Parameters(true, &parameter_names);

  Scopes scopes(function, tokens_);
  function_ = &function;
  list_names_.clear();
  scopes_ = &scopes;
  const auto declare = [&](const std::vector<Variable>& variables, const std::vector<Token>& names) {
    for (size_t i = 0; i < variables.size() && i < names.size(); ++i) {
      if (variables[i].space == Space::kReg) {
        function.variables.push_back(variables[i]);
        scopes.DeclareRegister(names[i], variables[i].type, variables[i].vector);
      } else {
        scopes.DeclareVariable(names[i], variables[i]);
      }
    }
  };
  declare(function.prototype.returns, return_names);
  declare(function.prototype.parameters, parameter_names);
  FunctionDirectives();
  if (!tokens_.Accept(";")) Body();
  CountBranchTargets(name);
  function_ = nullptr;
  scopes_ = nullptr;
  if (tokens_.failed()) return;
  const Function* known = FindFunction(name.text);
  if (known != nullptr && known->has_body && function.has_body) {
    return tokens_.FailWith(name, "found a second body of " + Describe(name) + ", expected one");
  }
  if (known == nullptr || !known->has_body) functions_[name.text] = module_.functions.size();
  module_.functions.push_back(std::move(function));
}

// Every brx can go to all targets of its list, so a few long lists that many of them share make a large graph.
void Parser::CountBranchTargets(const Token& name) {
  if (tokens_.failed()) return;
  for (const Instruction& i : function_->body) {
    if (!i.Is(kBranchesByIndex) || i.operands.size() < 2 || i.operands[1].target < 0) continue;
    branch_edges_ += function_->branch_targets[static_cast<size_t>(i.operands[1].target)].second.size();
  }
  if (branch_edges_ > kMaxNodes) tokens_.Fail(name, "at most 2 million targets of all brx in a module");
}

void Parser::FunctionDirectives() {
  while (tokens_.At(TokenKind::kDotted)) {
    const Token directive = tokens_.Peek();
    const std::string_view word = directive.text;
    if (word == "pragma") {
      Pragma();
      continue;
    }
    tokens_.Next();
    if (word == "maxntid") {
      Dimensions(function_->max_threads);
    } else if (word == "reqntid") {
      Dimensions(function_->required_threads);
    } else if (word == "minnctapersm") {
      function_->min_blocks_per_sm = static_cast<int32_t>(tokens_.ExpectCount(kMaxInt, "a number of blocks"));
    } else if (word == "noreturn") {
      function_->prototype.noreturn = true;
    } else if (word == "maxnreg" || word == "maxnctapersm" || word == "maxclusterrank" || word == "abi_preserve" ||
               word == "abi_preserve_control") {
      tokens_.ExpectCount(kMaxInt, "a number");
    } else if (word == "reqnctapercluster") {
      Dimensions(function_->cluster);
    } else if (word == "attribute" || word == "unified") {
      tokens_.Expect("(");
      while (!tokens_.AtEnd() && !tokens_.At(")")) tokens_.Next();
      tokens_.Expect(")");
    } else if (word != "explicitcluster" && word != "blocksareclusters") {
      tokens_.Fail(directive, "a function directive such as .maxntid, or '{'");
    }
  }
}

// 256, 1, 1: missing dimensions are 1.
void Parser::Dimensions(int32_t (&dimensions)[3]) {
  dimensions[0] = dimensions[1] = dimensions[2] = 1;
  int count = 0;
  do {
    const Token number = tokens_.Peek();
    const int64_t size = tokens_.ExpectCount(kMaxInt, "a number of threads");
    if (count == 3) return tokens_.Fail(number, "at most three dimensions");
    dimensions[count++] = static_cast<int32_t>(size);
  } while (tokens_.Accept(","));
}

void Parser::Body() {
  tokens_.Expect("{");
  function_->has_body = true;
  locations_.StartFunction();
  int depth = 1;
  while (depth > 0 && !tokens_.AtEnd()) {
    const Token& token = tokens_.Peek();
    if (token.Is("{")) {
      scopes_->Open(token);
      tokens_.Next();
      ++depth;
    } else if (token.Is("}")) {
      scopes_->Close(--depth == 0);
      tokens_.Accept("}");
    } else if (token.kind == TokenKind::kDotted) {
      BodyDirective();
    } else if (token.kind == TokenKind::kIdentifier && tokens_.PeekSecond().Is(":")) {
      Label();
    } else if (!tokens_.Accept(";")) {  // inline PTX leaves empty statements behind
      InstructionStatement();
    }
  }
  if (depth > 0) tokens_.Fail("'}' at the end of the function");
}

void Parser::BodyDirective() {
  const Token directive = tokens_.Peek();
  const std::string_view word = directive.text;
  if (word == "loc") return Location();
  if (word == "reg") return Registers();
  if (word == "pragma") return Pragma();
  if (word == "file") return File();
  if (word == "section") return Section();
  Linkage linkage;
  if (word == "extern") {
    linkage.is_extern = true;
    tokens_.Next();
  }
  const Variable head = DeclarationHead(linkage);
  do {
    Variable variable = head;
    const Token name = Declarator(&variable, true);
    CountNodes(1);
    if (!tokens_.failed()) scopes_->DeclareVariable(name, std::move(variable));
  } while (tokens_.Accept(","));
  tokens_.Expect(";");
}

// .reg .v4 .f32 a, b, %f<8>;
void Parser::Registers() {
  const Variable head = DeclarationHead({});
  do {
    const Token name = tokens_.Expect(TokenKind::kIdentifier, "the name of a register");
    if (tokens_.Accept("<")) {
      const int64_t count = tokens_.ExpectCount(kMaxInt, "a number of registers");
      tokens_.Expect(">");
      declared_registers_ += static_cast<uint64_t>(count);
      if (declared_registers_ > kMaxModuleRegisters) tokens_.Fail(name, "at most 2000000 registers in a module");
      if (!tokens_.failed()) scopes_->DeclareRegisters(name, count, head.type, head.vector);
    } else if (!tokens_.failed()) {
      scopes_->DeclareRegister(name, head.type, head.vector);
    }
  } while (tokens_.Accept(","));
  tokens_.Expect(";");
}

// .loc file line column [, function_name label [+ n], inlined_at file line column]
void Parser::Location() {
  tokens_.Next();
  const auto frame = [this] {
    SourceFrame result;
    result.file = static_cast<int32_t>(tokens_.ExpectCount(kMaxInt, "a file number"));
    result.line = static_cast<int32_t>(tokens_.ExpectCount(kMaxInt, "a line number"));
    result.column = static_cast<int32_t>(tokens_.ExpectCount(kMaxInt, "a column number"));
    return result;
  };
  const SourceFrame here = frame();
  bool is_inlined = false;
  SourceFrame caller;
  while (tokens_.Accept(",")) {
    const Token word = tokens_.Expect(TokenKind::kIdentifier, "function_name or inlined_at");
    if (word.text == "function_name") {
      tokens_.Expect(TokenKind::kIdentifier, "the label of a name");
      Offset();
    } else if (word.text == "inlined_at") {
      is_inlined = true;
      caller = frame();
    } else {
      tokens_.Fail(word, "function_name or inlined_at");
    }
  }
  if (!tokens_.failed()) locations_.Add(here, is_inlined ? &caller : nullptr);
}

void Parser::Label() {
  const Token name = tokens_.Next();
  tokens_.Expect(":");
  if (tokens_.At(TokenKind::kDotted)) {
    const std::string_view word = tokens_.Peek().text;
    if (word == "callprototype") return CallPrototype(name);
    if (word == "calltargets") return CallTargets(name);
    if (word == "branchtargets") return BranchTargets(name);
  }
  scopes_->DefineLabel(name, Scopes::LabelKind::kCode, static_cast<int32_t>(function_->body.size()));
}

// Instructions refer to prototypes and target lists by name, so a name that another scope has used gets a number: P,
// P#2.
std::string Parser::UniqueListName(const Token& label) {
  const int uses = ++list_names_[label.text];
  std::string name(label.text);
  if (uses > 1) name.append("#").append(std::to_string(uses));
  return name;
}

// label: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;
void Parser::CallPrototype(const Token& label) {
  tokens_.Next();
  std::vector<Token> names;
  Prototype prototype;
  prototype.name = UniqueListName(label);
  if (tokens_.At("(")) prototype.returns = Parameters(false, &names);
  tokens_.Expect(TokenKind::kIdentifier, "'_' in place of the function's name");
  if (tokens_.At("(")) prototype.parameters = Parameters(false, &names);
  while (tokens_.At(TokenKind::kDotted)) {
    const Token word = tokens_.Next();
    if (word.text == "noreturn") {
      prototype.noreturn = true;
    } else if (word.text == "abi_preserve" || word.text == "abi_preserve_control") {
      tokens_.ExpectCount(kMaxInt, "a number of registers");
    } else {
      tokens_.Fail(word, "'.noreturn' or ';'");
    }
  }
  tokens_.Expect(";");
  if (tokens_.failed()) return;
  scopes_->DefineLabel(label, Scopes::LabelKind::kPrototype, static_cast<int32_t>(function_->prototypes.size()));
  function_->prototypes.push_back(std::move(prototype));
}

// label: .calltargets f, g; the targets share one signature, so the first target's signature serves as the prototype.
void Parser::CallTargets(const Token& label) {
  tokens_.Next();
  const Token first = tokens_.Peek();
  do {
    NoteSymbol(tokens_.Expect(TokenKind::kIdentifier, "the name of a function"));
  } while (tokens_.Accept(","));
  tokens_.Expect(";");
  if (tokens_.failed()) return;
  Prototype prototype;
  if (first.text == function_->prototype.name) prototype = function_->prototype;
  if (const Function* target = FindFunction(first.text)) prototype = target->prototype;
  for (size_t i = 0; i < prototype.parameters.size(); ++i) CountNodes(1);
  if (prototype.name.empty()) return tokens_.Fail(first, "a function that is declared before");
  prototype.name = UniqueListName(label);
  scopes_->DefineLabel(label, Scopes::LabelKind::kPrototype, static_cast<int32_t>(function_->prototypes.size()));
  function_->prototypes.push_back(std::move(prototype));
}

// label: .branchtargets L1, L2;
void Parser::BranchTargets(const Token& label) {
  tokens_.Next();
  const int32_t list = static_cast<int32_t>(function_->branch_targets.size());
  function_->branch_targets.emplace_back(UniqueListName(label), std::vector<Operand>{});
  std::vector<Operand>& targets = function_->branch_targets.back().second;
  do {
    Scopes::Reference reference;
    reference.name = tokens_.Expect(TokenKind::kIdentifier, "a label");
    reference.in_list = true;
    reference.index = list;
    reference.position = static_cast<int32_t>(targets.size());
    CountNodes(1);
    Operand target;
    target.kind = OperandKind::kLabel;
    targets.push_back(std::move(target));
    scopes_->Refer(reference);
  } while (tokens_.Accept(","));
  tokens_.Expect(";");
  if (!tokens_.failed()) scopes_->DefineLabel(label, Scopes::LabelKind::kBranchTargets, list);
}

void Parser::InstructionStatement() {
  CountNodes(kNodesOfAnInstruction);
  Instruction instruction;
  instruction.ptx_line = tokens_.Peek().line;
  instruction.ptx_column = tokens_.Peek().column;
  instruction.location = locations_.current();
  if (tokens_.At("@")) Guard(&instruction);
  instruction.opcode = tokens_.Expect(TokenKind::kIdentifier, "an instruction").text;
  instruction.known = FindOpcode(instruction.opcode);
  while (tokens_.At(TokenKind::kDotted)) {
    CountNodes(1);
    if (!tokens_.failed()) instruction.modifiers.emplace_back(tokens_.Next().text);
  }
  if (instruction.Is(kCalls)) {
    Call(&instruction);
  } else if (!tokens_.At(";") && !tokens_.At("}")) {
    Operands(&instruction);
  }
  tokens_.Expect(";");
  if (!tokens_.failed()) function_->body.push_back(std::move(instruction));
}

void Parser::Guard(Instruction* instruction) {
  tokens_.Expect("@");
  instruction->guard_negated = tokens_.Accept("!");
  const Token name = tokens_.Expect(TokenKind::kIdentifier, "a predicate register");
  const auto binding = scopes_->Find(name.text);
  const bool is_predicate = binding && binding->kind == Scopes::Binding::Kind::kRegister &&
                            function_->registers[binding->index].type == Type::kPred;
  if (!is_predicate) return tokens_.Fail(name, "a predicate register");
  instruction->guard = binding->index;
}

// call (returns), callee, (arguments), prototype; all but the callee may be missing.
void Parser::Call(Instruction* instruction) {
  if (tokens_.At("(")) {
    instruction->call_returns = CallList();
    tokens_.Expect(",");
  }
  const Token callee = tokens_.Peek();
  instruction->callee = ParseOperand();
  const bool is_register = instruction->callee.kind == OperandKind::kRegister;
  if (!is_register && instruction->callee.kind != OperandKind::kSymbol) tokens_.Fail(callee, "a function to call");
  if (!tokens_.Accept(",")) return;
  if (tokens_.At("(")) {
    instruction->call_arguments = CallList();
    if (!tokens_.Accept(",")) return;
  }
  Scopes::Reference prototype;
  prototype.name = tokens_.Expect(TokenKind::kIdentifier, "a .callprototype or .calltargets");
  prototype.wanted = Scopes::LabelKind::kPrototype;
  prototype.index = static_cast<int32_t>(function_->body.size());
  scopes_->Refer(prototype);
}

std::vector<Operand> Parser::CallList() {
  std::vector<Operand> list;
  tokens_.Expect("(");
  while (!tokens_.AtEnd() && !tokens_.At(")")) {
    list.push_back(ParseOperand());
    if (!tokens_.At(")")) tokens_.Expect(",");
  }
  tokens_.Expect(")");
  return list;
}

}  // namespace warpgrade::ptx
