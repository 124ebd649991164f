// The network side of `warpgrade ui`: a server for HTTP on 127.0.0.1. It is a library of its own, which is loaded when
// it is needed, because only this command needs cpp-httplib: a kit that was installed on a machine without that package
// still grades.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "grader/result/result.h"
#include "grader/ui/site.h"

namespace warpgrade::ui {

class Listener {
 public:
  virtual ~Listener() = default;
  virtual int port() const = 0;
  // Answers requests with `respond`, on several threads, until Stop.
  virtual void Run(std::function<Answer(const Request&)> respond) = 0;
  // Thread-safe. Requests that are being answered are finished first.
  virtual void Stop() = 0;
};

// Takes a port of 127.0.0.1; 0: any that is free. `library`: the path of libwarpgrade_listener.so. Errors: kUsage, the
// port is taken; kMachine, the library cannot be loaded.
Result<std::unique_ptr<Listener>> Listen(const std::string& library, int port);

// What the library exports. nullptr: the port is taken.
inline constexpr char kListenSymbol[] = "warpgrade_listen";
using ListenFunction = Listener* (*)(int port);

}  // namespace warpgrade::ui
