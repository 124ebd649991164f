// Scans the texts line by line, without a preprocessor. It understands comments and strings, and refuses raw strings.
// Tests:
// tests/build/rungs_together_test.cc and, with the compilers, tests/build/build_together_test.cc.
#include "grader/build/rungs_together.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "grader/build/allowance.h"
#include "grader/build/includes.h"
#include "grader/build/rung_rules.h"
#include "grader/demangle/demangle.h"
#include "grader/digest/digest.h"

namespace warpgrade::build {
namespace {

constexpr std::string_view kBlanks = " \t\f\v\r";
constexpr std::string_view kDirectivesThatStay[] = {"define", "undef", "if",    "ifdef", "ifndef",
                                                    "elif",   "else",  "endif", "error"};
// Words that act beyond the text, or that mean something else in another file or namespace.
constexpr std::string_view kWordsThatReachOut[] = {
    "__COUNTER__", "_Pragma", "__pragma", "__INCLUDE_LEVEL__", "__BASE_FILE__", "__has_include",
    "__DATE__",    "incbin",  "__TIME__", "__FILE__",          "__managed__",   "__TIMESTAMP__",
    "%:",          "??",      ".globl",   ".section",          ".pushsection",  ".macro",
    ".set",        "alias",   "ifunc",    "weakref",           "warpgrade_"};

std::string_view AfterBlanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::string_view WordAt(std::string_view text) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return text.substr(0, static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_letter) - text.begin()));
}

// A directive: its name, and the text after it.
struct Directive {
  std::string_view name, rest;
};

std::optional<Directive> DirectiveIn(std::string_view line) {
  line = AfterBlanks(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = AfterBlanks(line.substr(1));
  const std::string_view name = WordAt(line);
  return Directive{name, AfterBlanks(line.substr(name.size()))};
}

template <typename F>
void ForEachLine(std::string_view text, F&& f) {
  while (!text.empty()) {
    const size_t newline = std::min(text.find('\n'), text.size());
    f(text.substr(0, newline));
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
}

bool IsBlank(std::string_view line) { return AfterBlanks(line).empty(); }

// The end of the string or character literal that begins at `at`.
size_t EndOfLiteral(std::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// The text after the compiler's second phase: a line that ends with a backslash goes on in the next one.
std::string WithJoinedLines(std::string_view text) {
  std::string joined;
  while (!text.empty()) {
    const size_t newline = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(std::min(newline + 1, text.size()));
    const size_t last = line.find_last_not_of(kBlanks);
    if (last != std::string_view::npos && line[last] == '\\') {
      joined += line.substr(0, last);
    } else {
      joined.append(line).append("\n");
    }
  }
  return joined;
}

bool BelongsToWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Goes forward over a text and knows where the current word began. A ' belongs to a number, as in 1'000, if the word
// before it begins with a digit. It looks at each character once: a hostile text may be one long number.
class WordsOf {
 public:
  explicit WordsOf(std::string_view text) : text_(text) {}

  bool IsInNumber(size_t at) {
    for (; seen_ < at; ++seen_) {
      if (!BelongsToWord(text_[seen_]) && text_[seen_] != '\'') begin_ = seen_ + 1;
    }
    return begin_ < at && std::isdigit(static_cast<unsigned char>(text_[begin_])) != 0;
  }

 private:
  std::string_view text_;
  size_t seen_ = 0, begin_ = 0;
};

}  // namespace

std::string WithoutComments(std::string_view written) {
  const std::string text_of_lines = WithJoinedLines(written);
  const std::string_view text = text_of_lines;
  WordsOf words(text);
  std::string code;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) {
      at += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
      code += ' ';
      code.append(static_cast<size_t>(std::count(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(end), '\n')),
                  '\n');
      at += end;
    } else if (rest[0] == '"' || (rest[0] == '\'' && !words.IsInNumber(at))) {
      const size_t end = EndOfLiteral(text, at);
      code += text.substr(at, end - at);
      at = end;
    } else {
      code += text[at++];
    }
  }
  return code;
}

