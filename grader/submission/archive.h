// Reads a submission that is an archive.
#pragma once

#include <string>
#include <string_view>

#include "grader/submission/collector.h"

namespace warpgrade::submission {

// Whether the name ends in .zip, .tar, .tar.gz or .tgz, in upper or lower case.
bool IsArchiveName(std::string_view name);
// The name without that ending; `name` itself if it has none.
std::string_view WithoutArchiveEnding(std::string_view name);
// Whether the name is that of an archive that we do not read but that is surely a submission: .rar, .7z, .tar.xz, ...
bool IsForeignArchiveName(std::string_view name);

// Offers to `collector` every file of the archive that a lab names. A broken, hostile or too large part becomes a
// message, and the files before it are kept.
void ReadArchive(const std::string& path, Collector* collector);

}  // namespace warpgrade::submission
