// Reads lab.yaml and hidden.yaml. As with course.yaml, one pass finds all mistakes: each reader reports to a Problems
// and goes on with what it has. Cases are made only if there was no mistake before.
// Tests: tests/described/description_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "grader/config/course_keys.h"
#include "grader/config/nearest.h"
#include "grader/config/yaml_reader.h"
#include "grader/described/description.h"
#include "grader/described/description_keys.h"

namespace warpgrade::described {
namespace {

namespace fs = std::filesystem;
using config::MapReader;
using config::NamedNode;
using config::Place;
using config::Problems;
using config::YamlNode;
using Kind = ElementType::Kind;

constexpr ElementType kTypes[] = {
    {"float", 4, Kind::kFloat},       {"double", 8, Kind::kFloat},      {"int", 4, Kind::kSigned},
    {"unsigned", 4, Kind::kUnsigned}, {"int8_t", 1, Kind::kSigned},     {"uint8_t", 1, Kind::kUnsigned},
    {"int16_t", 2, Kind::kSigned},    {"uint16_t", 2, Kind::kUnsigned}, {"int64_t", 8, Kind::kSigned},
    {"uint64_t", 8, Kind::kUnsigned}, {"size_t", 8, Kind::kUnsigned},
};
constexpr std::string_view kAnyType = "T";
constexpr size_t kMostCases = 200;
constexpr int kMostTimes = 50, kMostSeconds = 600;
constexpr int kSamples = 20;  // of what hidden.yaml draws

// Words that C++ keeps for itself, among names that fit a parameter.
const std::set<std::string> kReserved = {
    "alignas",  "and",    "asm",      "auto",    "bool",   "break",   "case",     "catch",    "char",
    "class",    "const",  "default",  "delete",  "do",     "double",  "else",     "enum",     "explicit",
    "export",   "extern", "false",    "float",   "for",    "friend",  "goto",     "if",       "inline",
    "int",      "long",   "main",     "mutable", "new",    "not",     "operator", "or",       "private",
    "public",   "return", "short",    "signed",  "sizeof", "static",  "stream",   "struct",   "switch",
    "template", "this",   "throw",    "true",    "try",    "typedef", "union",    "unsigned", "using",
    "virtual",  "void",   "volatile", "while",   "xor",    "T",       "Reference"};

class Reader {
 public:
  Reader(const std::string& folder, Problems* problems) : problems_(problems) { lab_.folder = folder; }

  Description Read(const YamlNode& root) {
    const MapReader map(root, "", kLabFileKeys, problems_);
    if (const YamlNode* node = map.Require("name", "add 'name: NAME', the name of the lab in course.yaml")) {
      lab_.name = Identifier(*node, "name");
    }
    if (const YamlNode* node = map.Require("function", "add 'function: NAME', the function that students write")) {
      lab_.function = Identifier(*node, "function");
      used_.insert(lab_.function);
    }
    if (const YamlNode* node = map.Find("types")) ReadTypes(*node);
    if (const YamlNode* node = map.Require("sizes", "add 'sizes: {n: size_t}'"))
      ReadParameters(*node, "sizes", &lab_.sizes);
    if (const YamlNode* node = map.Find("scalars")) ReadParameters(*node, "scalars", &lab_.scalars);
    if (const YamlNode* node = map.Require("buffers", "add 'buffers:' with the arrays that the function gets")) {
      ReadBuffers(*node);
    }
    if (const YamlNode* node = map.Find("work")) ReadWork(*node);
    if (const YamlNode* node = map.Require("cases", "add 'cases:' with a list of sizes, such as '- {n: 1000}'")) {
      lab_.cases = ReadCases(*node, "cases", kCaseKeys);
    }
    if (const YamlNode* node = map.Find("technique")) lab_.technique = ReadCase(*node, "technique", kCaseKeys);
    if (const YamlNode* node = map.Find("throughput")) lab_.throughput = ReadCase(*node, "throughput", kCaseKeys);
    if (const YamlNode* node = map.Find("hints")) ReadHints(*node, map.Find("rungs"));
    if (const YamlNode* node = map.Find("reference")) ReadReference(*node);
    if (lab_.sizes.size() + lab_.scalars.size() > static_cast<size_t>(kMaxSizes)) {
      problems_->Add(root.place, fmt::format("the function has more than {} sizes and scalars; it may have {}",
                                             kMaxSizes, kMaxSizes));
    }
    for (const auto& [needs, node] :
         {std::pair("technique", map.Find("technique")), {"throughput", map.Find("throughput")}}) {
      if (node == nullptr) RequireCaseFor(needs, map.Find("rungs"));
    }
    return std::move(lab_);
  }

