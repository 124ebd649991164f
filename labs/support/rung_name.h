// Which rung a program was built from.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace lab {

// By the program's path: "v3_padded" for "build/labs/lab2/v3_padded_test", which is a rung's name between an optional
// "..._" and "_test", "_bench" or "_picture". "" when the file's name holds no rung.
inline std::string RungOfProgram(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0: the whole path
  for (size_t at = 0; at < name.size(); ++at) {
    if (name[at] != 'v' || (at > 0 && name[at - 1] != '_')) continue;
    size_t end = at + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    if (end == at + 1 || end == name.size() || name[end] != '_') continue;
    name.remove_prefix(at);
    for (const std::string_view suffix : {"_test", "_bench", "_picture"}) {
      if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
    }
    return std::string(name);
  }
  return "";
}

}  // namespace lab
