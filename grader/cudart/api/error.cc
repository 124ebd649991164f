// The error functions, and the one table of codes (errors.def). Tested by tests/cudart/error_test.cc.
#include "grader/cudart/api/api.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/runtime.h"

namespace {

using warpgrade::cudart::Runtime;

struct ErrorRow {
  const char* name;
  const char* text;
};

// A switch, so that a row whose code does not exist, or two rows of one code, do not compile.
ErrorRow RowOf(cudaError_t error) {
  switch (error) {
#define WARPGRADE_ERROR(code, text) \
  case code:                        \
    return {#code, text};
#include "grader/cudart/api/errors.def"
#undef WARPGRADE_ERROR
    default:
      break;
  }
  return {"unrecognized error code", "unrecognized error code"};
}

cudaError_t LastError(bool clear) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  return runtime.errors.TakeLastError(clear);
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) { return RowOf(error).name; }

const char* cudaGetErrorString(cudaError_t error) { return RowOf(error).text; }

cudaError_t cudaGetLastError() { return LastError(/*clear=*/true); }

cudaError_t cudaPeekAtLastError() { return LastError(/*clear=*/false); }

}  // extern "C"
