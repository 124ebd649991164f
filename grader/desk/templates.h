// The files of a new lab, with @NAME@ in the place of its name. CMake makes them of templates/.
#pragma once

#include <string_view>

namespace warpgrade::desk {

extern const std::string_view kLabYaml, kHiddenYaml, kReference, kSolution, kMutantsYaml, kMutantTail, kMutantTwice,
    kQuizYaml, kReadme, kCourseYaml, kRung, kWritesNothing;

}  // namespace warpgrade::desk
