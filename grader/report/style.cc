#include "grader/report/style.h"

namespace warpgrade::report {

std::string Toned(const std::string& text, Tone tone, bool colour) {
  if (!colour || text.empty()) return text;
  const char* code = "";
  switch (tone) {
    case Tone::kPlain:
      return text;
    case Tone::kGood:
      code = "32";
      break;
    case Tone::kBad:
      code = "31";
      break;
    case Tone::kMissed:
      code = "33";
      break;
    case Tone::kQuiet:
      code = "2";
      break;
    case Tone::kTitle:
      code = "1";
      break;
  }
  return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

}  // namespace warpgrade::report
