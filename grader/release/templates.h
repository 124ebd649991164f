// The files of grader/release/templates/, which cmake/embed.cmake puts into the program. The launcher has in it the
// part of the source tree's launcher that installs what is missing.
#pragma once

#include <string_view>

namespace warpgrade::release {

extern const std::string_view kStudentsReadme, kStaffReadme, kLauncher, kMakefile, kGitignore, kWorkflow, kDevcontainer,
    kDockerfile;

}  // namespace warpgrade::release
