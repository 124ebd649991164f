// How two texts differ, line by line.
#pragma once

#include <string>

namespace warpgrade::report {

// The changes as `diff -u` prints them, with three lines of context, without its two lines of file names. "" if the
// texts are equal. Texts from students are escaped. Of texts that differ in more than kMostDiffLines lines, all lines
// between the first and the last difference are shown as changed.
std::string LineDiff(const std::string& before, const std::string& after);

inline constexpr size_t kMostDiffLines = 4000;

}  // namespace warpgrade::report
