// The error table against the header's numbers and, where NVIDIA's runtime is installed, against its texts.
#include <dlfcn.h>
#include <driver_types.h>
#include <gtest/gtest.h>

namespace {

using TextOf = const char* (*)(cudaError_t);

class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {}
  bool loaded() const { return handle_ != nullptr; }
  TextOf Get(const char* name) const { return reinterpret_cast<TextOf>(dlsym(handle_, name)); }

 private:
  void* handle_;  // for the life of the process: a runtime is not made to be unloaded
};

TEST(ErrorTest, NamesTheCodesOfTheHeader) {
  const Library ours(WARPGRADE_CUDART);
  ASSERT_TRUE(ours.loaded()) << dlerror();
  EXPECT_STREQ(ours.Get("cudaGetErrorName")(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(ours.Get("cudaGetErrorString")(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(ours.Get("cudaGetErrorString")(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST(ErrorTest, AgreesWithNvidiasRuntimeOnEveryCode) {
  const Library ours(WARPGRADE_CUDART), nvidias(NVIDIA_CUDART);
  ASSERT_TRUE(ours.loaded()) << dlerror();
  if (!nvidias.loaded()) GTEST_SKIP() << NVIDIA_CUDART << " is not installed";
  for (const char* function : {"cudaGetErrorName", "cudaGetErrorString"}) {
    for (int code = 0; code <= 10000; ++code) {
      const auto error = static_cast<cudaError_t>(code);
      ASSERT_STREQ(ours.Get(function)(error), nvidias.Get(function)(error)) << function << "(" << code << ")";
    }
  }
}

}  // namespace
