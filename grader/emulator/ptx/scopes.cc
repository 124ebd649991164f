// Name resolution within a function. Covered by tests/emulator/ptx/scopes_test.cc.
#include "grader/emulator/ptx/scopes.h"

#include <charconv>
#include <string>

namespace warpgrade::ptx {
namespace {

constexpr size_t kMaxScopes = 128;           // nested { } scopes; nvcc makes two or three
constexpr size_t kMaxRegisters = 1'000'000;  // of one function

const char* NameOf(Scopes::LabelKind kind) {
  switch (kind) {
    case Scopes::LabelKind::kCode:
      return "a label";
    case Scopes::LabelKind::kBranchTargets:
      return "a .branchtargets list";
    case Scopes::LabelKind::kPrototype:
      return "a .callprototype or .calltargets";
  }
  return "";
}

}  // namespace

void Scopes::Open(const Token& brace) {
  if (scopes_.size() >= kMaxScopes) return tokens_.Fail(brace, "scopes nested less deeply");
  scopes_.emplace_back();
}

void Scopes::Close(bool is_last) {
  Scope closing = std::move(scopes_.back());
  if (!is_last) scopes_.pop_back();
  for (const Reference& reference : closing.waiting) {
    const auto label = closing.labels.find(reference.name.text);
    if (label != closing.labels.end()) {
      Settle(reference, label->second);
    } else if (is_last) {
      tokens_.Fail(reference.name, std::string(NameOf(reference.wanted)) + " of this function");
    } else {
      scopes_.back().waiting.push_back(reference);
    }
  }
}

void Scopes::Settle(const Reference& reference, const Label& label) {
  if (label.kind != reference.wanted) {
    return tokens_.FailWith(reference.name, "found " + Describe(reference.name) + ", which is " + NameOf(label.kind) +
                                                ", expected " + NameOf(reference.wanted));
  }
  if (reference.in_list) {
    function_.branch_targets[reference.index].second[reference.position].target = label.index;
    return;
  }
  Instruction& instruction = function_.body[reference.index];
  switch (label.kind) {
    case LabelKind::kCode:
      instruction.operands[reference.position].target = label.index;
      break;
    case LabelKind::kBranchTargets:
      instruction.operands[reference.position].target = label.index;
      instruction.operands[reference.position].name = function_.branch_targets[label.index].first;
      break;
    case LabelKind::kPrototype:
      instruction.call_prototype = function_.prototypes[label.index].name;
      break;
  }
}

void Scopes::Bind(const Token& name, Binding binding) {
  if (FindIn(scopes_.back(), name.text)) {
    return tokens_.FailWith(name, "found a second declaration of " + Describe(name) + ", expected one in each scope");
  }
  scopes_.back().names.emplace(name.text, binding);
}

void Scopes::DeclareRegister(const Token& name, Type type, int vector) {
  if (function_.registers.size() >= kMaxRegisters) return tokens_.Fail(name, "at most 1000000 registers in a function");
  Bind(name, {Binding::Kind::kRegister, static_cast<int32_t>(function_.registers.size())});
  function_.registers.push_back({std::string(name.text), type, static_cast<int8_t>(vector)});
}

void Scopes::DeclareRegisters(const Token& prefix, int64_t count, Type type, int vector) {
  const size_t first = function_.registers.size();
  // Each register stores its name, so the number of registers times a long prefix must be limited.
  constexpr uint64_t kMaxNameBytes = 64 << 20;
  if (prefix.text.size() * static_cast<uint64_t>(count) > kMaxNameBytes) return tokens_.Fail(prefix, "a shorter name");
  if (first + static_cast<size_t>(count) > kMaxRegisters) {
    return tokens_.Fail(prefix, "at most 1000000 registers in a function");
  }
  const Range range{static_cast<int32_t>(first), count};
  if (!scopes_.back().ranges.emplace(prefix.text, range).second) {
    return tokens_.FailWith(
        prefix, "found a second declaration of '" + std::string(prefix.text) + "<...>', expected one in each scope");
  }
  function_.registers.reserve(first + count);
  for (int64_t i = 0; i < count; ++i) {
    function_.registers.push_back({std::string(prefix.text) + std::to_string(i), type, static_cast<int8_t>(vector)});
  }
}

void Scopes::DeclareVariable(const Token& name, Variable variable) {
  Bind(name, {Binding::Kind::kVariable, static_cast<int32_t>(function_.variables.size())});
  function_.variables.push_back(std::move(variable));
}

// %r12 is either a name of its own or number 12 of %r<...> (or, when the prefix ends in a digit, number 2 of %r1<...>).
std::optional<Scopes::Binding> Scopes::FindIn(const Scope& scope, std::string_view name) {
  if (const auto found = scope.names.find(name); found != scope.names.end()) return found->second;
  if (scope.ranges.empty()) return std::nullopt;
  constexpr size_t kMostDigits = 7;  // kMaxRegisters
  size_t split = name.size();
  while (split > 1 && name[split - 1] >= '0' && name[split - 1] <= '9' && name.size() - split < kMostDigits) --split;
  for (; split < name.size(); ++split) {
    const std::string_view digits = name.substr(split);
    if (digits.size() > 1 && digits[0] == '0') continue;
    const auto range = scope.ranges.find(name.substr(0, split));
    if (range == scope.ranges.end()) continue;
    int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (number >= range->second.count) continue;
    return Binding{Binding::Kind::kRegister, static_cast<int32_t>(range->second.first + number)};
  }
  return std::nullopt;
}

std::optional<Scopes::Binding> Scopes::Find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto binding = FindIn(*scope, name)) return binding;
  }
  return std::nullopt;
}

void Scopes::DefineLabel(const Token& name, LabelKind kind, int32_t index) {
  if (!scopes_.back().labels.emplace(name.text, Label{kind, index}).second) {
    tokens_.FailWith(name, "found a second label " + Describe(name) + ", expected one in each scope");
  }
}

}  // namespace warpgrade::ptx
