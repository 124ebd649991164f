// Builds the tree of a YAML file. yaml-cpp calls TreeBuilder for each event; the builder keeps the open containers on a
// stack:
//
//   {a: [1, 2]}    map             -> open_ = {map}
//                  scalar a        -> map.items = {a}
//                  sequence        -> open_ = {map, sequence}
//                  scalars, end    -> map.items = {a, [1, 2]}
//                  end             -> map.entries = {a: [1, 2]}, the root
//
// The children of a container are collected in `items`. When a map ends, its items become pairs in `entries`.
// Tests: tests/config/yaml_tree_test.cc.
#include "grader/config/yaml_tree.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace warpgrade::config {
namespace {

Place PlaceOf(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

// Thrown to leave the recursion of yaml-cpp when the rest of the document is not read.
struct StopReading {
  Place place;
  std::string what;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(Problems* problems, size_t most_nodes) : problems_(problems), most_nodes_(most_nodes) {}

  YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Put(NewNode(YamlNode::Kind::kNull, mark), anchor, Extent{});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = NewNode(YamlNode::Kind::kScalar, mark);
    node.text = value;
    node.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    if (!node.quoted) RefuseTag(mark, tag);
    Put(std::move(node), anchor, Extent{});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) {
      throw StopReading{PlaceOf(mark), "this alias is inside the value that it stands for; write the value out"};
    }
    YamlNode copy = known->second.node;
    copy.place = PlaceOf(mark);
    Put(std::move(copy), 0, known->second.extent);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(YamlNode::Kind::kSequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(YamlNode::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override {
    YamlNode& map = open_.back().node;
    for (size_t i = 0; i + 1 < map.items.size(); i += 2) {
      YamlEntry entry{std::move(map.items[i]), std::move(map.items[i + 1])};
      if (entry.value.kind == YamlNode::Kind::kNull) entry.value.place = entry.key.place;
      if (entry.key.kind == YamlNode::Kind::kScalar && entry.key.text == "<<" && !entry.key.quoted) {
        problems_->Add(
            entry.key.place,
            "merge keys ('<<') are not supported; write the keys out, or use an alias for the whole mapping");
        continue;
      }
      map.entries.push_back(std::move(entry));
    }
    map.items.clear();
    Close();
  }

 private:
  // How large a value is with its aliases written out.
  struct Extent {
    size_t nodes = 1;
    size_t depth = 1;
  };
  struct OpenNode {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    Extent extent;
  };
  struct Anchored {
    YamlNode node;
    Extent extent;
  };

  static YamlNode NewNode(YamlNode::Kind kind, const YAML::Mark& mark) {
    YamlNode node;
    node.kind = kind;
    node.place = PlaceOf(mark);
    return node;
  }

  void RefuseTag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    problems_->Add(PlaceOf(mark), fmt::format("the tag '{}' has no meaning here; remove it", tag));
  }

  void Open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    RefuseTag(mark, tag);
    if (open_.size() >= kMostYamlDepth) ThrowTooDeep(PlaceOf(mark));
    open_.push_back({NewNode(kind, mark), anchor, Extent{}});
  }

  void Close() {
    OpenNode closed = std::move(open_.back());
    open_.pop_back();
    Put(std::move(closed.node), closed.anchor, closed.extent);
  }

  void Put(YamlNode node, YAML::anchor_t anchor, Extent extent) {
    if (anchor != 0) anchors_[anchor] = {node, extent};
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    if (open_.size() + extent.depth > kMostYamlDepth + 1) ThrowTooDeep(node.place);
    OpenNode& parent = open_.back();
    parent.extent.nodes += extent.nodes;
    parent.extent.depth = std::max(parent.extent.depth, extent.depth + 1);
    if (parent.extent.nodes > most_nodes_) {
      throw StopReading{
          node.place,
          fmt::format("the file has more than {} values when aliases are written out; make it smaller", most_nodes_)};
    }
    parent.node.items.push_back(std::move(node));
  }

  [[noreturn]] static void ThrowTooDeep(Place place) {
    throw StopReading{place, fmt::format("values are nested more than {} deep; use fewer levels", kMostYamlDepth)};
  }

  Problems* problems_;
  const size_t most_nodes_;
  YamlNode root_;
  std::vector<OpenNode> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
};

// yaml-cpp's own message for a tab misleads, and it may even accept one.
bool ReportTabs(const std::string& text, Problems* problems) {
  bool found = false;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const size_t tab = line.find('\t');
    const size_t content = line.find_first_not_of(" \t\r");
    if (content == std::string::npos || line[content] == '#' || tab == std::string::npos || tab > content) continue;
    problems->Add({number, static_cast<int>(tab) + 1}, "a tab in the indentation; YAML wants spaces");
    found = true;
  }
  return found;
}

