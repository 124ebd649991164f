// Documents of the source tree for readers who have only a part of it.
#pragma once

#include <functional>
#include <string>

namespace warpgrade::release {

// The document `name` (its path from the root) without comments and notes for tests. A link to a file that `has` does
// not know becomes its text, and such a picture goes.
std::string MarkdownForReaders(const std::string& name, const std::string& text,
                               const std::function<bool(const std::string&)>& has);

}  // namespace warpgrade::release
