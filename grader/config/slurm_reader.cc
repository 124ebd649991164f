// Reads the block `slurm` of course.yaml. Each text becomes one argument of sbatch, so none may hold what a shell or a
// list of arguments could take for something else. Tests: tests/config/course_slurm_test.cc.
#include "grader/config/slurm_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/config/course_keys.h"

namespace warpgrade::config {
namespace {

constexpr int kMostCores = 1024, kMostInChunk = 1000, kMostAtOnce = 1000, kMostTries = 10;

class SlurmReader {
 public:
  SlurmReader(const YamlNode& node, Problems* problems)
      : map_(node, "slurm", kSlurmKeys, problems), problems_(problems) {}

  Slurm Read() const {
    Slurm slurm;
    ReadFolder(&slurm);
    Word("partition", "the name of a partition, as sinfo prints it", &slurm.partition);
    Word("account", "the name of an account", &slurm.account);
    Word("gres", "a resource, such as gpu:1", &slurm.gres);
    if (const YamlNode* gpu = map_.Find("gpu")) {
      slurm.gpu = ReadText(*gpu, map_.PathOf("gpu"), problems_).value_or("");
    }
    if (const YamlNode* time = map_.Find("time")) slurm.time_s = ReadSeconds(*time, map_.PathOf("time"), problems_);
    if (const YamlNode* memory = map_.Find("memory")) {
      const std::optional<int64_t> bytes = ReadBytes(*memory, map_.PathOf("memory"), problems_);
      constexpr int64_t kMegabyte = 1 << 20;
      if (bytes) slurm.memory_mb = (*bytes + kMegabyte - 1) / kMegabyte;
    }
    Number("cores", kMostCores, &slurm.cores);
    Number("chunk", kMostInChunk, &slurm.chunk);
    Number("at_once", kMostAtOnce, &slurm.at_once);
    Number("tries", kMostTries, &slurm.tries);
    ReadOptions(&slurm);
    return slurm;
  }

 private:
  void ReadFolder(Slurm* slurm) const {
    const YamlNode* const node =
        map_.Require("folder", "add 'folder: /PATH', a folder that this machine and all nodes share");
    if (!node) return;
    slurm->folder = ReadText(*node, map_.PathOf("folder"), problems_).value_or("/");
    if (!slurm->folder.starts_with('/')) {
      problems_->Add(node->place, fmt::format("slurm.folder: '{}' does not begin with /; write the whole path of a "
                                              "folder that this machine and all nodes share",
                                              Shown(slurm->folder)));
    }
  }

  void Word(const char* key, const char* what, std::string* word) const {
    const YamlNode* const node = map_.Find(key);
    if (!node) return;
    const std::optional<std::string> text = ReadText(*node, map_.PathOf(key), problems_);
    if (!text) return;
    const auto is_plain = [](unsigned char c) { return c > ' ' && c < 0x7f; };
    if (text->empty() || !std::all_of(text->begin(), text->end(), is_plain)) {
      problems_->Add(node->place,
                     fmt::format("{}: '{}' is not {}; write it without spaces", map_.PathOf(key), Shown(*text), what));
      return;
    }
    *word = *text;
  }

  void Number(const char* key, int most, int* number) const {
    const YamlNode* const node = map_.Find(key);
    if (!node) return;
    const std::optional<uint64_t> count = ReadCount(*node, map_.PathOf(key), problems_);
    if (!count) return;
    if (*count > static_cast<uint64_t>(most)) {
      problems_->Add(node->place, fmt::format("{} is above {}; write a smaller number", map_.PathOf(key), most));
      return;
    }
    *number = static_cast<int>(*count);
  }

  void ReadOptions(Slurm* slurm) const {
    const YamlNode* const node = map_.Find("options");
    if (!node) return;
    if (node->kind != YamlNode::Kind::kSequence) {
      problems_->Add(node->place, "slurm.options is not a list; write '[--qos=short, ...]', or leave it out");
      return;
    }
    for (const YamlNode& item : node->items) {
      const std::optional<std::string> text = ReadText(item, "slurm.options", problems_);
      if (!text) continue;
      if (!text->starts_with("--")) {
        problems_->Add(item.place, fmt::format("slurm.options: '{}' does not begin with --; write an option of sbatch "
                                               "with its value, such as --qos=short",
                                               Shown(*text)));
        continue;
      }
      slurm->options.push_back(*text);
    }
  }

  const MapReader map_;
  Problems* const problems_;
};

}  // namespace

Slurm ReadSlurm(const YamlNode& node, Problems* problems) { return SlurmReader(node, problems).Read(); }

}  // namespace warpgrade::config