namespace {

bool IsKept(const Directive& directive) {
  if (directive.name == "pragma") return WordAt(directive.rest) == "unroll" || WordAt(directive.rest) == "once";
  return std::find(std::begin(kDirectivesThatStay), std::end(kDirectivesThatStay), directive.name) !=
         std::end(kDirectivesThatStay);
}

std::set<std::string> MacrosIn(std::string_view text) {
  std::set<std::string> macros;
  ForEachLine(text, [&](std::string_view line) {
    const auto directive = DirectiveIn(line);
    if (directive && directive->name == "define") macros.emplace(WordAt(directive->rest));
  });
  return macros;
}

// Whether the condition of an #if asks only for what is the same for every rung, or for macros of this text.
bool IsOwnCondition(std::string_view condition, const std::set<std::string>& macros) {
  while (!condition.empty()) {
    const std::string_view word = WordAt(condition);
    const bool is_name = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
    if (is_name && word != "defined" && word != "__CUDA_ARCH__" && word != "__CUDACC__" &&
        macros.count(std::string(word)) == 0) {
      return false;
    }
    condition.remove_prefix(std::max<size_t>(word.size(), 1));
  }
  return true;
}

bool OnlyKeptDirectives(std::string_view text) {
  const std::set<std::string> macros = MacrosIn(text);
  bool leading = true, kept = true;
  ForEachLine(text, [&](std::string_view line) {
    const auto directive = DirectiveIn(line);
    if (directive && directive->name == "include") {
      kept &= leading;
      return;
    }
    leading &= IsBlank(line) || (directive && directive->name == "pragma");
    if (!directive) return;
    kept &= IsKept(*directive);
    if (directive->name == "undef") kept &= macros.count(std::string(WordAt(directive->rest))) > 0;
    if (directive->name.find("if") != std::string_view::npos && directive->name != "endif") {
      kept &= IsOwnCondition(directive->rest, macros);
    }
  });
  return kept;
}

bool IsOfLab(const std::string& lab, std::string_view header) {
  return header.starts_with(fmt::format("labs/{}/", lab));
}

bool OnlyAllowedHeaders(const BuildRequest& request) {
  const std::vector<std::string> allowed = AllowedHeaders(request.allow);
  std::set<std::string> seen;
  for (const Include& include : IncludesIn(WithoutComments(request.source))) {
    if (!seen.insert(include.name).second) return false;
    if (IsOfLab(request.lab, include.name)) continue;
    if (std::find(allowed.begin(), allowed.end(), include.name) == allowed.end()) return false;
  }
  return true;
}

std::string NamespaceOf(const std::string& tag, const std::string& rung) {
  return fmt::format("{}{}_{}", kRungNamespace, tag, rung);
}

// Words that name or make symbols by hand: a declaration with a label, and a linkage.
bool NamesSymbols(const std::string& text) {
  static const std::regex kLabel(R"(\)\s*(asm|__asm|__asm__)\s*\(|\bextern\s*")");
  return std::regex_search(text, kLabel);
}

// The names that a conditional or a #define has there are the compiler's.
bool DefinesReservedNames(const std::set<std::string>& macros) {
  return std::any_of(macros.begin(), macros.end(), [](const std::string& name) { return name.starts_with('_'); });
}

// "_ZN..." of a function or variable in C++'s own library, or an operator of all programs.
bool IsOfCxxLibrary(std::string_view mangled) {
  for (const std::string_view start : {"_ZN", "_ZNK", "_Z", "_ZTV", "_ZTI", "_ZTS", "_ZGV"}) {
    if (!mangled.starts_with(start)) continue;
    const std::string_view rest = mangled.substr(start.size());
    for (const std::string_view scope : {"St", "Sa", "Ss", "9__gnu_cxx", "10__cxxabiv1", "nw", "na", "dl", "da"}) {
      if (rest.starts_with(scope)) return true;
    }
  }
  return false;
}

// How often `part` occurs in the text.
size_t CountOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++count;
  return count;
}

// "19warpgrade_rung_TAG_v1": a part of a mangled name stands behind its length.
std::string PartOf(const std::string& scope) { return std::to_string(scope.size()) + scope; }

std::string GuardName(size_t number) { return fmt::format("WARPGRADE_ONCE_{}", number); }

std::string WithGuard(std::string_view text, const std::string& guard) {
  std::string guarded;
  int number = 0;
  bool has_guard = false;
  ForEachLine(text, [&](std::string_view line) {
    ++number;
    const auto directive = DirectiveIn(line);
    if (!has_guard && directive && directive->name == "pragma" && WordAt(directive->rest) == "once") {
      guarded += fmt::format("#ifndef {0}\n#define {0}\n#line {1}\n", guard, number + 1);
      has_guard = true;
    } else {
      guarded.append(line).append("\n");
    }
  });
  return has_guard ? guarded + "#endif\n" : guarded;
}

}  // namespace

bool CanBeTogether(const BuildRequest& request) {
  const std::string text = WithoutComments(request.source);
  if (request.keep_object || RungRules(request, "").RefuseText()) return false;
  if (text.starts_with("\xEF\xBB\xBF")) return false;  // a byte order mark, which hides the first line from the scan
  if (text.find('\0') != std::string::npos || text.find("R\"") != std::string::npos) return false;
  for (const std::string_view word : kWordsThatReachOut) {
    if (text.find(word) != std::string::npos) return false;
  }
  if (request.gpu_arch > 0 && text.find("__constant__") != std::string::npos) return false;
  if (NamesSymbols(text) || DefinesReservedNames(MacrosIn(text))) return false;
  return OnlyKeptDirectives(text) && OnlyAllowedHeaders(request);
}

