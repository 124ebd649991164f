// What a rung's text, the files that its compilation opens and its object may not have in them. Each answers with what
// the student should read, "FILE:LINE: what; what to do", or nothing when all is well.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/build.h"

namespace warpgrade::build {

class RungRules {
 public:
  // `request` outlives this. `directory`: where the compilers run; it holds the rung's file and the lab's headers.
  RungRules(const BuildRequest& request, std::filesystem::path directory)
      : request_(request), directory_(std::move(directory)), file_(request.rung + ".cu") {}

  // What must not even reach the preprocessor: a path that leaves the folder, and files named to an assembler.
  std::optional<std::string> RefuseText() const;
  // A compilation that failed because such a path was made up by macros.
  std::optional<std::string> RefuseFailure(std::string_view output) const;
  // The files that the preprocessor opened. `folders`: those with headers; `brought`: the canonical paths of what the
  // allowed headers bring with them, sorted.
  std::optional<std::string> RefuseOpened(const std::vector<std::string>& opened,
                                          const std::vector<std::string>& folders,
                                          const std::vector<std::string>& brought) const;
  // The files that the host's assembler opened.
  std::optional<std::string> RefuseAssembled(const std::vector<std::string>& opened) const;
  // The object's symbols.
  std::optional<std::string> RefuseObject(std::string_view object) const;

 private:
  // "v3.cu:12: ", or without a line when that is 0.
  std::string At(int line) const;
  std::string MayNotInclude() const;
  std::optional<std::string> RefuseHeader(const std::string& path) const;

  const BuildRequest& request_;
  const std::filesystem::path directory_;
  const std::string file_;
};

}  // namespace warpgrade::build
