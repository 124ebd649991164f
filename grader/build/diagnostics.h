// Shortens the output of the compilers for a student: only the first errors, with the names of the student's own file.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::build {

// From the output of nvcc and the host compiler: up to `most` errors with their lines or, if there are none, up to
// `most` warnings. `work_directory` is removed from paths. The internal spelling of __global__ and similar words is
// replaced. `end_of_file` ("v1.cu(17)") replaces "end of source". The result is safe to print.
std::string CompilerDiagnostics(std::string_view output, std::string_view work_directory, std::string_view end_of_file,
                                int most);

// From the output of the linker. `file` is the student's file ("v3_sequential.cu"), `object` its object file, `header`
// the header of the lab ("labs/lab1/lab1.h"), which declares the functions that the adapter calls. Other messages are
// kept as they are.
std::string LinkDiagnostics(std::string_view output, std::string_view file, std::string_view object,
                            std::string_view header, int most);

}  // namespace warpgrade::build
