// Tests: tests/cli/progress_test.cc.
#include "grader/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace warpgrade::cli {

void Progress::Show(int done, int total, const std::string& what) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  const std::string count = std::to_string(total);
  std::string line = fmt::format("[{:>{}}/{}] {}", done, count.size(), total, what);
  ShowLiveLine(stream_, columns_, std::move(line));
  shown_ = true;
}

void Progress::Clear() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  ClearLiveLine(stream_);
  shown_ = false;
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
