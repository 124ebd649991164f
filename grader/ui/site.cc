// Decides without the network who gets which answer. Tests: tests/ui/site_test.cc, and tests/ui/browser_test.py with
// the built program and a browser.
#include "grader/ui/site.h"

#include <fmt/format.h>

#include <charconv>
#include <random>

namespace warpgrade::ui {
namespace {

// A browser asks again after this time. Shorter than the timeouts of the connection.
constexpr std::chrono::milliseconds kLongestWait{15'000};

// In a time that does not depend on where they differ.
bool AreEqual(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

uint64_t NumberIn(const std::string& text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

void Board::Say(std::string status, bool busy) {
  const std::lock_guard lock(mutex_);
  state_.status = std::move(status);
  state_.busy = busy;
  ++state_.serial;
  changed_.notify_all();
}

void Board::Show(Page page, uint64_t number, std::string status, bool busy) {
  const std::lock_guard lock(mutex_);
  page_ = std::move(page);
  state_.status = std::move(status);
  state_.busy = busy;
  state_.page = number;
  ++state_.serial;
  changed_.notify_all();
}

Board::State Board::Await(uint64_t serial, std::chrono::milliseconds at_most) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [this, serial] { return closed_ || state_.serial != serial; });
  return state_;
}

Page Board::Now() const {
  const std::lock_guard lock(mutex_);
  return page_;
}

void Board::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

Site::Site(int port, std::string token, const Board& board, std::string (*state_text)(const Board::State&))
    : port_(port), token_(std::move(token)), board_(board), state_text_(state_text) {}

bool Site::IsForUs(const Request& request) const {
  const bool knows_host =
      request.host == fmt::format("127.0.0.1:{}", port_) || request.host == fmt::format("localhost:{}", port_);
  const bool same_origin = request.origin.empty() || request.origin == "http://" + request.host;
  const bool same_site = request.site.empty() || request.site == "same-origin" || request.site == "none";
  return knows_host && same_origin && same_site;
}

Answer Site::Respond(const Request& request) const {
  if (!IsForUs(request)) return {.status = 403, .type = "", .body = "", .policy = ""};
  if (request.method != "GET") return {.status = 405, .type = "", .body = "", .policy = ""};
  const size_t end = token_.size() + 1;
  const bool has_token = request.path.size() > end && request.path[0] == '/' && request.path[end] == '/' &&
                         AreEqual(std::string_view(request.path).substr(1, token_.size()), token_);
  if (!has_token) return {};
  const std::string what = request.path.substr(end);
  if (what == "/") {
    Page page = board_.Now();
    return {.status = 200,
            .type = "text/html; charset=utf-8",
            .body = std::move(page.text),
            .policy = std::move(page.policy)};
  }
  if (what == "/state") {
    const Board::State state = board_.Await(NumberIn(request.after), kLongestWait);
    return {.status = 200, .type = "application/json", .body = state_text_(state), .policy = ""};
  }
  return {};
}

std::string Site::Url() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

std::string NewToken() {
  std::random_device entropy;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", entropy());
  return token;
}

}  // namespace warpgrade::ui
