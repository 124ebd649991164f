// Compiles what a described lab needs: its reference, and the adapter between the worker and the student's function.
// The kit is not built again, and the lab's own folder is only read.
//
//   CACHE/4f0c...e1/            named by the digest of everything that it is made of; it appears by rename
//     lab.yaml, hidden.yaml     copies
//     labs/NAME/NAME.h          the header that students include
//     adapter.a                 linked with a rung
//     reference                 a program (reference.h)
//     from                      the path of the lab's own folder, for messages
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/described/described_lab.h"
#include "grader/described/description.h"
#include "grader/result/result.h"

namespace warpgrade::described {

// Compiles the lab with the compilers and headers of `options`, unless that was done before, and then runs the
// reference once in each public case. `cache_dir`: as BuildOptions::cache_dir; "" or one that is not usable: a
// temporary folder, which lives as long as this process. Errors: kUsage if reference.cc is missing, does not compile,
// crashes or does not end; kMachine if the compiler does not start.
Result<Built> Prepare(const Description& lab, const build::BuildOptions& options, const std::string& cache_dir,
                      const std::atomic<bool>* cancel = nullptr);

// $XDG_CACHE_HOME/warpgrade/labs or ~/.cache/warpgrade/labs; "" if neither is known.
std::string DefaultCacheDir();

}  // namespace warpgrade::described
