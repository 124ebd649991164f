// Collects the mistakes in one file, each with its place, so that the user sees all of them at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::config {

// Line and column start at 1. Line 0 stands for the whole file.
struct Place {
  int line = 0;
  int column = 0;
};

struct Problem {
  Place place;
  std::string what;  // "what; what to do"
};

class Problems {
 public:
  // `file` is printed in front of every mistake.
  explicit Problems(std::string file) : file_(std::move(file)) {}

  // `what` is "what; what to do", without a full stop.
  void Add(Place place, std::string what);
  bool empty() const { return problems_.empty(); }
  size_t count() const { return problems_.size(); }
  // By place.
  std::vector<Problem> Sorted() const;

  // "FILE:LINE:COLUMN: what; what to do" for each, sorted by place, a newline between them. At most kMostShown are
  // written out. REQUIRES: !empty().
  Error ToError(ErrorKind kind) const;

  static constexpr size_t kMostShown = 50;

 private:
  std::string file_;
  std::vector<Problem> problems_;
};

// The beginning of a user's text, for a message, with \xNN for control characters. REQUIRES: UTF-8.
std::string Shown(std::string_view text);

}  // namespace warpgrade::config
