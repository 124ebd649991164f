// Shows how far a batch is: one live line on a terminal, and one line for each submission in a log.
#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "grader/cli/progress.h"

namespace warpgrade::cli {

// Thread-safe.
class BatchProgress {
 public:
  // `seconds`: a clock that never goes back; tests have their own.
  BatchProgress(std::FILE* stream, bool terminal, int columns, std::function<double()> seconds);

  // `total` submissions are to be graded. Times count from now.
  void Start(const std::string& lab, int total);
  // A rung begins, or has ended. `what`: "s1042 v3_padded".
  void RungBegins(const std::string& what);
  void RungEnds(const std::string& what);
  // A submission is done: "s1042: 29/110 points". `failed`: the machine failed, so it has no marks.
  void Done(const std::string& line, bool failed);
  // Says where submissions are graded, in place of the rungs that run: "4 tasks running, 30 waiting".
  void Where(const std::string& where);
  // A line that stays, on a terminal too.
  void Say(const std::string& line);
  // Writes the live line anew. Call it now and then, so that the times go on.
  void Refresh();
  // Removes the live line.
  void Finish();

 private:
  std::string Line() const;  // REQUIRES: the lock
  std::string TimeLeft() const;

  std::mutex mutex_;
  std::FILE* const stream_;
  const bool terminal_;
  const int columns_;
  const std::function<double()> seconds_;
  std::string lab_;
  double started_ = 0;
  int total_ = 0, done_ = 0, failed_ = 0;
  std::map<std::string, double> running_;  // when each rung began
  std::string where_;
  bool shown_ = false;
};

}  // namespace warpgrade::cli
