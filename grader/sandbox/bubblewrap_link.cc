// The filter waits for the program's number, because only bubblewrap knows it, and knows it before the program runs.
// Bubblewrap then waits for the end of the filter, because it cannot know the filter's length. Tested by
// shared_processes_test.cc and sandbox_failure_test.cc.
#include "grader/sandbox/bubblewrap_link.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/types.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "grader/sandbox/system_call_filter.h"

namespace warpgrade::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// The number under `key` in a complete line of `told`.
std::optional<int> NumberIn(const std::string& told, const char* key) {
  std::istringstream lines(told.substr(0, told.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    if (object.is_object() && object.contains(key) && object[key].is_number_integer()) return object[key].get<int>();
  }
  return std::nullopt;
}

}  // namespace

std::optional<BubblewrapLink> BubblewrapLink::Open() {
  int filter[2], status[2];
  BubblewrapLink link;
  if (pipe2(filter, O_CLOEXEC) != 0) return std::nullopt;
  link.filter_for_it_ = Descriptor(filter[0]);
  link.filter_ = Descriptor(filter[1]);
  if (pipe2(status, O_CLOEXEC) != 0) return std::nullopt;
  link.status_ = Descriptor(status[0]);
  link.status_from_it_ = Descriptor(status[1]);
  if (fcntl(status[0], F_SETFL, O_NONBLOCK) != 0) return std::nullopt;
  return link;
}

bool BubblewrapLink::ReadStatus() {
  char chunk[1024];
  while (true) {
    const ssize_t n = read(status_.get(), chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    told_.append(chunk, static_cast<size_t>(n));
  }
}

bool BubblewrapLink::SendFilter(bool own_processes, std::chrono::milliseconds patience) {
  status_from_it_.Close();
  std::optional<int> number;
  const Clock::time_point deadline = Clock::now() + patience;
  while (!own_processes && !number) {
    const bool goes_on = ReadStatus();
    number = NumberIn(told_, "child-pid");
    if (number) break;
    if (!goes_on) return true;  // no filter is needed, because there is no program to restrict
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wait = {status_.get(), POLLIN, 0};
    poll(&wait, 1, static_cast<int>(left));
  }
  // The filter fits into the pipe, and writing it cannot raise SIGPIPE while we hold the other end too. Bubblewrap does
  // not accept an incomplete filter.
  const std::vector<sock_filter> filter = SystemCallFilter(number);
  while (write(filter_.get(), filter.data(), filter.size() * sizeof(sock_filter)) < 0 && errno == EINTR) {
  }
  filter_.Close();
  filter_for_it_.Close();
  return true;
}

bool BubblewrapLink::ProgramHasEnded() {
  ReadStatus();
  return NumberIn(told_, "exit-code").has_value();
}

}  // namespace warpgrade::sandbox