// Where `text` stops being UTF-8 text, if it does.
std::optional<Place> FirstNonText(const std::string& text) {
  Place place{1, 1};
  for (size_t i = 0; i < text.size();) {
    const unsigned char lead = text[i];
    const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    bool good = length > 0 && i + length <= text.size() && (lead >= 0x20 || std::strchr("\t\r\n", lead)) && lead != 0;
    for (size_t k = 1; good && k < length; ++k) good = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
    if (!good) return place;
    if (lead == '\n') {
      place = {place.line + 1, 1};
    } else {
      ++place.column;
    }
    i += length;
  }
  return std::nullopt;
}

void ReportSyntax(const YAML::Exception& error, Problems* problems) {
  const bool placed = !error.mark.is_null();
  // It may end in a byte of the file's: part of a character, or a control character.
  std::string reason = error.msg;
  while (!reason.empty() && (reason.back() <= ' ' || reason.back() > '~')) reason.pop_back();
  problems->Add(
      placed ? PlaceOf(error.mark) : Place{},
      fmt::format("this is not valid YAML ({}); check the indentation, quotes and brackets here and in the line above",
                  reason));
}

}  // namespace

std::optional<YamlNode> ParseYaml(const std::string& text, Problems* problems, const YamlLimits& limits) {
  if (const std::optional<Place> bad = FirstNonText(text)) {
    problems->Add(*bad, "the file is not UTF-8 text; save it as UTF-8");
    return std::nullopt;
  }
  if (ReportTabs(text, problems)) return std::nullopt;
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(problems, limits.nodes);
    if (!parser.HandleNextDocument(builder)) {
      problems->Add({1, 1}, "the file is empty; start from the one that comes with warpgrade");
      return std::nullopt;
    }
    YamlNode root = builder.TakeRoot();
    TreeBuilder second(problems, limits.nodes);
    if (parser.HandleNextDocument(second)) {
      problems->Add(second.TakeRoot().place, "a second document ('---') starts here; remove it");
    }
    return root;
  } catch (const StopReading& stop) {
    problems->Add(stop.place, stop.what);
  } catch (const YAML::Exception& error) {
    ReportSyntax(error, problems);
  }
  return std::nullopt;
}

std::optional<YamlNode> ReadYamlFile(const std::string& path, Problems* problems, const YamlLimits& limits) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) {
    problems->Add({}, errno == ENOENT ? std::string("there is no such file; check the path")
                                      : fmt::format("cannot be read: {}; check the path", std::strerror(errno)));
    return std::nullopt;
  }
  if (!S_ISREG(info.st_mode)) {  // reading a pipe or a device could last for ever
    problems->Add({}, S_ISDIR(info.st_mode) ? "this is a folder; name the .yaml file in it"
                                            : "this is not a regular file; name a .yaml file");
    return std::nullopt;
  }
  if (static_cast<size_t>(info.st_size) > limits.bytes) {
    problems->Add(
        {}, fmt::format("the file has {} bytes, and the limit is {}; make it smaller", info.st_size, limits.bytes));
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<size_t>(info.st_size), '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file) {
    problems->Add({}, fmt::format("cannot be read: {}; check its permissions", std::strerror(errno)));
    return std::nullopt;
  }
  return ParseYaml(text, problems, limits);
}

}  // namespace warpgrade::config
