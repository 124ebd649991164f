// Colours for a terminal, or none.
#pragma once

#include <string>

namespace warpgrade::report {

enum class Tone {
  kPlain,
  kGood,    // green
  kBad,     // red
  kMissed,  // yellow
  kQuiet,   // dim
  kTitle,   // bold
};

// `text` between the escape codes of `tone`, or as it is without `colour`.
std::string Toned(const std::string& text, Tone tone, bool colour);

}  // namespace warpgrade::report
