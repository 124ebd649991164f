// Tests: tests/cli/container_memory_test.cc.
#include "grader/cli/container_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <vector>

namespace warpgrade::cli {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

// The folders of our control group, in the two versions of control groups. In a container, its own group is the root.
std::vector<std::string> LimitFiles(const std::string& root) {
  const std::string groups = root + "/sys/fs/cgroup";
  std::vector<std::string> files = {groups + "/memory.max", groups + "/memory/memory.limit_in_bytes"};
  std::ifstream own(root + "/proc/self/cgroup");
  for (std::string line; std::getline(own, line);) {  // "0::/group" or "4:memory:/group"
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controller = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controller.empty()) files.push_back(fmt::format("{}{}/memory.max", groups, group));
    if (controller == "memory") files.push_back(fmt::format("{}/memory{}/memory.limit_in_bytes", groups, group));
  }
  return files;
}

int64_t MachineBytes(const std::string& root) {
  std::ifstream facts(root + "/proc/meminfo");
  std::string name;
  int64_t kilobytes = 0;
  return facts >> name >> kilobytes && name == "MemTotal:" ? kilobytes << 10 : kUnlimited;
}

}  // namespace

int64_t ContainerMemoryMb(const std::string& root) {
  int64_t least = MachineBytes(root);
  for (const std::string& file : LimitFiles(root)) {
    int64_t bytes = 0;
    if (std::ifstream(file) >> bytes && bytes > 0) least = std::min(least, bytes);  // "max" is no number
  }
  return least == kUnlimited ? 0 : least >> 20;
}

}  // namespace warpgrade::cli
