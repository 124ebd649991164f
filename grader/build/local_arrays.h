// Tells from a text whether threads may have arrays of their own, without a compiler.
#pragma once

#include <string_view>

namespace warpgrade::build {

// False if the text declares no array but shared, constant and static ones, and arrays of pointers. It looks for `TYPE
// NAME[`, so it may see an array of the host, or a parameter, and it does not see through macros.
bool MayDeclareLocalArray(std::string_view text);

}  // namespace warpgrade::build
