// Runs one program of this folder by `warpgrade run --device emulator` and holds its findings against those that its
// source says are due:
//
//   // expect: out-of-bounds at FAULT                 the finding's line is the one that ends in "// FAULT"
//   // expect: shared-race at FAULT with OTHER        a race: the two accesses, in either order
//   // expect: stream-race at FAULT with OTHER        the lines of the host's two calls
//   // expect: leak                                   no line
//
//   // run: --instructions 1000000                   more options for `warpgrade run`
//
// Exactly the findings that are due, each once, and no other; without such a line, none at all. A mark on several lines
// means any of them. The program itself must end with status 0, also where its kernel is stopped, as the author knew it
// would be.
//
//   program_test WARPGRADE SOURCE PROGRAM [ARGUMENT...]
#include "tests/cli/program.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace warpgrade {
namespace {

constexpr int kFindings = 86;  // the exit status of `warpgrade run`

struct Source {
  std::string name;  // without folders
  std::vector<std::string> lines;
};

struct Expectation {
  std::string kind, at, with;  // the marks; "" for none
};

struct Seen {
  std::string kind, file;
  int line = 0, other_line = 0;
  std::string message;
};

Source ReadSource(const std::string& path) {
  Source source;
  source.name = path.substr(path.rfind('/') + 1);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) source.lines.push_back(line);
  return source;
}

std::vector<Expectation> ExpectationsOf(const Source& source) {
  static const std::regex kForm("^// expect: ([a-z-]+)(?: at ([A-Z]+))?(?: with ([A-Z]+))?$");
  std::vector<Expectation> expectations;
  for (const std::string& line : source.lines) {
    if (line.rfind("// expect:", 0) != 0) continue;
    std::smatch match;
    if (!std::regex_match(line, match, kForm)) {
      std::printf("%s: cannot read '%s'\n", source.name.c_str(), line.c_str());
      std::exit(2);
    }
    expectations.push_back({match[1], match[2], match[3]});
  }
  return expectations;
}

// The words after "// run:".
std::vector<std::string> OptionsOf(const Source& source) {
  const std::string head = "// run: ";
  std::vector<std::string> options;
  for (const std::string& line : source.lines) {
    if (line.rfind(head, 0) != 0) continue;
    std::istringstream words(line.substr(head.size()));
    for (std::string word; words >> word;) options.push_back(word);
  }
  return options;
}

// The lines that end in "// MARK".
std::set<int> LinesOf(const Source& source, const std::string& mark) {
  std::set<int> lines;
  const std::string end = "// " + mark;
  for (size_t i = 0; i < source.lines.size(); ++i) {
    const std::string& line = source.lines[i];
    const bool marked = line.size() >= end.size() && line.compare(line.size() - end.size(), end.size(), end) == 0;
    if (marked && line.rfind("// expect:", 0) != 0) lines.insert(static_cast<int>(i) + 1);
  }
  if (lines.empty()) {
    std::printf("%s: no line ends in '%s'\n", source.name.c_str(), end.c_str());
    std::exit(2);
  }
  return lines;
}

std::vector<Seen> FindingsOf(const nlohmann::json& document) {
  std::vector<Seen> findings;
  for (const auto& f : document.at("findings")) {
    Seen seen{f.at("kind"), f.at("file"), f.at("line"), 0, f.at("message")};
    if (f.contains("other")) seen.other_line = f.at("other").at("line");
    seen.file = seen.file.substr(seen.file.rfind('/') + 1);
    findings.push_back(seen);
  }
  return findings;
}

bool Fits(const Source& source, const Expectation& expectation, const Seen& seen) {
  if (expectation.kind != seen.kind) return false;
  if (expectation.at.empty()) return true;
  if (seen.file != source.name) return false;
  const std::set<int> at = LinesOf(source, expectation.at);
  if (expectation.with.empty()) return at.count(seen.line) > 0;
  const std::set<int> with = LinesOf(source, expectation.with);
  return (at.count(seen.line) > 0 && with.count(seen.other_line) > 0) ||
         (at.count(seen.other_line) > 0 && with.count(seen.line) > 0);
}

// True when `expectations` and `findings` match one to one.
bool Compare(const Source& source, std::vector<Expectation> expectations, const std::vector<Seen>& findings) {
  bool same = true;
  for (const Seen& seen : findings) {
    const auto due = std::find_if(expectations.begin(), expectations.end(),
                                  [&](const Expectation& e) { return Fits(source, e, seen); });
    if (due != expectations.end()) {
      expectations.erase(due);
      continue;
    }
    std::printf("not due: %s at %s:%d (other line %d): %s\n", seen.kind.c_str(), seen.file.c_str(), seen.line,
                seen.other_line, seen.message.c_str());
    same = false;
  }
  for (const Expectation& e : expectations) {
    std::printf("missing: %s%s%s%s%s\n", e.kind.c_str(), e.at.empty() ? "" : " at ", e.at.c_str(),
                e.with.empty() ? "" : " with ", e.with.c_str());
    same = false;
  }
  return same;
}

int Main(const std::string& warpgrade, const std::string& source_path, const std::vector<std::string>& program) {
  const Source source = ReadSource(source_path);
  const std::vector<Expectation> expectations = ExpectationsOf(source);
  const TemporaryFolder folder;
  const std::string json = folder.Path("findings.json");
  std::vector<std::string> command = {warpgrade, "run", "--device", "emulator", "--json", json};
  for (const std::string& option : OptionsOf(source)) command.push_back(option);
  command.push_back("--");
  command.insert(command.end(), program.begin(), program.end());
  const ProgramResult result = RunProgram(command);
  const int due = expectations.empty() ? 0 : kFindings;
  const nlohmann::json document = nlohmann::json::parse(ReadText(json), nullptr, /*allow_exceptions=*/false);
  bool passed = result.exit_code == due && document.is_object() && document["exit_code"] == 0;
  if (!passed) std::printf("exit status %d, due is %d, and 0 of the program itself\n", result.exit_code, due);
  if (document.is_object()) passed = Compare(source, expectations, FindingsOf(document)) && passed;
  if (!passed) std::printf("%s%s", result.out.c_str(), result.err.c_str());
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace warpgrade

int main(int argc, char** argv) {
  if (argc < 4) {
    std::printf("usage: program_test WARPGRADE SOURCE PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  return warpgrade::Main(argv[1], argv[2], {argv + 3, argv + argc});
}
