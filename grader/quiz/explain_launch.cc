// The arithmetic of the functions of functions_launch.cc. Tested by tests/quiz/explain_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "grader/device_model/device_model.h"
#include "grader/device_model/occupancy.h"
#include "grader/quiz/explanations.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

std::string TextOf(const Arguments& a, const char* name) { return ValueText(a.Number(name)); }

std::string ListText(const Arguments& a, const char* name) { return ValueText(a.List(name)); }

warpgrade::Occupancy ResidentOf(const Arguments& a) {
  const KernelNeeds needs{.registers = static_cast<uint32_t>(a.Whole("registers"))};
  return OccupancyOf(needs, (*FindDeviceModel(a.Word("device")))->capability, a.Whole("threads"),
                     static_cast<uint64_t>(a.Whole("shared")));
}

std::string Blocks(int blocks) {
  return blocks == warpgrade::Occupancy::kNoLimit ? std::string("no limit") : fmt::format("{}", blocks);
}

// The four limits of the resident blocks.
std::string LimitsText(const Arguments& a) {
  const auto occupancy = ResidentOf(a);
  return fmt::format(
      "a warp needs 32 x {} registers, rounded up to a multiple of 256: {}; a block is {} warps and {} bytes of shared "
      "memory with what the system takes; blocks by registers {}, by shared memory {}, by threads {}, by the number of "
      "blocks {}",
      TextOf(a, "registers"), occupancy.registers_per_warp, occupancy.warps_per_block, occupancy.shared_per_block,
      Blocks(occupancy.by_registers), Blocks(occupancy.by_shared), Blocks(occupancy.by_warps),
      Blocks(occupancy.by_blocks));
}

std::string FlatThread(const Arguments& a) {
  return fmt::format("threads of a block are numbered x + Dx * (y + Dy * z), with threadIdx {} and blockDim {}",
                     ListText(a, "thread_idx"), ListText(a, "block_dim"));
}

}  // namespace

// Long because it is a table: one row for each function.
std::vector<Explanation> LaunchExplanations() {
  return {
      {"resident_blocks", [](const Arguments& a) { return LimitsText(a) + "; the least"; }},
      {"occupancy",
       [](const Arguments& a) {
         const auto occupancy = ResidentOf(a);
         return fmt::format("{}; {} blocks x {} warps / {}", LimitsText(a), occupancy.blocks, occupancy.warps_per_block,
                            occupancy.most_warps);
       }},
      {"occupancy_limit", [](const Arguments& a) { return LimitsText(a) + "; the resource with the least"; }},
      {"global_thread_index",
       [](const Arguments& a) {
         return fmt::format(
             "blocks are numbered in the same way as threads, with blockIdx {} and gridDim {}; {}; number of the block "
             "x "
             "threads of a block + number of the thread",
             ListText(a, "block_idx"), ListText(a, "grid_dim"), FlatThread(a));
       }},
      {"global_coordinate",
       [](const Arguments& a) {
         return fmt::format("blockIdx.{0} * blockDim.{0} + threadIdx.{0}, of blockIdx {1}, blockDim {2}, threadIdx {3}",
                            a.Word("axis"), ListText(a, "block_idx"), ListText(a, "block_dim"),
                            ListText(a, "thread_idx"));
       }},
      {"lane_of_thread", [](const Arguments& a) { return FlatThread(a) + "; this number % 32"; }},
      {"warp_of_thread", [](const Arguments& a) { return FlatThread(a) + "; this number / 32, rounded down"; }},
      {"blocks_for",
       [](const Arguments& a) {
         return fmt::format("{} / ({} threads x {}), rounded up", TextOf(a, "n"), TextOf(a, "threads"),
                            TextOf(a, "per_thread"));
       }},
      {"idle_threads",
       [](const Arguments& a) {
         return fmt::format("{0} / {1}, rounded up, x {1}, - {0}", TextOf(a, "n"), TextOf(a, "threads"));
       }},
      {"overlapped_time",
       [](const Arguments& a) {
         return fmt::format(
             "the first piece: ({0} + {1} + {2}) / {3}; each of the other {4} pieces: max({0}, {1}, {2}) / {3}",
             TextOf(a, "copy_in"), TextOf(a, "kernel"), TextOf(a, "copy_out"), TextOf(a, "streams"),
             a.Whole("streams") - 1);
       }},
      {"warps_of_block",
       [](const Arguments& a) { return fmt::format("the product of {} / 32, rounded up", ListText(a, "block_dim")); }},
      {"threads_of_launch",
       [](const Arguments& a) {
         return fmt::format("blocks, the product of {}, x threads of a block, the product of {}",
                            ListText(a, "grid_dim"), ListText(a, "block_dim"));
       }},
      {"blocks_for_image",
       [](const Arguments& a) {
         return fmt::format("{} columns and {} rows / blockDim {}, each rounded up; columns of blocks x rows of blocks",
                            TextOf(a, "width"), TextOf(a, "height"), ListText(a, "block_dim"));
       }},
      {"colour_index",
       [](const Arguments& a) {
         const std::string pixel =
             fmt::format("{} x {} + {}", TextOf(a, "row"), TextOf(a, "width"), TextOf(a, "column"));
         if (a.Word("layout") == "interleaved") return fmt::format("3 x ({}) + {}", pixel, TextOf(a, "colour"));
         return fmt::format("{} x {} x {} + {}", TextOf(a, "colour"), TextOf(a, "height"), TextOf(a, "width"), pixel);
       }},
      {"launch_limit",
       [](const Arguments& a) {
         return fmt::format("CUDA's table of limits, {} for compute capability {}", a.Word("what"),
                            a.Word("capability"));
       }},
      {"runs_by",
       [](const Arguments& a) {
         return fmt::format(
             "machine code for {} runs on devices of the same major capability and at least the same minor one; PTX "
             "for {} "
             "is compiled for every device of at least this capability; a device of {}",
             ListText(a, "real"), TextOf(a, "virtual"), TextOf(a, "device"));
       }},
  };
}

}  // namespace warpgrade::quiz
