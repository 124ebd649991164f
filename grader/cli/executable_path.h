// Where our own executable is: what the kit's other parts are found from, and what a child process is started from.
#pragma once

#include <string>

namespace warpgrade::cli {

std::string ExecutablePath();

}  // namespace warpgrade::cli
