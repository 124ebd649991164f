// The library that `ui` loads: cpp-httplib between the network and a function. Requests are bounded: without a body,
// with short timeouts, and few at the same time. Tests: tests/ui/browser_test.py.
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "grader/ui/listener.h"

namespace warpgrade::ui {
namespace {

constexpr size_t kThreads = 12;                   // each tab of a browser waits in one
constexpr time_t kTimeoutS = 5, kKeepAliveS = 1;  // Stop waits for connections that are kept
constexpr size_t kMostBodyBytes = 1;

class HttplibListener final : public Listener {
 public:
  // 0: any port. False from is_bound(): it is taken.
  explicit HttplibListener(int port) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_payload_max_length(kMostBodyBytes);
    server_.set_read_timeout(kTimeoutS);
    server_.set_write_timeout(kTimeoutS);
    server_.set_keep_alive_timeout(kKeepAliveS);
    server_.set_tcp_nodelay(true);
    // Without httplib's own SO_REUSEPORT, with which another program could take the same port beside us.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    if (port == 0) {
      port_ = server_.bind_to_any_port("127.0.0.1");
    } else if (server_.bind_to_port("127.0.0.1", port)) {
      port_ = port;
    }
  }

  bool is_bound() const { return port_ > 0; }
  int port() const override { return port_; }

  void Run(std::function<Answer(const Request&)> respond) override {
    // Before any routing: no method and no path gets by.
    server_.set_pre_routing_handler(
        [respond = std::move(respond)](const httplib::Request& from, httplib::Response& to) {
          const Answer answer = respond({.method = from.method,
                                         .path = from.path,
                                         .after = from.get_param_value("after"),
                                         .host = from.get_header_value("Host"),
                                         .origin = from.get_header_value("Origin"),
                                         .site = from.get_header_value("Sec-Fetch-Site")});
          to.status = answer.status;
          for (const auto& [name, value] : HeadersOf(answer)) to.set_header(name, value);
          if (!answer.type.empty()) to.set_content(answer.body, answer.type);
          return httplib::Server::HandlerResponse::Handled;
        });
    server_.listen_after_bind();
    has_ended_ = true;
  }

  void Stop() override {
    while (!server_.is_running() && !has_ended_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    server_.stop();
  }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::atomic<bool> has_ended_{false};
};

}  // namespace
}  // namespace warpgrade::ui

extern "C" warpgrade::ui::Listener* warpgrade_listen(int port) {
  auto listener = std::make_unique<warpgrade::ui::HttplibListener>(port);
  return listener->is_bound() ? listener.release() : nullptr;
}
