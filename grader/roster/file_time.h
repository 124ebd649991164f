// When a submission was written, as this machine's file system says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpgrade::roster {

// Seconds since 1970. Of an archive: when the file was last written. Of a folder: the latest such time of the folder,
// and of the files and folders in it, three levels deep. Links are not followed. nullopt if `path` cannot be read.
std::optional<int64_t> FileTime(const std::string& path);

}  // namespace warpgrade::roster
