// Tests: tests/cli/progress_test.cc.
#include "grader/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace warpgrade::cli {

void Progress::Show(int done, int total, const std::string& what) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  const std::string count = std::to_string(total);
  std::string line = fmt::format("[{:>{}}/{}] {}", done, count.size(), total, what);
  line.resize(std::min(line.size(), static_cast<size_t>(std::max(columns_ - 1, 10))));
  fmt::print(stream_, "\r\033[K{}", line);
  std::fflush(stream_);
  shown_ = true;
}

void Progress::Clear() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  fmt::print(stream_, "\r\033[K");
  std::fflush(stream_);
  shown_ = false;
}

int TerminalColumns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace warpgrade::cli
