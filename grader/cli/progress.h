// The line that says how far grading is: rewritten in place on a terminal, silent elsewhere.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>

namespace warpgrade::cli {

// Thread-safe.
class Progress {
 public:
  // `terminal`: whether `stream` is one. Nothing is printed when it is not.
  Progress(std::FILE* stream, bool terminal, int columns) : stream_(stream), terminal_(terminal), columns_(columns) {}
  ~Progress() { Clear(); }

  // "[ 37/140] s1042 lab2 v3_padded".
  void Show(int done, int total, const std::string& what);
  // Takes the line away, before something else is printed.
  void Clear();

 private:
  std::mutex mutex_;
  std::FILE* stream_;
  bool terminal_;
  int columns_;
  bool shown_ = false;
};

// Columns of the terminal on `stream`; 80 when it does not say.
int TerminalColumns(std::FILE* stream);

}  // namespace warpgrade::cli
