// The error functions, and the one table of codes (errors.def). Tested by tests/cudart/error_test.cc.
#include "grader/cudart/api.h"
#include "grader/cudart/runtime.h"

namespace {

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
#include "grader/cudart/errors.def"
#undef WARPGRADE_ERROR
    default:
      break;
  }
  return {"unrecognized error code", "unrecognized error code"};
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) { return RowOf(error).name; }

const char* cudaGetErrorString(cudaError_t error) { return RowOf(error).text; }

cudaError_t cudaGetLastError() { return warpgrade::cudart::TakeLastError(/*clear=*/true); }

cudaError_t cudaPeekAtLastError() { return warpgrade::cudart::TakeLastError(/*clear=*/false); }

}  // extern "C"
