// Module scope: the header, .file, .section, .alias, and the start of functions and variables.
// Covered by tests/emulator/ptx/parser_test.cc.
#include "grader/emulator/ptx/parser.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "grader/emulator/ptx/dwarf.h"
#include "grader/emulator/ptx/parser_state.h"

namespace warpgrade::ptx {
namespace {

constexpr int64_t kMaxFileNumber = 65535;
constexpr size_t kMaxAliasedParts = 1'000'000;  // an alias copies its function
constexpr size_t kMaxText = size_t{64} << 20;

}  // namespace

Result<Module> Parse(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return Parser(text).Run();
}

Result<Module> Parser::Run() {
  if (text_size_ > kMaxText)
    tokens_.FailWith(tokens_.Peek(), "found a module of more than 64 MiB, expected a smaller one");
  while (!tokens_.AtEnd()) Statement();
  FinishAliases();
  CheckSymbols();
  if (tokens_.failed()) return tokens_.error();
  module_.locations = locations_.Take();
  PartsOfLocals();
  return std::move(module_);
}

void Parser::Statement() {
  if (!tokens_.At(TokenKind::kDotted)) {
    return tokens_.Fail("a directive such as .version, .entry, .func, .global or .file");
  }
  const std::string_view word = tokens_.Peek().text;
  if (word == "version") return Version();
  if (word == "target") return Target();
  if (word == "file") return File();
  if (word == "section") return Section();
  if (word == "alias") return Alias();
  if (word == "pragma") return Pragma();
  if (word == "address_size") {
    tokens_.Next();
    const Token number = tokens_.Peek();
    module_.address_size = static_cast<int>(tokens_.ExpectCount(64, "an address size"));
    if (module_.address_size != 64) tokens_.Fail(number, "an address size of 64");
    return;
  }
  FunctionOrVariable();
}

// .version 9.0
void Parser::Version() {
  tokens_.Next();
  const Token number = tokens_.Expect(TokenKind::kNumber, "a version such as 9.0");
  const size_t dot = number.text.find('.');
  const auto is_count = [](std::string_view digits) {
    return !digits.empty() && digits.size() <= 4 && digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (tokens_.failed()) return;
  if (dot == std::string_view::npos || !is_count(number.text.substr(0, dot)) ||
      !is_count(number.text.substr(dot + 1))) {
    return tokens_.Fail(number, "a version such as 9.0");
  }
  module_.version_major = std::stoi(std::string(number.text.substr(0, dot)));
  module_.version_minor = std::stoi(std::string(number.text.substr(dot + 1)));
}

// .target sm_75, debug
void Parser::Target() {
  tokens_.Next();
  module_.target = tokens_.Expect(TokenKind::kIdentifier, "a target such as sm_75").text;
  while (tokens_.Accept(",")) tokens_.Expect(TokenKind::kIdentifier, "a target option such as debug");
}

// .file 1 "name" [, timestamp, size]
void Parser::File() {
  tokens_.Next();
  const int64_t number = tokens_.ExpectCount(kMaxFileNumber, "a file number");
  const Token name = tokens_.Expect(TokenKind::kString, "a file name in quotes");
  while (tokens_.Accept(",")) tokens_.Expect(TokenKind::kNumber, "the file's timestamp or size");
  if (tokens_.failed()) return;
  if (module_.files.size() <= static_cast<size_t>(number)) module_.files.resize(number + 1);
  module_.files[number] = name.text;
}

// .section .debug_info { ... }: debug data. Two sections tell where the variables of the source lie.
void Parser::Section() {
  tokens_.Next();
  const Token name = tokens_.Expect(TokenKind::kDotted, "a section name such as .debug_info");
  if (name.text == "debug_info") return ReadDebugSection(&tokens_, &info_);
  if (name.text == "debug_abbrev") return ReadDebugSection(&tokens_, &abbreviations_);
  tokens_.SkipBlock();
}

void Parser::PartsOfLocals() {
  if (info_.bytes.empty()) return;
  std::map<std::string, std::vector<SourceVariable>> parts = LocalVariablesOf(abbreviations_, info_);
  for (Function& function : module_.functions) {
    for (Variable& variable : function.variables) {
      if (variable.space != Space::kLocal) continue;
      const auto found = parts.find(variable.name);
      if (found == parts.end()) continue;
      variable.parts = std::move(found->second);
      parts.erase(found);  // nvcc gives each function's variable a name of its own
    }
  }
}

// .alias name, aliasee;
void Parser::Alias() {
  tokens_.Next();
  const Token alias = tokens_.Expect(TokenKind::kIdentifier, "the name of a function");
  tokens_.Expect(",");
  const Token aliasee = tokens_.Expect(TokenKind::kIdentifier, "the name of a function");
  tokens_.Expect(";");
  aliases_.push_back({alias, aliasee});
}

// .pragma "nounroll", "...";
void Parser::Pragma() {
  tokens_.Next();
  do {
    tokens_.Expect(TokenKind::kString, "a pragma in quotes");
  } while (tokens_.Accept(","));
  tokens_.Expect(";");
}

void Parser::FunctionOrVariable() {
  Linkage linkage;
  while (tokens_.At(TokenKind::kDotted)) {
    const std::string_view word = tokens_.Peek().text;
    if (word == "entry" || word == "func") {
      tokens_.Next();
      return FunctionDefinition(word == "entry", linkage);
    }
    if (word == "extern") {
      linkage.is_extern = true;
    } else if (word == "visible" || word == "weak" || word == "common") {
      linkage.is_visible = true;
      linkage.is_weak = linkage.is_weak || word != "visible";
    } else {
      break;
    }
    tokens_.Next();
  }
  const Token space = tokens_.Peek();
  const Variable head = DeclarationHead(linkage);
  if (head.space == Space::kReg || head.space == Space::kParam || head.space == Space::kLocal) {
    return tokens_.Fail(space, "a state space of module scope: .global, .const or .shared");
  }
  do {
    Variable variable = head;
    Declarator(&variable, true);
    CountNodes(1);
    if (!tokens_.failed()) module_.variables.push_back(std::move(variable));
  } while (tokens_.Accept(","));
  tokens_.Expect(";");
}

// An alias becomes a separate function, so that no other code needs to know about aliases.
void Parser::FinishAliases() {
  size_t copied = 0;
  for (const AliasPair& pair : aliases_) {
    if (tokens_.failed()) return;
    const Function* aliasee = FindFunction(pair.aliasee.text);
    if (aliasee == nullptr || !aliasee->has_body) return tokens_.Fail(pair.aliasee, "a function with a body");
    copied += aliasee->body.size() + aliasee->registers.size() + aliasee->variables.size() + 1;
    if (copied > kMaxAliasedParts) return tokens_.Fail(pair.alias, "aliases of smaller functions");
    Function copy = *aliasee;
    copy.prototype.name = pair.alias.text;
    module_.functions.push_back(std::move(copy));
  }
}

const Function* Parser::FindFunction(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &module_.functions[found->second];
}

void Parser::CheckSymbols() {
  if (tokens_.failed() || symbols_.empty()) return;
  std::unordered_set<std::string_view> known;
  for (const Variable& variable : module_.variables) known.insert(variable.name);
  for (const Function& function : module_.functions) known.insert(function.prototype.name);
  const Token* first = nullptr;  // the first in the text, so that the message does not depend on hashing
  for (const auto& [name, token] : symbols_) {
    if (known.contains(name)) continue;
    const bool is_earlier =
        first == nullptr || token.line < first->line || (token.line == first->line && token.column < first->column);
    if (is_earlier) first = &token;
  }
  if (first != nullptr) tokens_.Fail(*first, "a declared register, variable or function");
}

}  // namespace warpgrade::ptx
