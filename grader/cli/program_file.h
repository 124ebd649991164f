// Reads how a program was built, before it runs. If it was compiled in a way that cannot work on the emulator, the user
// gets a message with the right command instead of a message of the loader.
#pragma once

#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::cli {

struct ProgramFile {
  std::string path;                 // found on PATH when the name has no slash
  bool is_elf = false;              // false: a script
  bool has_kernels = false;         // nvcc embedded device code
  std::vector<std::string> needed;  // shared libraries, as named in the file
  bool has_rpath = false;           // an RPATH (not a RUNPATH), which the loader searches before LD_LIBRARY_PATH
  std::string loader;               // the dynamic loader that the file names; "": it is linked statically
};

// Finds and reads the program. Errors (kUsage): it does not exist, is not executable, or cannot run on this machine.
Result<ProgramFile> ReadProgram(const std::string& name);

// Whether the program can run on the emulated CUDA runtime. The error (kUsage) says how to build it so that it can. A
// program without kernels and without libcudart is accepted, because it may start other programs.
Status CheckRunsEmulated(const ProgramFile& program);

// Whether libcudart.so.13 is among the libraries it names.
bool NeedsCudart(const ProgramFile& program);

}  // namespace warpgrade::cli
