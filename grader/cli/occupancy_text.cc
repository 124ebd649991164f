// The occupancy of a kernel with the arithmetic that leads to it. The numbers of blocks are those of
// device_model/occupancy.h; the steps between are written out here, and tests/cli/occupancy_text_test.cc compares them
// with these numbers on every GPU.
#include "grader/cli/occupancy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/device_model/gpu_limits.h"
#include "grader/device_model/occupancy.h"
#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

constexpr int kRegisterUnit = 256;  // registers are given to a warp in units of so many
constexpr size_t kArrowColumn = 62;

Occupancy Answer(const OccupancyQuestion& question, const DeviceModel& gpu) {
  const KernelNeeds needs{.registers = static_cast<uint32_t>(question.registers)};
  return OccupancyOf(needs, gpu.capability, question.threads, question.shared);
}

// One resource: its arithmetic, whose last line gives the number of blocks.
struct Resource {
  const char* name;
  std::vector<std::string> lines;
  int blocks;
};

Resource Registers(const OccupancyQuestion& question, const Occupancy& occupancy) {
  const int per_warp = question.registers * gpu_limits::kWarpSize;
  const int rounded = (per_warp + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  const int schedulers = gpu_limits::kSchedulersPerMultiprocessor;
  const int each = gpu_limits::kRegistersPerMultiprocessor / schedulers, warps = each / rounded;
  Resource resource{.name = "registers", .blocks = occupancy.by_registers};
  resource.lines.push_back(fmt::format("{} x {} = {} a warp, rounded up to a multiple of {} = {}", question.registers,
                                       gpu_limits::kWarpSize, per_warp, kRegisterUnit, rounded));
  if (occupancy.by_registers == 0) {
    resource.lines.push_back(fmt::format("{} x {} = {} a block, but a block may have {}: 0 blocks", rounded,
                                         occupancy.warps_per_block, rounded * occupancy.warps_per_block,
                                         gpu_limits::kRegistersPerBlock));
    return resource;
  }
  resource.lines.push_back(fmt::format("{} / {} schedulers = {}; {} / {} = {}, so {} warps",
                                       gpu_limits::kRegistersPerMultiprocessor, schedulers, each, each, rounded, warps,
                                       schedulers * warps));
  resource.lines.push_back(fmt::format("{} / {} = {}", schedulers * warps, occupancy.warps_per_block,
                                       Counted(static_cast<uint64_t>(occupancy.by_registers), "block")));
  return resource;
}

Resource SharedMemory(const OccupancyQuestion& question, const DeviceModel& gpu, const Occupancy& occupancy) {
  const ComputeCapability& device = gpu.capability;
  Resource resource{.name = "shared", .blocks = occupancy.by_shared};
  if (question.shared > static_cast<uint64_t>(device.shared_per_block_opt_in)) {
    resource.lines = {fmt::format("{} bytes a block, but a block may have {}: 0 blocks", question.shared,
                                  device.shared_per_block_opt_in)};
    return resource;
  }
  if (occupancy.by_shared == Occupancy::kNoLimit) {
    resource.lines = {"0 bytes a block: no limit"};
    return resource;
  }
  const uint64_t with_system = question.shared + static_cast<uint64_t>(device.shared_reserved_per_block);
  std::string line = fmt::format("{} bytes", question.shared);
  if (device.shared_reserved_per_block > 0) {
    line += fmt::format(" + {} for the system = {}", device.shared_reserved_per_block, with_system);
  }
  if (with_system % gpu_limits::kSharedAllocationUnit != 0) {
    line += fmt::format(", rounded up to a multiple of {} = {}", gpu_limits::kSharedAllocationUnit,
                        occupancy.shared_per_block);
  }
  resource.lines = {line, fmt::format("{} / {} = {}", device.shared_per_multiprocessor, occupancy.shared_per_block,
                                      Counted(static_cast<uint64_t>(occupancy.by_shared), "block"))};
  return resource;
}

Resource Threads(const DeviceModel& gpu, const Occupancy& occupancy) {
  return {
      .name = "threads",
      .lines = {fmt::format("{} / {} = {} warps; {} / {} = {}", gpu.capability.threads_per_multiprocessor,
                            gpu_limits::kWarpSize, occupancy.most_warps, occupancy.most_warps,
                            occupancy.warps_per_block, Counted(static_cast<uint64_t>(occupancy.by_warps), "block"))},
      .blocks = occupancy.by_warps};
}

Resource Blocks(const Occupancy& occupancy) {
  return {.name = "blocks",
          .lines = {fmt::format("at most {}", Counted(static_cast<uint64_t>(occupancy.by_blocks), "block"))},
          .blocks = occupancy.by_blocks};
}

// The most of one resource with which a block more is resident, as a sentence; "" if no amount helps.
std::string OneMore(const OccupancyQuestion& question, const DeviceModel& gpu, const Occupancy& occupancy) {
  const auto resident = [&gpu](const OccupancyQuestion& other) { return Answer(other, gpu).blocks; };
  OccupancyQuestion fewer = question;
  if (occupancy.by_registers == occupancy.blocks) {
    while (fewer.registers > 1 && resident(fewer) <= occupancy.blocks) --fewer.registers;
    if (resident(fewer) > occupancy.blocks) {
      return fmt::format("With at most {} registers, {} would be resident.", fewer.registers,
                         Counted(static_cast<uint64_t>(resident(fewer)), "block"));
    }
  }
  fewer = question;
  if (occupancy.by_shared == occupancy.blocks) {
    const KernelNeeds needs{.registers = static_cast<uint32_t>(question.registers)};
    if (const auto most = SharedForResidentBlocks(needs, gpu.capability, occupancy.blocks + 1, question.threads)) {
      fewer.shared = *most;
      return fmt::format("With at most {} bytes of shared memory, {} would be resident.", *most,
                         Counted(static_cast<uint64_t>(resident(fewer)), "block"));
    }
  }
  return "";
}

}  // namespace

