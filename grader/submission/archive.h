// Reads a submission that is an archive.
#pragma once

#include <string>
#include <string_view>

#include "grader/submission/collector.h"

namespace warpgrade::submission {

// By its name's end: .zip .tar .tar.gz .tgz, in either case.
bool IsArchiveName(std::string_view name);
// The name without that end; `name` itself when it has none.
std::string_view WithoutArchiveEnding(std::string_view name);
// A kind of archive that we do not read, but that was surely meant as a submission: .rar .7z .tar.xz ...
bool IsForeignArchiveName(std::string_view name);

// Offers every file of the archive that a lab names. What is broken, hostile or too large becomes a message; what came
// before it is kept.
void ReadArchive(const std::string& path, Collector* collector);

}  // namespace warpgrade::submission
