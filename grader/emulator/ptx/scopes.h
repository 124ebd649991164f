// The names of one function: registers, variables and labels in nested { } scopes. Names point into the PTX text.
//
// Registers and variables are declared before use, so Find can look at once, from the innermost scope outwards. Labels
// may be used before they are defined, so a use waits (Refer) until its scope closes. If that scope does not define the
// label, the use waits in the enclosing scope. This lets inline PTX in braces use the same labels each time it is
// pasted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/emulator/ptx/module.h"
#include "grader/emulator/ptx/token_stream.h"

namespace warpgrade::ptx {

class Scopes {
 public:
  struct Binding {
    enum class Kind { kRegister, kVariable } kind;
    int32_t index;  // into Function::registers or Function::variables
  };
  enum class LabelKind { kCode, kBranchTargets, kPrototype };
  // Where a label is used: an operand, an entry of a .branchtargets list, or the prototype of a call.
  struct Reference {
    Token name;
    LabelKind wanted = LabelKind::kCode;
    bool in_list = false;  // `index` is into branch_targets, else into body
    int32_t index = 0;
    int32_t position = 0;  // operand of the instruction, entry of the list
  };

  Scopes(Function& function, TokenStream& tokens) : function_(function), tokens_(tokens) { scopes_.emplace_back(); }

  void Open(const Token& brace);
  // Resolves the labels of the innermost scope. `is_last`: no scope encloses it, so an unknown label is an error.
  void Close(bool is_last);

  void DeclareRegister(const Token& name, Type type, int vector);
  // %r<10>: %r0 to %r9.
  void DeclareRegisters(const Token& prefix, int64_t count, Type type, int vector);
  void DeclareVariable(const Token& name, Variable variable);
  std::optional<Binding> Find(std::string_view name) const;

  void DefineLabel(const Token& name, LabelKind kind, int32_t index);
  void Refer(const Reference& reference) { scopes_.back().waiting.push_back(reference); }

 private:
  struct Range {
    int32_t first = 0;
    int64_t count = 0;
  };
  struct Label {
    LabelKind kind;
    int32_t index;
  };
  struct Scope {
    std::unordered_map<std::string_view, Binding> names;
    std::unordered_map<std::string_view, Range> ranges;
    std::unordered_map<std::string_view, Label> labels;
    std::vector<Reference> waiting;
  };

  static std::optional<Binding> FindIn(const Scope& scope, std::string_view name);
  void Bind(const Token& name, Binding binding);
  void Settle(const Reference& reference, const Label& label);

  Function& function_;
  TokenStream& tokens_;
  std::vector<Scope> scopes_;
};

}  // namespace warpgrade::ptx
