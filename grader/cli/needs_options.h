// The options that say what a kernel needs: of `occupancy` and of `plot occupancy`.
#pragma once

#include <CLI/CLI.hpp>

#include "grader/cli/occupancy_text.h"
#include "grader/device_model/gpu_limits.h"

namespace warpgrade::cli {

// `question` must live as long as `command`.
inline void AddNeedsOptions(CLI::App& command, OccupancyQuestion* question) {
  command.add_option("--registers", question->registers, "The registers of a thread")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(1, gpu_limits::kRegistersPerThread).description(""));
  command.add_option("--threads", question->threads, "The threads of a block")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(1, gpu_limits::kThreadsPerBlock).description(""));
  command.add_option("--shared", question->shared, "The bytes of shared memory of a block (default: 0)")
      ->type_name("BYTES");
}

}  // namespace warpgrade::cli
