// Finds the compilers for rungs: NVIDIA's nvcc and a host compiler.
#pragma once

#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::build {

struct Toolchain {
  std::string root;            // "/usr/local/cuda"
  std::string nvcc;            // "/usr/local/cuda/bin/nvcc"
  std::string host_compiler;   // "/usr/bin/g++": nvcc calls it, and it links
  bool has_gold = false;       // host_compiler finds ld.gold, which links in half of ld's time
  std::string cudart_library;  // NVIDIA's libcudart.so.13, with its folder; "" when the toolkit has none
  std::string version;         // of both compilers, in one line; part of the keys of the cache
  // The folders whose headers a rung may include: the toolkit's and the host compiler's.
  std::vector<std::string> include_dirs;

  // The folder of cudart_library, for programs that run on a GPU; "" if there is none.
  std::string cudart_dir() const;
};

// Looks for nvcc 13 at $CUDACXX, in $CUDA_HOME/bin and $CUDA_PATH/bin, on PATH, in /usr/local/cuda/bin and
// /usr/local/cuda-13*/bin, and in `private_dir`/bin (where the launcher puts a compiler that it fetched; may be "").
// Takes the first that runs. Looks for g++ at $NVCC_CCBIN and on PATH. Errors (kMachine) say what to install. Keeps
// what the compilers say about themselves in `cache_dir` (compiler_answers.h); "": asks them each time.
Result<Toolchain> FindToolchain(const std::string& private_dir, const std::string& cache_dir = "");

// The same with the first of `nvccs` that exists, runs and is new enough.
Result<Toolchain> FirstUsableToolchain(const std::vector<std::string>& nvccs, const std::string& cache_dir = "");

}  // namespace warpgrade::build
