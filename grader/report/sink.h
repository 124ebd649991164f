// Where a long text goes while it is made.
#pragma once

#include <functional>
#include <string>

namespace warpgrade::report {

// Takes a text in pieces, one after the other.
using Sink = std::function<void(std::string piece)>;

}  // namespace warpgrade::report
