// The mistakes found in one file, each with its place, so that a person sees all of them at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::config {

// 1-based; line 0 means the file as a whole.
struct Place {
  int line = 0;
  int column = 0;
};

class Problems {
 public:
  // `file` is printed in front of every mistake.
  explicit Problems(std::string file) : file_(std::move(file)) {}

  // `what` is "what; what to do", without a full stop.
  void Add(Place place, std::string what);
  bool empty() const { return problems_.empty(); }
  size_t count() const { return problems_.size(); }

  // "FILE:LINE:COLUMN: what; what to do" for each, sorted by place, a newline between them. At most kMostShown are
  // written out. REQUIRES: !empty().
  Error ToError(ErrorKind kind) const;

  static constexpr size_t kMostShown = 50;

 private:
  struct Problem {
    Place place;
    std::string what;
  };
  std::string file_;
  std::vector<Problem> problems_;
};

// What someone wrote, for a message: its beginning, with \xNN for bytes that would move the cursor. REQUIRES: UTF-8.
std::string Shown(std::string_view text);

}  // namespace warpgrade::config
