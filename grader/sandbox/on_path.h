// Finds a program by its name.
#pragma once

#include <optional>
#include <string>

namespace warpgrade::sandbox {

// The path of the executable file `name` in the first folder of PATH that has it. Folders without a leading "/" are
// left out, because what they mean depends on the folder in which the kit was started. nullopt: there is none.
std::optional<std::string> OnPath(const std::string& name);

}  // namespace warpgrade::sandbox