  // Adds what hidden.yaml says to `lab`, which was read before.
  void ReadHidden(const YamlNode& root, Description* lab) {
    lab_ = std::move(*lab);
    allowed_ = Allowed::kDrawn;
    const MapReader map(root, "", kHiddenFileKeys, problems_);
    if (const YamlNode* node = map.Require("cases", "add 'cases:' with a list, such as '- {n: 1..5000}'")) {
      lab_.hidden = ReadCases(*node, "cases", kHiddenCaseKeys);
    }
    if (const YamlNode* node = map.Find("other_size")) lab_.other_size = ReadCase(*node, "other_size", kHiddenCaseKeys);
    lab_.has_hidden = true;
    *lab = std::move(lab_);
  }

 private:
  std::string Identifier(const YamlNode& node, const std::string& path) {
    const auto text = config::ReadText(node, path, problems_);
    if (!text) return "";
    CheckIdentifier(*text, node.place);
    return *text;
  }

  void CheckIdentifier(const std::string& name, Place place) {
    const auto fits = [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), fits) ||
        (name[0] >= '0' && name[0] <= '9')) {
      problems_->Add(place, fmt::format("'{}' cannot be a name in C++; write letters, digits and _, a letter first",
                                        config::Shown(name)));
    } else if (kReserved.contains(name) || FindType(name) != nullptr || name.find("__") != std::string::npos) {
      problems_->Add(place, fmt::format("'{}' has a meaning of its own in C++ or here; choose another name", name));
    }
  }

  const ElementType* Type(const YamlNode& node, const std::string& path, bool may_be_any, bool* is_any = nullptr) {
    const auto text = config::ReadText(node, path, problems_);
    if (!text) return nullptr;
    if (is_any != nullptr) *is_any = *text == kAnyType;
    if (*text == kAnyType && may_be_any && !lab_.types.empty()) return nullptr;
    if (*text == kAnyType && may_be_any) {
      problems_->Add(
          node.place,
          fmt::format("{} is T, but the lab has no 'types'; add 'types: [float, double]', or write a type", path));
      return nullptr;
    }
    const ElementType* type = FindType(*text);
    if (type == nullptr) {
      problems_->Add(node.place, fmt::format("there is no type '{}'{}", config::Shown(*text),
                                             config::Suggest(*text, TypeNames(),
                                                             "the types are " + config::ListNames(TypeNames()))));
    }
    return type;
  }

