// Puts the texts of several rungs into one unit, so that one run of the compiler makes one object of them. Most of the
// time that a compilation takes is for the headers of CUDA and of C++, whatever the rung says, so this saves it for all
// rungs but the first.
//
//   rungs.cu                             what it is for
//   #include <cstddef>                   the headers that each of the rungs, or the lab's headers, include
//   #ifdef TILE / #error / #endif        a macro of v1.cu must not be one of a header
//   namespace warpgrade_rung_TAG_v1 {    functions of two rungs may have the same name
//   struct warpgrade_inside_TAG {};
//   #include "v1.cu"
//   static_assert(...)                   v1.cu has not closed its namespace
//   }
//   #undef TILE                          the macros that v1.cu defines
//   #undef WARPGRADE_ONCE_0              so that the next rung includes the lab's headers again, in its own namespace
//   namespace warpgrade_rung_TAG_v2 { ...
//
// TAG is made of all texts (UnitTag), so no text can contain it: a rung cannot name what belongs to another rung.
//
// A rung can mean something else in such a unit than alone: for example, a function of its own hides one of the same
// name that a header declares. The checks here refuse texts with unusual directives and words. What they overlook must
// not cost an honest student a point. So the grader believes only full marks for values and technique, and otherwise
// judges the rung again, compiled alone (grader/cli/grade_stages.h). A rung that only lacks speed is believed, because
// its machine code is the same.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/build.h"

namespace warpgrade::build {

inline constexpr char kUnitName[] = "rungs.cu";

// The text with a blank for each comment. Lines that go on in the next one are joined.
std::string WithoutComments(std::string_view written);

// Whether the text means the same in a unit as alone: all #include lines stand before everything else and name allowed
// headers, each once; and nothing in it changes how the compiler reads the texts after it.
// Machine code for a GPU must be the same, too. It holds the addresses of variables in constant memory, which are other
// ones in a unit, so a text with such variables cannot be together with others for a GPU.
bool CanBeTogether(const BuildRequest& request);

// The names of the headers that the rung includes, without those that every rung gets: from `headers`, which are those
// of the lab, or from nvcc. A unit is for rungs with the same headers. Otherwise a rung that forgot one would be right
// only because of another rung.
std::set<std::string> HeadersOf(const BuildRequest& request, const std::map<std::string, std::string>& headers);

// A part of the names of the unit's namespaces, from all of its texts.
std::string UnitTag(const std::vector<const BuildRequest*>& requests);

// The text of the unit. All requests are for the same lab, can be together, and include the same headers.
std::string UnitOf(const std::vector<const BuildRequest*>& requests, const std::map<std::string, std::string>& headers);

// The lab's headers as the unit needs them. Headers in labs/LAB/ have another guard than "#pragma once", which
// would let only the first rung include them. All lines keep their numbers.
std::map<std::string, std::string> HeadersOfUnit(const std::string& lab,
                                                 const std::map<std::string, std::string>& headers);

// The functions of the rung that the lab's adapter calls: the name that the adapter uses -> the name in the unit's
// object. Both are mangled. `wanted` are all names that the adapter uses. A name for which there are several functions
// is left out, and so are names that no lab declares: those of C, of CUDA and of C++'s own library.
std::map<std::string, std::string> FunctionsOf(const std::string& tag, const std::string& rung,
                                               const std::vector<std::string>& wanted,
                                               const std::vector<std::string>& defined);

// Whether each symbol that the object defines for other files belongs to one of the unit's namespaces, or is a copy of
// an inline function of a header.
bool IsAllInNamespaces(const std::string& tag, const std::vector<std::string>& defined,
                       const std::vector<std::string>& weak);

// The rungs in whose files the compiler found an error, by its messages.
std::vector<std::string> RungsWithErrors(const std::vector<const BuildRequest*>& requests, std::string_view output);

}  // namespace warpgrade::build
