// What a program's file says about how it was built, read before it is run, so that a person who compiled it in a way
// that cannot work is told what to do instead of meeting a loader's message.
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
  bool has_rpath = false;           // an RPATH (not a RUNPATH), which goes before LD_LIBRARY_PATH
};

// Finds and reads the program. Errors (kUsage): it is not there, not executable, or nothing that this machine can run.
Result<ProgramFile> ReadProgram(const std::string& name);

// Whether the program can run over the emulated CUDA runtime; the error (kUsage) says how to build it so that it can. A
// program without kernels and without libcudart is let through: it may start others.
Status CheckRunsEmulated(const ProgramFile& program);

// Whether libcudart.so.13 is among the libraries it names.
bool NeedsCudart(const ProgramFile& program);

}  // namespace warpgrade::cli
