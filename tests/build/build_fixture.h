// Builds with the real nvcc, against the toy lab in kit/.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/build.h"
#include "grader/sandbox/process.h"
#include "tests/build/temporary_folder.h"

namespace warpgrade::build {

inline constexpr char kRight[] = R"(#include "labs/toy/toy.h"
template <typename T>
__global__ void twice_kernel(const T* in, T* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
template <typename T>
void twice(const T* d_in, T* d_out) { twice_kernel<<<1, 32>>>(d_in, d_out); }
template void twice<int>(const int*, int*);
template void twice<float>(const float*, float*);
int answer() { return 42; }
)";

class BuildTest : public testing::Test {
 protected:
  BuildTest() {
    setenv("TMPDIR", (folder_.path() / "tmp").c_str(), 1);
    std::filesystem::create_directories(folder_.path() / "tmp");
    const auto toolchain = FindToolchain("");
    if (!toolchain) {
      ADD_FAILURE() << toolchain.error().message;
      return;
    }
    options_.toolchain = *toolchain;
    options_.include_dirs = {BUILD_TEST_KIT};
    options_.worker_archive = BUILD_TEST_WORKER;
    options_.adapter_pattern = BUILD_TEST_ADAPTER;
    const size_t at = options_.adapter_pattern.find("toy_adapter");
    options_.adapter_pattern.replace(at, 3, "{lab}");
    options_.cache_dir = "";
  }
  ~BuildTest() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "tmp")) << "a work directory was left behind";
    unsetenv("TMPDIR");
  }

  static BuildRequest Request(const std::string& source) { return {"toy", "v1_toy", source, 0}; }

  BuildResult Built(const std::string& source) {
    Builder builder(options_);
    const auto result = builder.Build(Request(source));
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : BuildResult();
  }

  std::string Run(std::vector<std::string> argv, std::vector<std::string> environment = {}) {
    sandbox::ProcessOptions options;
    options.argv = std::move(argv);
    options.environment = std::move(environment);
    options.limits.output_bytes = 1 << 20;
    const auto result = sandbox::RunProcess(options);
    EXPECT_TRUE(result) << result.error().message;
    return result ? result->output : "";
  }

  TemporaryFolder folder_;
  BuildOptions options_;
};

}  // namespace warpgrade::build
