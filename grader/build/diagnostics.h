// What the compilers say, made fit for a student: short, in terms of their own file, the first errors only.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::build {

// From nvcc's and the host compiler's output: up to `most` errors with the lines that belong to them, or, when there is
// none, up to `most` warnings. `work_directory` disappears from paths, the toolkit's internal spelling of __global__
// and its like is undone. `end_of_file` ("v1.cu(17)") is what the front end calls "end of source". Printable.
std::string CompilerDiagnostics(std::string_view output, std::string_view work_directory, std::string_view end_of_file,
                                int most);

// From the linker's output. `file` is the student's ("v3_sequential.cu"), `object` what it was compiled to, `header`
// the lab's header ("labs/lab1/lab1.h"): a function that the adapter misses is one that the header asks for. What is
// not understood is kept as it is.
std::string LinkDiagnostics(std::string_view output, std::string_view file, std::string_view object,
                            std::string_view header, int most);

}  // namespace warpgrade::build
