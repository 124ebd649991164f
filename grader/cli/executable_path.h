// The path of our own executable. It is used to find the files of the kit and to start child processes.
#pragma once

#include <string>

namespace warpgrade::cli {

std::string ExecutablePath();

}  // namespace warpgrade::cli
