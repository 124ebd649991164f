// Runs one compiled program of programs/ over our libcudart.so.13, with the device in its own process or served here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/emulator/device.h"

namespace warpgrade::cudart {

enum class Mode { kInProcess, kServed };

struct ProgramResult {
  int exit_code = -1;                            // -1: killed by a signal
  std::string output;                            // the program's standard output, and what its kernels printed
  std::string errors;                            // its standard error
  std::vector<emulator::Finding> findings;       // kServed: what the judge's device saw
  std::vector<emulator::LaunchRecord> launches;  // kServed
  std::map<std::string, double> metrics;         // kServed: the server's account
};

// `environment`: "NAME=value" additions.
ProgramResult RunProgram(const std::string& name, Mode mode, const std::vector<std::string>& environment = {});

}  // namespace warpgrade::cudart
