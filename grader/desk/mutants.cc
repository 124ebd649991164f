// Applies a .diff as labs/mutant.sh does: it has no line numbers, and the lines of an edit that stay or go must stand
// in the base exactly once, behind those of the edit before. Tests: tests/desk/mutants_test.cc, which compares both.
#include "grader/desk/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>

#include "grader/config/yaml_reader.h"

namespace warpgrade::desk {
namespace {

namespace fs = std::filesystem;
using config::MapReader;
using config::YamlNode;

const std::vector<std::string> kFileKeys = {"mutants"};
const std::vector<std::string> kRowKeys = {"name", "lost", "message", "metrics", "finding", "at"};
const std::vector<std::string> kLost = {"correctness", "technique", "nothing"};

Error Mistake(std::string what) { return {ErrorKind::kUsage, std::move(what)}; }

std::optional<std::string> ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class RowReader {
 public:
  RowReader(const YamlNode& node, config::Problems* problems)
      : map_(node, "mutants", kRowKeys, problems), node_(node), problems_(problems) {}

  Mutant Read() const {
    Mutant mutant;
    mutant.place = node_.place;
    mutant.name = Text("name", "add 'name: RUNG__MISTAKE'");
    mutant.lost = Text("lost", "add 'lost: correctness'");
    // A mutant that loses nothing is told nothing.
    const YamlNode* const message = map_.Find("message");
    const bool is_told_nothing = mutant.lost == "nothing" && (message == nullptr || message->text.empty());
    if (!is_told_nothing) mutant.message = Text("message", "add 'message: \"...\"', a regular expression");
    if (map_.Find("finding") != nullptr) mutant.finding = Text("finding", "");
    if (map_.Find("at") != nullptr) mutant.at = Text("at", "");
    if (!mutant.lost.empty() && std::find(kLost.begin(), kLost.end(), mutant.lost) == kLost.end()) {
      problems_->Add(node_.place, fmt::format("lost is '{}'; write correctness, technique or nothing", mutant.lost));
    }
    if (!mutant.name.empty() && mutant.name.find("__") == std::string::npos) {
      problems_->Add(node_.place, fmt::format("'{}' does not name its rung; write RUNG__MISTAKE", mutant.name));
    }
    try {
      static_cast<void>(std::regex(mutant.message));
    } catch (const std::regex_error&) {
      problems_->Add(
          node_.place,
          fmt::format(
              "'{}' is no regular expression; put a backslash before ( [ * and others that stand for themselves",
              mutant.message));
    }
    if (const YamlNode* metrics = map_.Find("metrics")) {
      for (const YamlNode& item : metrics->items) {
        if (const auto metric = config::ReadText(item, "metrics", problems_)) mutant.metrics.insert(*metric);
      }
    }
    return mutant;
  }

 private:
  std::string Text(const char* key, const char* to_do) const {
    const YamlNode* const node = map_.Require(key, to_do);
    return node == nullptr ? "" : config::ReadText(*node, key, problems_).value_or("");
  }

  MapReader map_;
  const YamlNode& node_;
  config::Problems* problems_;
};

// A solution as a student would hand it in: without its opening comment, the markers and the lines of the starter.
std::string HandedIn(const std::string& solution) {
  static const std::regex kElse(R"( *// ELSE STARTER)"), kMarker(R"( *// (BEGIN|END) SOLUTION)"),
      kEnd(R"( *// END SOLUTION)");
  std::istringstream lines(solution);
  std::string text;
  bool is_opening = true, is_starter = false;
  for (std::string line; std::getline(lines, line);) {
    is_opening &= line.starts_with("//");
    is_starter |= std::regex_match(line, kElse);
    if (!is_opening && !is_starter && !std::regex_match(line, kMarker)) text += line + "\n";
    if (std::regex_match(line, kEnd)) is_starter = false;
  }
  return text;
}

// Lines are found whole: a newline stands before the text and before every line of an edit.
class Patch {
 public:
  Patch(std::string file, std::string base_name, const std::string& base)
      : file_(std::move(file)), base_name_(std::move(base_name)), rest_("\n" + base), whole_(rest_) {}

  Status Begin(int line) {
    if (Status applied = Apply(); !applied.ok()) return applied;
    line_ = line;
    old_ = new_ = "\n";
    return Status();
  }
  Status Add(char kind, const std::string& line, int number) {
    if (line_ == 0) return At(number, "an edit begins with a line @@");
    if (kind != ' ' && kind != '-' && kind != '+') return At(number, "a line of an edit begins with a space, - or +");
    if (kind != '+') old_ += line + "\n";
    if (kind != '-') new_ += line + "\n";
    return Status();
  }
  Result<std::string> Finish() {
    if (Status applied = Apply(); !applied.ok()) return applied.error();
    return (result_ + rest_).substr(1);
  }

