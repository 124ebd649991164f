// Writes one line and writes over it. With Watch, a thread looks every second at what runs: the destructor ends it.
// Tests: tests/cli/progress_test.cc.
#include "grader/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace warpgrade::cli {

void Progress::Show(int done, int total, const std::string& what) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  const std::string count = std::to_string(total);
  count_ = fmt::format("[{:>{}}/{}] ", done, count.size(), total);
  ShowLiveLine(stream_, columns_, count_ + what);
  shown_ = true;
}

void Progress::Clear() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  ClearLiveLine(stream_);
  shown_ = false;
}

Progress::~Progress() {
  if (looking_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    looking_.join();
  }
  Clear();
}

void Progress::Watch(const Running& running) {
  begin_ = std::chrono::steady_clock::now();
  try {
    looking_ = std::thread([this, &running] {
      std::unique_lock lock(mutex_);
      while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stop_; })) {
        Look(running, std::chrono::steady_clock::now());
      }
    });
  } catch (const std::system_error&) {  // no thread is left: then the line does not change
  }
}

// REQUIRES: the lock.
void Progress::Look(const Running& running, Running::TimePoint now) {
  const std::string words = running.Words(now);
  if (words.empty()) return;
  if (terminal_) {
    ShowLiveLine(stream_, columns_, count_ + words);
    shown_ = true;
    return;
  }
  const auto passed = now - begin_;
  if (passed < next_line_) return;
  fmt::print(stream_, "still running: {}\n", words);
  std::fflush(stream_);
  while (passed >= next_line_) next_line_ *= 3;
}

void ShowLiveLine(std::FILE* stream, int columns, std::string line) {
  line.resize(std::min(line.size(), static_cast<size_t>(std::max(columns - 1, 10))));
  fmt::print(stream, "\r\033[K{}", line);
  std::fflush(stream);
}

void ClearLiveLine(std::FILE* stream) {
  fmt::print(stream, "\r\033[K");
  std::fflush(stream);
}

int TerminalColumns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace warpgrade::cli
