// The parser's insides, shared by parser*.cc: one recursive descent, split by subject. parser.h is the way in.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/emulator/ptx/constant.h"
#include "grader/emulator/ptx/locations.h"
#include "grader/emulator/ptx/module.h"
#include "grader/emulator/ptx/scopes.h"
#include "grader/emulator/ptx/token_stream.h"

namespace warpgrade::ptx {

struct Linkage {
  bool is_extern = false;
  bool is_visible = false;  // .visible, .weak, .common: known outside the module
};

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) {}
  Result<Module> Run();

 private:
  // parser.cc: module scope.
  void Statement();
  void Version();
  void Target();
  void File();
  void Section();
  void Alias();
  void Pragma();
  void FunctionOrVariable();
  void FinishAliases();
  void CheckSymbols();

  // parser_variables.cc: variables and their initialisers.
  // What comes before the names of a declaration: .shared .align 4 .b8. Takes tokens up to the first name.
  Variable DeclarationHead(const Linkage& linkage);
  bool Attribute(Variable* variable, const Token& word);
  // A name with its array bounds and initialiser, completing a copy of `head`.
  Token Declarator(Variable* variable, bool may_initialise);
  std::vector<uint64_t> ArrayBounds(bool* is_unsized);
  void Initialiser(Variable* variable, std::vector<uint64_t>* bounds, bool is_unsized);
  uint64_t InitialiserList(Variable* variable, const std::vector<uint64_t>& bounds, size_t level, uint64_t offset);
  void InitialiserValue(Variable* variable, uint64_t offset);
  void SymbolValue(Relocation* relocation);
  void Write(Variable* variable, uint64_t offset, uint64_t bits, const Token& where);
  std::vector<Variable> Parameters(bool is_named, std::vector<Token>* names);

  // parser_body.cc: functions, their statements, calls.
  void FunctionDefinition(bool is_entry);
  void FunctionDirectives();
  void Dimensions(int32_t (&dimensions)[3]);
  void Body();
  void BodyDirective();
  void Registers();
  void Location();
  void Label();
  void CallPrototype(const Token& label);
  void CallTargets(const Token& label);
  void BranchTargets(const Token& label);
  void InstructionStatement();
  void Guard(Instruction* instruction);
  void Call(Instruction* instruction);
  std::vector<Operand> CallList();

  // parser_operands.cc.
  void Operands(Instruction* instruction);
  Operand ParseOperand();
  Operand Simple();
  Operand Named();
  Operand Special(const Token& name);
  Operand Address();
  Operand Vector();
  // The sum of the +n and -n that follow.
  int64_t Offset();
  void LabelOperand(Instruction* instruction, Scopes::LabelKind kind);

  // A name that no function declares: must be a module variable or a function, as CheckSymbols finds in the end.
  void NoteSymbol(const Token& name) { symbols_.try_emplace(name.text, name); }

  TokenStream tokens_;
  Module module_;
  Locations locations_;
  uint64_t initial_bytes_ = 0;  // of all initialisers
  uint64_t declared_registers_ = 0;
  std::unordered_map<std::string_view, Token> symbols_;
  struct AliasPair {
    Token alias, aliasee;
  };
  std::vector<AliasPair> aliases_;
  // Of the function being parsed.
  Function* function_ = nullptr;
  Scopes* scopes_ = nullptr;
};

}  // namespace warpgrade::ptx
