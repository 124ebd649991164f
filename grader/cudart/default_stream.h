// Which stream a call without a stream is in: the legacy one, or the calling thread's own (cudaStreamPerThread) where
// the program was compiled with --default-stream per-thread. Such a program calls other names (api/per_thread.cc).
#pragma once

#include <driver_types.h>

#include <type_traits>

namespace warpgrade::cudart {

class PerThreadCall {
 public:
  // `caller`: the return address into the program.
  explicit PerThreadCall(const void* caller) {
    ++depth;
    caller_of_outer = caller;
  }
  ~PerThreadCall() { --depth; }
  PerThreadCall(const PerThreadCall&) = delete;
  PerThreadCall& operator=(const PerThreadCall&) = delete;

  static bool IsRunning() { return depth > 0; }
  // REQUIRES: IsRunning().
  static const void* caller() { return caller_of_outer; }

 private:
  static inline thread_local int depth = 0;
  static inline thread_local const void* caller_of_outer = nullptr;
};

inline cudaStream_t DefaultStream() { return PerThreadCall::IsRunning() ? cudaStreamPerThread : cudaStreamLegacy; }

// The stream that a handle of the running call names.
inline cudaStream_t Named(cudaStream_t stream) { return stream == nullptr ? DefaultStream() : stream; }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // NVIDIA's mark on functions that programs may still call
// `Function`, called with the meaning that 0 has as a stream of a program that was compiled so.
template <auto Function>
struct PerThread;
template <typename Result, typename... Arguments, Result (*Function)(Arguments...)>
struct PerThread<Function> {
  static Result Call(Arguments... arguments) {
    const PerThreadCall running(__builtin_return_address(0));
    return Function(NamedArgument(arguments)...);
  }

 private:
  template <typename T>
  static T NamedArgument(T argument) {
    if constexpr (std::is_same_v<T, cudaStream_t>) return Named(argument);
    return argument;
  }
};
#pragma GCC diagnostic pop

}  // namespace warpgrade::cudart
