// An option whose value is one of a few words.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace warpgrade::cli {

// Turns a word that the user types into a value of an enum, for CLI::Option::transform. The message for another word
// lists the words. (That of CLI::CheckedTransformer also lists the numbers of the enum.)
template <typename Enum>
CLI::Validator OneOf(const std::map<std::string, Enum>& values) {
  const auto choose = [values](std::string& word) {
    const auto found = values.find(word);
    if (found != values.end()) {
      word = std::to_string(static_cast<int>(found->second));
      return std::string();
    }
    std::string words;
    for (const auto& [known, value] : values) words += (words.empty() ? "" : ", ") + known;
    return fmt::format("there is no choice '{}'; write one of {}", word, words);
  };
  return CLI::Validator(choose, "");
}

}  // namespace warpgrade::cli
