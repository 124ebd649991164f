// What `warpgrade ui` answers, and to whom. The pages are for one person's browser on this machine, so three things
// must hold of a request, or its answer has no content:
//
//   the path begins with a random token, so another user of this machine, who can reach the port, gets nothing
//   Host names this server, so a page whose name was made to lead here (DNS rebinding) cannot read anything
//   it does not come from a page elsewhere (Origin, Sec-Fetch-Site)
//
// Requests only read: there is no method but GET, and no request changes anything.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace warpgrade::ui {

struct Request {
  std::string method;              // "GET"
  std::string path;                // "/TOKEN/state", without what follows "?"
  std::string after;               // the parameter of that name, or ""
  std::string host, origin, site;  // the headers Host, Origin and Sec-Fetch-Site; "" where there is none
};

struct Answer {
  int status = 404;
  std::string type;  // "text/html; charset=utf-8"; "": no content
  std::string body;
  std::string policy;  // what the page may load and run; "": nothing
};

// The headers of an answer, apart from its type. Inline, because the library of listener.h uses it as well.
inline std::vector<std::pair<std::string, std::string>> HeadersOf(const Answer& answer) {
  const std::string policy = answer.policy.empty() ? "default-src 'none'" : answer.policy;
  return {
      {"Content-Security-Policy", policy + "; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
}

// A page and the Content-Security-Policy that names its scripts by their hashes.
struct Page {
  std::string text, policy;
};

// The page of now, for any number of threads.
class Board {
 public:
  // What is shown beside the page: "grading v3_sequential". `busy`: more will come by itself.
  void Say(std::string status, bool busy);
  // Another page, with its number and what is shown beside it.
  void Show(Page page, uint64_t number, std::string status, bool busy);

  struct State {
    uint64_t serial = 0;  // grows with every change
    uint64_t page = 0;    // the number of the page
    bool busy = false;
    std::string status;
  };
  // Waits until something has changed since `serial`, at most so long.
  State Await(uint64_t serial, std::chrono::milliseconds at_most) const;
  Page Now() const;
  // Nobody waits any more.
  void Close();

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  State state_;
  Page page_;
  bool closed_ = false;
};

class Site {
 public:
  // `token`: unguessable. `state_text` writes a state as JSON. `board` outlives the site.
  Site(int port, std::string token, const Board& board, std::string (*state_text)(const Board::State&));

  // Thread-safe. A request for the state waits while nothing has changed after the serial number that it names.
  Answer Respond(const Request& request) const;
  // The address to open.
  std::string Url() const;

 private:
  bool IsForUs(const Request& request) const;

  const int port_;
  const std::string token_;
  const Board& board_;
  std::string (*const state_text_)(const Board::State&);
};

// 32 random hexadecimal digits.
std::string NewToken();

}  // namespace warpgrade::ui
