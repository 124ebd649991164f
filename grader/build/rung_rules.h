// The rules for the text of a rung, the files that its compilation opens, and its object. Each check returns a message
// for the student, "FILE:LINE: what; what to do", or nullopt if the rung keeps the rules.
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
  // `request` must outlive this object. The compilers run in `directory`, which has the rung's file and the lab's
  // headers.
  RungRules(const BuildRequest& request, std::filesystem::path directory)
      : request_(request), directory_(std::move(directory)), file_(request.rung + ".cu") {}

  // Checks before compiling: includes with a path out of the folder, and files that are named to the assembler.
  std::optional<std::string> RefuseText() const;
  // Finds out whether the compilation failed because a macro made such a path.
  std::optional<std::string> RefuseFailure(std::string_view output) const;
  // Checks the files that the preprocessor opened. `folders` have headers. `brought` has the sorted canonical paths of
  // the files that the allowed headers include.
  std::optional<std::string> RefuseOpened(const std::vector<std::string>& opened,
                                          const std::vector<std::string>& folders,
                                          const std::vector<std::string>& brought) const;
  // Checks the files that the assembler of the host opened.
  std::optional<std::string> RefuseAssembled(const std::vector<std::string>& opened) const;
  // Checks the symbols of the object.
  std::optional<std::string> RefuseObject(std::string_view object) const;

 private:
  // "v3.cu:12: ", or "v3.cu: " if `line` is 0.
  std::string At(int line) const;
  std::string MayNotInclude() const;
  std::optional<std::string> RefuseHeader(const std::string& path) const;

  const BuildRequest& request_;
  const std::filesystem::path directory_;
  const std::string file_;
};

}  // namespace warpgrade::build