  void ReadTypes(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::kSequence || node.items.empty()) {
      problems_->Add(node.place, "types is not a list of types; write [float, double]");
      return;
    }
    for (const YamlNode& item : node.items) {
      const ElementType* type = Type(item, "types", false);
      if (type == nullptr) continue;
      if (std::find(lab_.types.begin(), lab_.types.end(), type) != lab_.types.end()) {
        problems_->Add(item.place, fmt::format("types names {} twice; remove one of them", type->name));
      } else {
        lab_.types.push_back(type);
      }
    }
  }

  void UseName(const NamedNode& named) {
    CheckIdentifier(named.name, named.name_place);
    if (!used_.insert(named.name).second) {
      problems_->Add(named.name_place,
                     fmt::format("'{}' is the name of something else in this lab; choose another name", named.name));
    }
  }

  void ReadParameters(const YamlNode& node, const std::string& path, std::vector<Parameter>* to) {
    for (const NamedNode& named : config::ReadNames(node, path, "number", problems_)) {
      UseName(named);
      const ElementType* type = Type(*named.value, path + "." + named.name, false);
      if (type != nullptr && path == "sizes" && type->is_float()) {
        problems_->Add(
            named.value->place,
            fmt::format("sizes.{} is a {}; a size is a whole number, such as size_t or int", named.name, type->name));
      }
      to->push_back({named.name, type});
      if (path == "sizes") size_names_.push_back(named.name);
    }
  }

  std::optional<Expression> ReadExpression(const YamlNode& node, const std::string& path, Allowed allowed,
                                           const std::vector<std::string>& names) {
    if (node.kind != YamlNode::Kind::kScalar) {
      problems_->Add(node.place, fmt::format("{} is no expression; write a number, or one such as 4 * n", path));
      return std::nullopt;
    }
    Expression expression;
    Expression::Mistake mistake;
    if (Expression::Parse(node.text, names, allowed, &expression, &mistake)) return expression;
    Place place = node.place;
    place.column += static_cast<int>(mistake.column) + (node.quoted ? 1 : 0);
    problems_->Add(place, fmt::format("{}: {}", path, mistake.what));
    return std::nullopt;
  }

  void ReadBuffers(const YamlNode& node) {
    const size_t before = problems_->count();
    for (const NamedNode& named : config::ReadNames(node, "buffers", "array", problems_)) {
      UseName(named);
      lab_.buffers.push_back(ReadBuffer(named));
    }
    const auto is_output = [](const BufferRow& buffer) { return buffer.is_output; };
    if (problems_->count() == before && std::none_of(lab_.buffers.begin(), lab_.buffers.end(), is_output)) {
      problems_->Add(node.place, "no array is an output; write 'out: TYPE' for the one with the answer");
    }
    if (lab_.buffers.size() > static_cast<size_t>(kMaxBuffers)) {
      problems_->Add(node.place, fmt::format("there are more than {} arrays; a function gets at most {}", kMaxBuffers,
                                             kMaxBuffers));
    }
  }

  BufferRow ReadBuffer(const NamedNode& named) {
    BufferRow buffer;
    buffer.name = named.name;
    buffer.place = named.name_place;
    const std::string path = "buffers." + named.name;
    const MapReader map(*named.value, path, kBufferKeys, problems_);
    if (!map.is_map()) return buffer;
    const YamlNode* in = map.Find("in");
    const YamlNode* out = map.Find("out");
    if ((in == nullptr) == (out == nullptr)) {
      problems_->Add(named.name_place,
                     fmt::format("{} is {}; write 'in: TYPE' for an input, or 'out: TYPE' for an output", path,
                                 in == nullptr ? "neither an input nor an output" : "an input and an output"));
      return buffer;
    }
    buffer.is_output = out != nullptr;
    bool is_any = false;
    buffer.type = Type(in != nullptr ? *in : *out, map.PathOf(in != nullptr ? "in" : "out"), true, &is_any);
    if (const YamlNode* shape = map.Require("shape", "add 'shape: n', or 'shape: [rows, columns]'"))
      ReadShape(*shape, path, &buffer);
    ReadRange(map, &buffer);
    ReadTolerance(map, is_any, named.name_place, &buffer);
    return buffer;
  }

  void ReadShape(const YamlNode& node, const std::string& path, BufferRow* buffer) {
    std::vector<const YamlNode*> lengths;
    if (node.kind == YamlNode::Kind::kSequence) {
      for (const YamlNode& item : node.items) lengths.push_back(&item);
    } else {
      lengths.push_back(&node);
    }
    if (lengths.empty() || lengths.size() > 4)
      problems_->Add(node.place, path + ".shape has no length, or more than 4; write [rows, columns]");
    for (const YamlNode* length : lengths) {
      if (auto expression = ReadExpression(*length, path + ".shape", Allowed::kWhole, size_names_))
        buffer->shape.push_back(std::move(*expression));
    }
  }

  void ReadRange(const MapReader& map, BufferRow* buffer) {
    const YamlNode* node = map.Find("range");
    if (node == nullptr) return;
    if (buffer->is_output) {
      problems_->Add(node->place, fmt::format("{} is for inputs: the range of the values that are drawn; remove it",
                                              map.PathOf("range")));
    } else if (node->kind != YamlNode::Kind::kSequence || node->items.size() != 2) {
      problems_->Add(node->place, fmt::format("{} is not two numbers; write [0, n - 1]", map.PathOf("range")));
    } else {
      buffer->low = ReadExpression(node->items[0], map.PathOf("range"), Allowed::kNumber, size_names_);
      buffer->high = ReadExpression(node->items[1], map.PathOf("range"), Allowed::kNumber, size_names_);
    }
  }

  void ReadTolerance(const MapReader& map, bool is_any, Place place, BufferRow* buffer) {
    const YamlNode* node = map.Find("tolerance");
    const auto is_float = [](const ElementType* type) { return type->is_float(); };
    const bool has_floats = is_any ? std::any_of(lab_.types.begin(), lab_.types.end(), is_float)
                                   : buffer->type != nullptr && buffer->type->is_float();
    if (node == nullptr) {
      if (buffer->is_output && has_floats) {
        problems_->Add(
            place,
            fmt::format("{} has floats, but no 'tolerance'; add 'tolerance: {{relative: 1e-6}}', or 'tolerance: exact'",
                        map.PathOf("out")));
      }
      return;
    }
    if (!buffer->is_output) {
      problems_->Add(node->place, fmt::format("{} is for outputs; remove it", map.PathOf("tolerance")));
      return;
    }
    if (node->kind == YamlNode::Kind::kScalar && node->text == "exact") return;
    const MapReader tolerance(*node, map.PathOf("tolerance"), kToleranceKeys, problems_);
    if (const YamlNode* one = tolerance.Find("relative"))
      buffer->relative = ReadExpression(*one, tolerance.PathOf("relative"), Allowed::kNumber, size_names_);
    if (const YamlNode* one = tolerance.Find("absolute"))
      buffer->absolute = ReadExpression(*one, tolerance.PathOf("absolute"), Allowed::kNumber, size_names_);
  }

  void ReadWork(const YamlNode& node) {
    const MapReader map(node, "work", kWorkKeys, problems_);
    const std::pair<const char*, std::optional<Expression>*> rows[] = {{"elements", &lab_.elements},
                                                                       {"bytes", &lab_.bytes},
                                                                       {"flops", &lab_.flops},
                                                                       {"loads", &lab_.loads},
                                                                       {"stores", &lab_.stores}};
    for (const auto& [key, to] : rows) {
      if (const YamlNode* value = map.Find(key))
        *to = ReadExpression(*value, map.PathOf(key), Allowed::kWhole, size_names_);
    }
  }

  std::vector<CaseRow> ReadCases(const YamlNode& node, const std::string& path,
                                 const std::vector<std::string>& more_keys) {
    std::vector<CaseRow> cases;
    if (node.kind != YamlNode::Kind::kSequence || node.items.empty()) {
      problems_->Add(node.place, path + " is not a list of cases; write one a line, such as '- {n: 1000}'");
      return cases;
    }
    if (node.items.size() > kMostCases)
      problems_->Add(node.place, fmt::format("{} has more than {} cases; leave some out", path, kMostCases));
    for (const YamlNode& item : node.items) {
      if (auto row = ReadCase(item, path, more_keys)) cases.push_back(std::move(*row));
    }
    return cases;
  }

  std::optional<CaseRow> ReadCase(const YamlNode& node, const std::string& path, std::vector<std::string> keys) {
    for (const Parameter& size : lab_.sizes) keys.push_back(size.name);
    for (const Parameter& scalar : lab_.scalars) keys.push_back(scalar.name);
    const size_t before = problems_->count();
    const MapReader map(node, path, keys, problems_);
    if (!map.is_map()) return std::nullopt;
    CaseRow row;
    row.place = node.place;
    std::vector<std::string> earlier;
    for (const Parameter& size : lab_.sizes) {
      if (const YamlNode* value = map.Require(size.name, fmt::format("add '{}: NUMBER'", size.name))) {
        if (auto expression = ReadExpression(*value, map.PathOf(size.name), allowed_, earlier))
          row.sizes.push_back(std::move(*expression));
      }
      earlier.push_back(size.name);
    }
    for (const Parameter& scalar : lab_.scalars) {
      if (const YamlNode* value = map.Require(scalar.name, fmt::format("add '{}: NUMBER'", scalar.name))) {
        row.scalars.push_back(config::ReadNumber(*value, map.PathOf(scalar.name), problems_).value_or(0));
      }
    }
    ReadTypeAndValues(map, &row);
    if (const YamlNode* times = map.Find("times")) {
      const auto number = config::ReadCount(*times, map.PathOf("times"), problems_);
      if (number && (*number < 1 || *number > static_cast<uint64_t>(kMostTimes))) {
        problems_->Add(times->place,
                       fmt::format("{} is not between 1 and {}; write such a number", map.PathOf("times"), kMostTimes));
      } else if (number) {
        row.times = static_cast<int>(*number);
      }
    }
    return problems_->count() == before ? std::optional(std::move(row)) : std::nullopt;
  }

  void ReadTypeAndValues(const MapReader& map, CaseRow* row) {
    if (const YamlNode* type = map.Find("type")) {
      const ElementType* const one = Type(*type, map.PathOf("type"), false);
      const auto found = std::find(lab_.types.begin(), lab_.types.end(), one);
      if (one != nullptr && found == lab_.types.end()) {
        problems_->Add(type->place,
                       fmt::format("{} is {}, which is not in 'types' of the lab; add it there, or remove it here",
                                   map.PathOf("type"), one->name));
      } else if (one != nullptr) {
        row->variant = static_cast<int32_t>(found - lab_.types.begin());
      }
    }
    const YamlNode* values = map.Find("values");
    const auto kind = values == nullptr ? std::nullopt : config::ReadText(*values, map.PathOf("values"), problems_);
    if (!kind) return;
    const auto found = std::find(kValueKinds.begin(), kValueKinds.end(), *kind);
    row->pattern = static_cast<uint32_t>(found - kValueKinds.begin());
    if (found != kValueKinds.end()) return;
    row->pattern = 0;
    problems_->Add(values->place,
                   fmt::format("there are no values '{}'{}", config::Shown(*kind),
                               config::Suggest(*kind, kValueKinds, "write " + config::ListNames(kValueKinds))));
  }

  static std::vector<std::string> NamesIn(const YamlNode* map) {
    std::vector<std::string> names;
    if (map == nullptr) return names;
    for (const config::YamlEntry& entry : map->entries) names.push_back(entry.key.text);
    return names;
  }

  void ReadHints(const YamlNode& node, const YamlNode* rungs) {
    std::vector<std::string> known = NamesIn(rungs);
    known.emplace_back("any");
    for (const NamedNode& rung : config::ReadNames(node, "hints", "rung", problems_)) {
      if (std::find(known.begin(), known.end(), rung.name) == known.end()) {
        problems_->Add(rung.name_place,
                       fmt::format("hints are for a rung '{}', which the lab does not have{}", rung.name,
                                   config::Suggest(rung.name, known, "write one of " + config::ListNames(known))));
      }
      for (const NamedNode& hint : config::ReadNames(*rung.value, "hints." + rung.name, "hint", problems_)) {
        lab_.hints[rung.name][hint.name] =
            config::ReadText(*hint.value, "hints." + rung.name + "." + hint.name, problems_).value_or("");
      }
    }
  }

  void ReadReference(const YamlNode& node) {
    const MapReader map(node, "reference", kReferenceKeys, problems_);
    const YamlNode* time = map.Find("time");
    const auto seconds = time == nullptr ? std::nullopt : config::ReadSeconds(*time, map.PathOf("time"), problems_);
    if (seconds && (*seconds < 1 || *seconds > kMostSeconds)) {
      problems_->Add(time->place,
                     fmt::format("reference.time is not between 1s and {}s; write such a time", kMostSeconds));
    } else if (seconds) {
      lab_.reference_seconds = *seconds;
    }
  }

  // A rung with technique limits, or with throughput thresholds, needs the size at which it is counted or timed.
  void RequireCaseFor(const std::string& what, const YamlNode* rungs) {
    if (rungs == nullptr) return;
    for (const config::YamlEntry& rung : rungs->entries) {
      for (const config::YamlEntry& entry : rung.value.entries) {
        if (entry.key.text != what) continue;
        problems_->Add(
            entry.key.place,
            fmt::format("{} has '{}', but the lab does not say at which size; add '{}: {{n: 2^20}}' to the lab",
                        rung.key.text, what, what));
        return;
      }
    }
  }

  Description lab_;
  Problems* problems_;
  Allowed allowed_ = Allowed::kWhole;
  std::vector<std::string> size_names_;
  std::set<std::string> used_ = {"stream"};
};

