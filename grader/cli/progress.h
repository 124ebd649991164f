// Shows the progress of grading in one line of a terminal, which it rewrites. Elsewhere it prints nothing.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>

namespace warpgrade::cli {

// Thread-safe.
class Progress {
 public:
  // `terminal` says whether `stream` is a terminal. If not, nothing is printed.
  Progress(std::FILE* stream, bool terminal, int columns) : stream_(stream), terminal_(terminal), columns_(columns) {}
  ~Progress() { Clear(); }

  // "[ 37/140] s1042 lab2 v3_padded".
  void Show(int done, int total, const std::string& what);
  // Removes the line. Call it before printing anything else.
  void Clear();

 private:
  std::mutex mutex_;
  std::FILE* stream_;
  bool terminal_;
  int columns_;
  bool shown_ = false;
};

// Replaces the last line of the terminal on `stream` with `line`, as much of it as fits into its columns.
void ShowLiveLine(std::FILE* stream, int columns, std::string line);
void ClearLiveLine(std::FILE* stream);

// The width of the terminal on `stream` in columns; 80 if it is unknown.
int TerminalColumns(std::FILE* stream);

}  // namespace warpgrade::cli
