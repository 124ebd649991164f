// Loads the library. Tests: tests/ui/browser_test.py.
#include "grader/ui/listener.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace warpgrade::ui {

Result<std::unique_ptr<Listener>> Listen(const std::string& library, int port) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays for the life of the process
  if (handle == nullptr) {
    const char* why = dlerror();
    return Error{ErrorKind::kMachine,
                 fmt::format("the server of `ui` cannot be loaded ({}); install libcpp-httplib-dev and build the kit "
                             "again, or use `warpgrade check --watch`",
                             why == nullptr ? "no reason given" : why)};
  }
  const auto listen = reinterpret_cast<ListenFunction>(dlsym(handle, kListenSymbol));
  if (listen == nullptr) {
    return Error{ErrorKind::kMachine, library + " is from another version of the kit; build the kit again"};
  }
  std::unique_ptr<Listener> listener(listen(port));
  if (listener == nullptr) {
    return Error{ErrorKind::kUsage, fmt::format("port {} of 127.0.0.1 is taken; name another one with --port, or leave "
                                                "it out",
                                                port)};
  }
  return listener;
}

}  // namespace warpgrade::ui
