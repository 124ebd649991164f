// Puts the texts of several rungs into one unit, so that one run of the compiler makes one object of them. Most of the
// time that a compilation takes is for the headers of CUDA and of C++, whatever the rung says, so this saves it for all
// rungs but the first.
//
//   rungs.cu                          what it is for
//   #include <cstddef>                the headers that each of the rungs, or the lab's headers, include
//   namespace warpgrade_rung_v1 {     functions of two rungs may have the same name
//   #include "v1.cu"
//   }
//   #undef TILE                       the macros that v1.cu defines
//   #undef WARPGRADE_ONCE_0           so that the next rung includes the lab's headers again, in its own namespace
//   namespace warpgrade_rung_v2 { ...
//
// A rung can mean something else in such a unit than alone only if the checks here overlook it. They refuse all texts
// with unusual directives. A hostile text that is overlooked can only harm rungs of its own submission.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/build.h"

namespace warpgrade::build {

inline constexpr char kUnitName[] = "rungs.cu";

// Whether the text means the same in a unit as alone: all #include lines stand before everything else and name allowed
// headers, each once; and nothing in it changes how the compiler reads the texts after it.
bool CanBeTogether(const BuildRequest& request);

// The names of the headers that the rung includes. A unit is for rungs with the same headers. Otherwise a rung that
// forgot one would be right only because of another rung.
std::set<std::string> HeadersOf(const BuildRequest& request);

// The text of the unit. All requests are for the same lab, can be together, and include the same headers.
std::string UnitOf(const std::vector<const BuildRequest*>& requests, const std::map<std::string, std::string>& headers);

// The lab's headers as the unit needs them. Headers in labs/LAB/ have another guard than "#pragma once", which
// would let only the first rung include them. All lines keep their numbers.
std::map<std::string, std::string> HeadersOfUnit(const std::string& lab,
                                                 const std::map<std::string, std::string>& headers);

// The functions of the rung that the lab's adapter calls: the name that the adapter uses -> the name in the unit's
// object. Both are mangled. `wanted` are all names that the adapter uses. A name for which there are several functions
// is left out.
std::map<std::string, std::string> FunctionsOf(const std::string& rung, const std::vector<std::string>& wanted,
                                               const std::vector<std::string>& defined);

// The rungs in whose files the compiler found an error, by its messages.
std::vector<std::string> RungsWithErrors(const std::vector<const BuildRequest*>& requests, std::string_view output);

}  // namespace warpgrade::build
