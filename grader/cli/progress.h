// Shows the progress of grading in one line of a terminal, which it rewrites. Elsewhere it prints nothing, or says now
// and then what runs.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "grader/cli/running.h"

namespace warpgrade::cli {

// Thread-safe.
class Progress {
 public:
  // `terminal` says whether `stream` is a terminal. If not, only Watch prints something.
  Progress(std::FILE* stream, bool terminal, int columns) : stream_(stream), terminal_(terminal), columns_(columns) {}
  ~Progress();

  // "[ 37/140] s1042 lab2 v3_padded".
  void Show(int done, int total, const std::string& what);
  // Removes the line. Call it before printing anything else.
  void Clear();
  // From now on the line says every second what runs, and since when: "[0/9] lab1 v1_naive: case 7 of 51, 12 s". If it
  // is no terminal, a line is printed after 10 s, and more after 30, 90, 270, ... s. Call it once. `running` must
  // outlive this object.
  void Watch(const Running& running);

 private:
  friend class ProgressPeer;
  void Look(const Running& running, Running::TimePoint now);

  std::mutex mutex_;
  std::FILE* stream_;
  bool terminal_;
  int columns_;
  bool shown_ = false;
  std::string count_;  // "[0/9] " of the last Show
  Running::TimePoint begin_;
  std::chrono::seconds next_line_{10};
  bool stop_ = false;
  std::condition_variable wake_;
  std::thread looking_;
};

// Replaces the last line of the terminal on `stream` with `line`, as much of it as fits into its columns.
void ShowLiveLine(std::FILE* stream, int columns, std::string line);
void ClearLiveLine(std::FILE* stream);

// The width of the terminal on `stream` in columns; 80 if it is unknown.
int TerminalColumns(std::FILE* stream);

}  // namespace warpgrade::cli