std::set<std::string> HeadersOf(const BuildRequest& request, const std::map<std::string, std::string>& headers) {
  std::set<std::string> names;
  for (const Include& include : IncludesIn(WithoutComments(request.source))) names.insert(include.name);
  names.erase("cuda_runtime.h");
  for (const auto& [name, text] : headers) {
    for (const Include& include : IncludesIn(WithoutComments(text))) names.erase(include.name);
  }
  return names;
}

std::string UnitTag(const std::vector<const BuildRequest*>& requests) {
  constexpr size_t kLetters = 16;
  Digest digest;
  for (const BuildRequest* request : requests) {
    digest.Add("lab", request->lab);
    digest.Add("rung", request->rung);
    digest.Add("text", request->source);
  }
  return digest.Hex().substr(0, kLetters);
}

std::string UnitOf(const std::vector<const BuildRequest*>& requests,
                   const std::map<std::string, std::string>& headers) {
  const std::string& lab = requests.at(0)->lab;
  std::string unit;
  std::set<std::string> included;
  const auto include = [&](const std::string& name) {
    if (IsOfLab(lab, name) || !included.insert(name).second) return;
    unit += name.starts_with("labs/") ? fmt::format("#include \"{}\"\n", name) : fmt::format("#include <{}>\n", name);
  };
  for (const auto& [name, text] : headers) {
    for (const Include& i : IncludesIn(text)) include(i.name);
  }
  for (const std::string& name : HeadersOf(*requests[0], headers)) include(name);
  const std::string tag = UnitTag(requests);
  for (const BuildRequest* request : requests) {
    const std::set<std::string> macros = MacrosIn(WithoutComments(request->source));
    for (const std::string& macro : macros) unit += fmt::format("#ifdef {0}\n#error {0}\n#endif\n", macro);
    unit += fmt::format(
        "namespace {0} {{\nstruct warpgrade_inside_{1} {{}};\n#include \"{2}.cu\"\n"
        "static_assert(static_cast<::{0}::warpgrade_inside_{1}*>(static_cast<warpgrade_inside_{1}*>(nullptr)) == "
        "nullptr, \"\");\n}}\n",
        NamespaceOf(tag, request->rung), tag, request->rung);
    for (const std::string& macro : macros) unit += fmt::format("#undef {}\n", macro);
    for (size_t i = 0; i < headers.size(); ++i) unit += fmt::format("#undef {}\n", GuardName(i));
  }
  return unit;
}

std::map<std::string, std::string> HeadersOfUnit(const std::string& lab,
                                                 const std::map<std::string, std::string>& headers) {
  std::map<std::string, std::string> of_unit;
  for (const auto& [name, text] : headers) {
    of_unit[name] = IsOfLab(lab, name) ? WithGuard(text, GuardName(of_unit.size())) : text;
  }
  return of_unit;
}

std::map<std::string, std::string> FunctionsOf(const std::string& tag, const std::string& rung,
                                               const std::vector<std::string>& wanted,
                                               const std::vector<std::string>& defined) {
  const std::string part = PartOf(NamespaceOf(tag, rung));
  std::map<std::string, std::vector<std::string>> by_text;
  for (const std::string& name : defined) {
    // Demangle leaves out all namespaces of this kind, so there must be no other.
    const size_t scopes = CountOf(name, part);
    if (scopes > 0 && CountOf(name, kRungNamespace) == scopes) by_text[Demangle(name)].push_back(name);
  }
  std::map<std::string, std::string> functions;
  for (const std::string& name : wanted) {
    if (!name.starts_with("_Z") || IsOfCxxLibrary(name)) continue;
    const auto found = by_text.find(Demangle(name));
    if (found != by_text.end() && found->second.size() == 1) functions[name] = found->second[0];
  }
  return functions;
}

bool IsAllInNamespaces(const std::string& tag, const std::vector<std::string>& defined,
                       const std::vector<std::string>& weak) {
  constexpr std::string_view kOfExceptions = "DW.ref.__gxx_personality_v0";  // g++'s, where something has a destructor
  const std::string start = NamespaceOf(tag, "");
  const std::set<std::string> copies(weak.begin(), weak.end());
  return std::all_of(defined.begin(), defined.end(), [&](const std::string& name) {
    return name.find(start) != std::string::npos ||
           (copies.count(name) != 0 && (name.starts_with("_Z") || name == kOfExceptions));
  });
}

std::vector<std::string> RungsWithErrors(const std::vector<const BuildRequest*>& requests, std::string_view output) {
  std::vector<std::string> rungs;
  for (const BuildRequest* request : requests) {
    const std::string file = request->rung + ".cu";
    bool has_error = false;
    ForEachLine(output, [&](std::string_view line) {
      has_error |= line.starts_with(file) && line.substr(file.size()).find_first_of("(:") == 0 &&
                   line.find("error") != std::string_view::npos;
    });
    if (has_error) rungs.push_back(request->rung);
  }
  return rungs;
}

}  // namespace warpgrade::build
