// Work that must not slow down what is being timed on the same host.
#pragma once

#include <functional>

namespace warpgrade::judge {

// Calls work() in a thread of low priority, and waits for it. Threads and processes that it starts have this priority
// too. When no thread can be started, work() runs in this one. What work() throws is thrown here.
void InBackground(const std::function<void()>& work);

}  // namespace warpgrade::judge
