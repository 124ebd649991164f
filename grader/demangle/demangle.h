// C++ names as people write them.
#pragma once

#include <string>

namespace warpgrade {

// "f(int)" for "_Z1fi". The name itself when it is not mangled, and when its text would be, or might be, far too long:
// a reference back into a name stands for all that it refers to, so 250 bytes of a hostile one can mean gigabytes.
// Names that compilers make of a course's kernels, and most of the libraries', are far below that.
std::string Demangle(const std::string& mangled);

}  // namespace warpgrade
