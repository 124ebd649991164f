// The files of grader/autograder/scripts/, which cmake/embed.cmake puts into the program.
#pragma once

#include <string_view>

namespace warpgrade::autograder {

extern const std::string_view kSetupSh, kRunAutograder, kGradePush, kClassroomYml;

}  // namespace warpgrade::autograder
