// C++ names as people write them.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

// The grader may compile several rungs of one submission together. Then the text of each rung stands in a namespace
// with this prefix and the rung's name (grader/build/rungs_together.h). Demangle leaves it out, so that nobody sees it.
inline constexpr std::string_view kRungNamespace = "warpgrade_rung_";

// "f(int)" for "_Z1fi", also if the linker of a program in several units added something to it. Returns `symbol`
// without that addition when it is not a mangled name, or when its text could be far too long: a back reference stands
// for all the text that it refers to, so 250 bytes of a hostile name can mean gigabytes. The names of a course's
// kernels, and of most kernels of libraries, are far below that limit.
std::string Demangle(const std::string& symbol);

// "reduce_v1" of "void reduce_v1<float, Sum<float> >(float const*, unsigned long, float*)": without result, scopes,
// template arguments and parameters. So it is the same for all instances of a template. `demangled` itself when nothing
// would remain.
std::string ShortName(const std::string& demangled);

}  // namespace warpgrade