 private:
  Status At(int line, const std::string& what) const { return Mistake(fmt::format("{}:{}: {}", file_, line, what)); }

  Status Apply() {
    if (line_ == 0) return Status();
    if (old_ == "\n") return At(line_, "this edit has no line that stays or goes, so nobody knows where it belongs");
    if (old_ == new_) return At(line_, "this edit changes nothing");
    const size_t at = rest_.find(old_);
    if (at == std::string::npos) {
      return At(line_,
                whole_.find(old_) != std::string::npos
                    ? fmt::format("these lines stand in {} before those of the edit above; put the edits in order",
                                  base_name_)
                    : fmt::format("{} does not have these lines, one after the other; if the solution was changed, "
                                  "change this edit with it",
                                  base_name_));
    }
    if (whole_.find(old_, whole_.find(old_) + 1) != std::string::npos) {
      return At(line_, base_name_ + " has these lines more than once; add a line before or after them that stays");
    }
    result_ += rest_.substr(0, at) + new_.substr(0, new_.size() - 1);
    rest_ = rest_.substr(at + old_.size() - 1);
    return Status();
  }

  const std::string file_, base_name_;
  std::string rest_, result_;
  const std::string whole_;
  std::string old_, new_;
  int line_ = 0;
};

Result<std::string> Patched(const std::string& file, const std::string& diff, const std::string& root) {
  std::istringstream lines(diff);
  std::string opening;
  std::optional<Patch> patch;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!patch && line.starts_with("--- ")) {
      const std::string base = line.substr(4);
      const auto text = ReadFile(fs::path(root) / base);
      if (!text)
        return Mistake(fmt::format(
            "{}:{}: {} cannot be read; write '--- ' and the path of a solution, such as solutions/LAB/RUNG.cu", file,
            number, (fs::path(root) / base).string()));
      patch.emplace(file, base, HandedIn(*text));
    } else if (!patch && line.starts_with("//")) {
      opening += line + "\n";
    } else if (!patch) {
      return Mistake(fmt::format("{}:{}: before the line --- there are only lines of a comment: //", file, number));
    } else if (Status added =
                   line == "@@" ? patch->Begin(number)
                                : patch->Add(line.empty() ? ' ' : line[0], line.empty() ? "" : line.substr(1), number);
               !added.ok()) {
      return added.error();
    }
  }
  if (!patch)
    return Mistake(
        fmt::format("{}: it has no line '--- SOLUTION'; write one, such as '--- solutions/LAB/RUNG.cu'", file));
  const Result<std::string> text = patch->Finish();
  if (!text) return text.error();
  return opening + *text;
}

}  // namespace

Result<std::vector<Mutant>> ReadMutants(const std::string& folder) {
  const fs::path file = fs::path(folder) / "mutants.yaml";
  std::vector<Mutant> mutants;
  std::error_code error;
  if (!fs::exists(file, error)) return mutants;
  config::Problems problems(file.string());
  const auto root = config::ReadYamlFile(file.string(), &problems);
  if (!root) return problems.ToError(ErrorKind::kUsage);
  const YamlNode* rows = MapReader(*root, "", kFileKeys, &problems)
                             .Require("mutants", "add 'mutants:' with one row for each wrong program");
  if (rows != nullptr && rows->kind != YamlNode::Kind::kSequence)
    problems.Add(rows->place, "mutants is not a list; write one row for each wrong program, with '- ' before it");
  std::set<std::string> listed;
  for (const YamlNode& row : rows == nullptr ? std::vector<YamlNode>() : rows->items) {
    Mutant mutant = RowReader(row, &problems).Read();
    if (!listed.insert(mutant.name).second)
      problems.Add(row.place, fmt::format("{} is listed twice; remove one row", mutant.name));
    if (!fs::exists(fs::path(folder) / (mutant.name + ".cu"), error) &&
        !fs::exists(fs::path(folder) / (mutant.name + ".diff"), error)) {
      problems.Add(row.place, fmt::format("there is neither {0}.cu nor {0}.diff in {1}; write one, or remove this row",
                                          mutant.name, folder));
    }
    mutants.push_back(std::move(mutant));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension().string();
    if ((extension == ".cu" || extension == ".diff") && !listed.contains(entry.path().stem().string())) {
      problems.Add({}, fmt::format("there is no row for {}; add one", entry.path().filename().string()));
    }
  }
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  return mutants;
}

Result<std::string> MutantText(const std::string& folder, const std::string& name, const std::string& root) {
  if (auto whole = ReadFile(fs::path(folder) / (name + ".cu"))) return *whole;
  const std::string file = (fs::path(folder) / (name + ".diff")).string();
  const auto diff = ReadFile(file);
  if (!diff) return Mistake(file + ": it cannot be read; write it, or remove its row");
  return Patched(file, *diff, root);
}

}  // namespace warpgrade::desk
