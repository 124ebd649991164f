// Result<T>: what a function returns when a user can make it fail. Errors carry a message that says where, what and
// what to do next. What only we can cause is WARPGRADE_CHECK, which prints the place and aborts.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warpgrade {

enum class ErrorKind {
  kUsage,        // the command line or course.yaml is wrong: exit 2
  kSubmission,   // the student's files are wrong: costs the student, never the batch
  kLimit,        // a time, memory, output or size limit was hit
  kUnsupported,  // an instruction, API call or format we do not implement: names it
  kMachine,      // the machine failed (no nvcc, disk full): exit 3
};

struct Error {
  ErrorKind kind = ErrorKind::kMachine;
  std::string message;
};

// Holds a T or an Error. Thread-compatible.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  // REQUIRES: ok().
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  // REQUIRES: !ok().
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}
  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  // REQUIRES: !ok().
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

[[noreturn]] inline void CheckFailed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "%s:%d: internal error, please report it: %s\n", file, line, what);
  std::abort();
}

}  // namespace warpgrade

#define WARPGRADE_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::warpgrade::CheckFailed(__FILE__, __LINE__, #condition))
