// The path of our own executable, which finds the files of the kit and starts child processes, and how the user started
// it. Tests: tests/release/release_command_test.cc.
#pragma once

#include <string>

namespace warpgrade::cli {

std::string ExecutablePath();

// A word as the shell takes it: in quotes where it needs some.
std::string WordForShell(const std::string& word);

// The launcher as the user typed it, such as "./warpgrade", for commands that are printed to be copied; a word for the
// shell. "warpgrade" if there is no launcher. Launchers hand their name on as argv[0] (`exec -a`).
std::string LauncherPath();

}  // namespace warpgrade::cli
