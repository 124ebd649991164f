// The state of the parser, shared by parser*.cc: one recursive descent, split by subject. parser.h is the public
// interface.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/emulator/ptx/constant.h"
#include "grader/emulator/ptx/debug_section.h"
#include "grader/emulator/ptx/locations.h"
#include "grader/emulator/ptx/module.h"
#include "grader/emulator/ptx/scopes.h"
#include "grader/emulator/ptx/token_stream.h"

namespace warpgrade::ptx {

struct Linkage {
  bool is_extern = false;
  bool is_visible = false;  // .visible, .weak, .common: known outside the module
  bool is_weak = false;     // .weak, .common
};

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text), text_size_(text.size()) {}
  Result<Module> Run();

 private:
  static constexpr uint64_t kMaxNodes = 2'000'000;  // each takes some 100 bytes

  // parser.cc: module scope.
  void Statement();
  void Version();
  void Target();
  void File();
  void Section();
  void PartsOfLocals();
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
  void FunctionDefinition(bool is_entry, const Linkage& linkage);
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
  std::string UniqueListName(const Token& label);
  void InstructionStatement();
  void Guard(Instruction* instruction);
  void Call(Instruction* instruction);
  std::vector<Operand> CallList();

  // parser_operands.cc.
  void CountBranchTargets(const Token& name);
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

  // Counts parts of the tree. Fails if hostile text makes too many.
  void CountNodes(int count) {
    nodes_ += count;
    if (nodes_ > kMaxNodes) tokens_.Fail("a module of at most 2 million instructions, operands and variables");
  }
  // The last function of this name, with a body if one has; null when there is none.
  const Function* FindFunction(std::string_view name) const;

  // Remembers a name that no function declares. It must be a module variable or a function, which CheckSymbols checks
  // at the end.
  void NoteSymbol(const Token& name) { symbols_.try_emplace(name.text, name); }

  TokenStream tokens_;
  size_t text_size_;
  Module module_;
  Locations locations_;
  uint64_t initial_bytes_ = 0;  // of all initialisers
  uint64_t declared_registers_ = 0;
  uint64_t nodes_ = 0;
  uint64_t branch_edges_ = 0;                               // of all brx to the targets of their lists
  std::unordered_map<std::string_view, size_t> functions_;  // by name: the definition, else the last declaration
  std::unordered_map<std::string_view, Token> symbols_;
  struct AliasPair {
    Token alias, aliasee;
  };
  std::vector<AliasPair> aliases_;
  DebugSection abbreviations_, info_;
  // Of the function being parsed.
  std::unordered_map<std::string_view, int> list_names_;  // how often a prototype or target list bore the name
  Function* function_ = nullptr;
  Scopes* scopes_ = nullptr;
};

}  // namespace warpgrade::ptx
