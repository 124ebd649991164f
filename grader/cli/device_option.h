// The option --device, which several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "grader/cli/device_choice.h"

namespace warpgrade::cli {

void AddDeviceOption(CLI::App& command, Device* device);

}  // namespace warpgrade::cli