std::string OccupancyText(const OccupancyQuestion& question, const DeviceModel& gpu) {
  const Occupancy occupancy = Answer(question, gpu);
  std::string text = fmt::format(
      "{} (compute capability {}.{}): {} a thread, {} a block, {} of shared memory\n\n", gpu.name, gpu.capability.major,
      gpu.capability.minor, Counted(static_cast<uint64_t>(question.registers), "register"),
      Counted(static_cast<uint64_t>(question.threads), "thread"), Counted(question.shared, "byte"));
  text += fmt::format("  {:<11}{} / {}, rounded up = {}\n", "a block", question.threads, gpu_limits::kWarpSize,
                      Counted(static_cast<uint64_t>(occupancy.warps_per_block), "warp"));
  for (Resource& resource :
       std::vector<Resource>{Registers(question, occupancy), SharedMemory(question, gpu, occupancy),
                             Threads(gpu, occupancy), Blocks(occupancy)}) {
    if (resource.blocks == occupancy.blocks) {
      std::string& last = resource.lines.back();
      last += std::string(last.size() < kArrowColumn ? kArrowColumn - last.size() : 1, ' ') + "<- the limit";
    }
    const char* name = resource.name;
    for (const std::string& line : resource.lines) {
      text += fmt::format("  {:<11}{}\n", name, line);
      name = "";
    }
  }
  if (occupancy.blocks == 0) return text + "\nNo block fits on a multiprocessor, so a launch of this kernel fails.\n";
  text += fmt::format("\n{} of {} {} resident on a multiprocessor: {} of {} warps, {:.4g}%.\n",
                      Counted(static_cast<uint64_t>(occupancy.blocks), "block"),
                      Counted(static_cast<uint64_t>(occupancy.warps_per_block), "warp"),
                      IsOrAre(static_cast<uint64_t>(occupancy.blocks)), occupancy.warps, occupancy.most_warps,
                      100.0 * occupancy.warps / occupancy.most_warps);
  if (const std::string more = OneMore(question, gpu, occupancy); !more.empty()) text += more + "\n";
  return text;
}

}  // namespace warpgrade::cli
