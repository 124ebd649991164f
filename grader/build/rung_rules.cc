// Checks what a rung may not do, in this order: its text, the compiler's failure, the files that were opened, the
// object's symbols. Tests: tests/build/rung_rules_test.cc and, with the compilers, tests/build/build_test.cc.
#include "grader/build/rung_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "grader/build/allowance.h"
#include "grader/build/includes.h"
#include "grader/demangle/demangle.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileDirectives[] = {".incbin", ".include"};
constexpr size_t kMaxSymbolShown = 80;
// A linker gives the content of these to a compiler: intermediate code of gcc and LLVM.
constexpr std::string_view kCompilersSections[] = {".gnu.lto_", ".gnu.debuglto_", ".gnu.offload_lto_", ".llvm"};

bool LeadsOut(const fs::path& path) {
  return path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
}

// The C++ name without its parameters: "std::thread::join" for "_ZNSt6thread4joinEv".
std::string Readable(const std::string& symbol) {
  const std::string name = Demangle(symbol);
  return name.substr(0, std::min(name.find('('), kMaxSymbolShown));
}

std::string AssemblerRule(std::string_view what) {
  return fmt::format(
      "{}; a rung may only use the text of its own file, so remove the .incbin or .include from the asm\n", what);
}

}  // namespace

std::string RungRules::At(int line) const { return line > 0 ? fmt::format("{}:{}: ", file_, line) : file_ + ": "; }

std::string RungRules::MayNotInclude() const {
  return fmt::format(
      "includes a file that is not allowed; include only \"labs/{0}/{0}.h\" and headers of C++ and CUDA\n",
      request_.lab);
}

std::optional<std::string> RungRules::RefuseText() const {
  for (const Include& include : IncludesIn(request_.source)) {
    if (LeadsOut(include.name)) return At(include.line) + MayNotInclude();
  }
  std::string_view rest = request_.source;
  for (int line = 1; !rest.empty(); ++line) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    const size_t quote = text.find('"');
    if (quote == std::string_view::npos) continue;
    for (const std::string_view directive : kFileDirectives) {
      if (text.find(directive, quote) == std::string_view::npos) continue;
      return At(line) + AssemblerRule(fmt::format("makes the assembler read a file ({})", directive));
    }
  }
  return std::nullopt;
}

std::optional<std::string> RungRules::RefuseFailure(std::string_view output) const {
  const bool assembler = output.find("Assembler messages:") != std::string_view::npos;
  if (assembler && (output.find("for reading: ") != std::string_view::npos ||
                    output.find("file not found: ") != std::string_view::npos)) {
    return At(0) + AssemblerRule("makes the assembler read a file");
  }
  constexpr std::string_view kBefore = ": fatal error: ", kAfter = ": No such file or directory";
  const size_t before = output.find(kBefore);
  if (before == std::string_view::npos) return std::nullopt;
  const size_t begin = before + kBefore.size(), end = output.find(kAfter, begin);
  if (end == std::string_view::npos || !LeadsOut(fs::path(output.substr(begin, end - begin)))) return std::nullopt;
  // FILE:LINE:COLUMN comes before it.
  const size_t line_begin = output.find_last_of('\n', before) + 1;  // 0 on the first line, as npos + 1 is
  const std::string_view place = output.substr(line_begin, before - line_begin);
  const std::string prefix = file_ + ":";
  const int line = place.starts_with(prefix) ? std::atoi(std::string(place.substr(prefix.size())).c_str()) : 0;
  return At(line) + MayNotInclude();
}

std::optional<std::string> RungRules::RefuseOpened(const std::vector<std::string>& opened,
                                                   const std::vector<std::string>& folders,
                                                   const std::vector<std::string>& brought) const {
  std::vector<fs::path> allowed = {directory_};
  for (const std::string& folder : folders) {
    std::error_code error;
    if (fs::path real = fs::canonical(folder, error); !error) allowed.push_back(std::move(real));
  }
  const std::vector<std::string> elsewhere = ForbiddenDependencies(opened, directory_, allowed);
  if (!elsewhere.empty()) {
    const int line = LineDirectiveIn(request_.source);
    std::error_code error;
    // For the preprocessor, a file that #line names is one more file that was read.
    const bool is_there = fs::exists(directory_ / elsewhere[0], error);
    if (line == 0 || is_there) return At(0) + MayNotInclude();
    return At(line) + "says with #line that its text is from another file; remove the #line\n";
  }
  std::vector<std::string> paths;
  for (const std::string& name : opened) {
    std::error_code error;
    paths.push_back(fs::canonical(directory_ / name, error).string());
  }
  const auto forbidden = FindForbiddenHeader(paths, directory_.string(), brought, request_.allow);
  return forbidden ? RefuseHeader(*forbidden) : std::nullopt;
}

// The compilation opened `path`. The message names the line that includes it or, if there is none, a line that includes
// a header which is not allowed.
std::optional<std::string> RungRules::RefuseHeader(const std::string& path) const {
  const auto refusal = [this](int line, const std::string& name) {
    return fmt::format(
        "{}includes {}, which is not allowed: it does the work of the exercise, or the exercise does not need it; "
        "include "
        "only \"labs/{}/{}.h\", the standard library's containers and algorithms, and CUDA's language headers\n",
        At(line), name, request_.lab, request_.lab);
  };
  const std::vector<Include> includes = IncludesIn(request_.source);
  for (const Include& include : includes) {
    if (path.ends_with(fmt::format("/{}", include.name)))
      return refusal(include.line, fmt::format("<{}>", include.name));
  }
  const auto allowed = AllowedHeaders(request_.allow);
  for (const Include& include : includes) {
    const bool known = std::find(allowed.begin(), allowed.end(), include.name) != allowed.end();
    if (!known && !include.name.starts_with("labs/")) {
      return refusal(include.line, fmt::format("<{}>", fs::path(path).filename().string()));
    }
  }
  return refusal(0, fmt::format("<{}>", fs::path(path).filename().string()));
}

std::optional<std::string> RungRules::RefuseAssembled(const std::vector<std::string>& opened) const {
  for (const std::string& name : opened) {
    // The input of the assembler, and the file that it was generated from.
    if (name.ends_with(".s") || name.ends_with(".cudafe1.cpp") || name.ends_with(".stub.c")) continue;
    return At(0) + AssemblerRule("makes the assembler read a file");
  }
  return std::nullopt;
}

std::optional<std::string> RungRules::RefuseObject(std::string_view object) const {
  const Result<ObjectSymbols> symbols = ReadObjectSymbols(object);
  if (!symbols) return At(0) + symbols.error().message + "\n";
  for (const std::string& section : symbols->sections) {
    const auto is = [&section](std::string_view prefix) { return section.starts_with(prefix); };
    if (std::none_of(std::begin(kCompilersSections), std::end(kCompilersSections), is)) continue;
    return At(LineWithWord(request_.source, section)) +
           fmt::format("makes the section {}, which the compiler alone may make; remove the asm that does this\n",
                       section);
  }
  const auto forbidden = FindForbiddenSymbol(*symbols, request_.allow);
  if (!forbidden) return std::nullopt;
  const std::string at = At(LineWithWord(request_.source, forbidden->name)), name = Readable(forbidden->name);
  if (forbidden->is_defined) {
    return fmt::format(
        "{}defines {}, which is a name of the CUDA runtime, the system or the grader; choose another name\n", at, name);
  }
  return fmt::format(
      "{}uses {}, which is not allowed; call only the CUDA runtime, the standard library's containers and "
      "algorithms, <cmath>, printf and memory functions\n",
      at, name);
}

}  // namespace warpgrade::build