// Makes all cases of `rows`, and reports those that have none.
void TryCases(const Description& lab, const std::vector<CaseRow>& rows, bool is_timed, Problems* problems) {
  Random random(1);
  for (const CaseRow& row : rows) {
    const auto draws = [](const Expression& size) { return size.draws(); };
    const int samples = std::any_of(row.sizes.begin(), row.sizes.end(), draws) ? kSamples : 1;
    for (int32_t variant = row.variant.value_or(0); variant < (row.variant ? *row.variant + 1 : lab.variants());
         ++variant) {
      std::optional<Error> wrong;
      for (int i = 0; i < samples && !wrong; ++i) {
        const Result<Case> made = MakeCase(lab, row, variant, is_timed, &random);
        if (!made) wrong = made.error();
      }
      if (!wrong) continue;
      problems->Add(row.place, fmt::format("this case is impossible: {}", wrong->message));
      break;
    }
  }
}

std::vector<CaseRow> ListOf(const std::optional<CaseRow>& row) {
  return row ? std::vector{*row} : std::vector<CaseRow>();
}

}  // namespace

const ElementType* FindType(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kTypes), std::end(kTypes), [name](const ElementType& type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

std::vector<std::string> TypeNames() {
  std::vector<std::string> names;
  for (const ElementType& type : kTypes) names.emplace_back(type.name);
  return names;
}

Result<Description> ReadDescription(const std::string& folder) {
  const std::string file = (fs::path(folder) / kLabFile).string(),
                    hidden_file = (fs::path(folder) / kHiddenFile).string();
  Problems problems(file);
  const auto root = config::ReadYamlFile(file, &problems);
  if (!root) return problems.ToError(ErrorKind::kUsage);
  Description lab = Reader(folder, &problems).Read(*root);
  if (problems.empty()) {
    TryCases(lab, lab.cases, false, &problems);
    TryCases(lab, ListOf(lab.technique), false, &problems);
    TryCases(lab, ListOf(lab.throughput), true, &problems);
  }
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  std::error_code ignored;
  if (!fs::exists(hidden_file, ignored)) return lab;
  Problems of_hidden(hidden_file);
  const auto hidden = config::ReadYamlFile(hidden_file, &of_hidden);
  if (hidden) Reader(folder, &of_hidden).ReadHidden(*hidden, &lab);
  if (of_hidden.empty()) {
    TryCases(lab, lab.hidden, false, &of_hidden);
    TryCases(lab, ListOf(lab.other_size), false, &of_hidden);
  }
  if (!of_hidden.empty()) return of_hidden.ToError(ErrorKind::kUsage);
  return lab;
}

}  // namespace warpgrade::described
