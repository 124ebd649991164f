// Looks for nvcc and g++ in the usual places, asks each for its version, and collects the folders of their headers.
// Tests: tests/build/toolchain_test.cc, with toolkits made of scripts.
#include "grader/build/toolchain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <regex>
#include <system_error>

#include "grader/sandbox/on_path.h"
#include "grader/sandbox/process.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestNvcc = 13;  // the first whose programs use libcudart.so.13

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string FirstWord(const std::string& text) { return text.substr(0, text.find(' ')); }

bool IsExecutable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// A program by its name on PATH, or by its path. "" when it is not there.
std::string FindProgram(const std::string& name) {
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return IsExecutable(name) ? fs::absolute(name).string() : "";
  return sandbox::OnPath(name).value_or("");
}

std::vector<std::string> NvccCandidates(const std::string& private_dir) {
  // CUDACXX may be a path with spaces, or a path with flags behind it.
  const std::string named = Variable("CUDACXX");
  std::vector<std::string> candidates = {FindProgram(named), FindProgram(FirstWord(named))};
  for (const char* home : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const std::string folder = Variable(home); !folder.empty()) candidates.push_back(folder + "/bin/nvcc");
  }
  candidates.push_back(FindProgram("nvcc"));
  candidates.push_back("/usr/local/cuda/bin/nvcc");
  std::error_code error;
  for (fs::directory_iterator it("/usr/local", error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename().string().starts_with(fmt::format("cuda-{}", kOldestNvcc)))
      candidates.push_back((it->path() / "bin/nvcc").string());
  }
  if (!private_dir.empty()) candidates.push_back(private_dir + "/bin/nvcc");
  return candidates;
}

// Runs a compiler that prints facts about itself, and returns the output; nullopt if it fails.
std::optional<std::string> Ask(std::vector<std::string> argv) {
  sandbox::ProcessOptions options;
  options.argv = std::move(argv);
  options.environment = {"PATH=" + Variable("PATH"), "LC_ALL=C"};
  options.limits.wall_ms = 60'000;
  auto result = sandbox::RunProcess(options);
  if (result && result->killed_by_others()) result = sandbox::RunProcess(options);  // the machine did that
  if (!result || !result->succeeded()) return std::nullopt;
  return result->output;
}

// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88".
std::string NvccVersion(const std::string& nvcc) {
  static const std::regex kRelease(R"(release \d+\.\d+, V(\d+\.\d+\.\d+))");
  const auto text = Ask({nvcc, "--version"});
  std::smatch match;
  return text && std::regex_search(*text, match, kRelease) ? match[1].str() : "";
}

// True for the program in the toolkit's own folder: nvcc reads nvcc.profile there.
bool IsNvccItself(const std::string& nvcc) {
  std::error_code error;
  if (fs::is_symlink(nvcc, error) || !fs::exists(fs::path(nvcc).parent_path() / "nvcc.profile", error)) return false;
  std::array<char, 2> begin{};
  std::ifstream(nvcc).read(begin.data(), begin.size());
  return begin != std::array{'#', '!'};
}

// `nvcc` may be a script. This is the nvcc that it calls, or `nvcc` itself if it does not say. A dry run takes as long
// as all other questions together, and a student waits for it after each edit, so nvcc itself is not asked.
std::string CalledNvcc(const std::string& nvcc) {
  if (IsNvccItself(nvcc)) return nvcc;
  static const std::regex kFolder(R"(#\$ _HERE_=([^\n]+))");
  const auto text = Ask({nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null"});
  std::smatch match;
  if (!text || !std::regex_search(*text, match, kFolder)) return nvcc;
  const std::string called = (fs::path(match[1].str()) / "nvcc").string();
  return IsExecutable(called) ? called : nvcc;
}

std::string FindCudart(const fs::path& root) {
  for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
    std::error_code error;
    const fs::path library = root / folder / "libcudart.so.13";
    if (fs::exists(library, error)) return library.string();
  }
  return "";
}

// The folders that "g++ -E -v" says it searches.
std::vector<std::string> HostIncludeDirs(const std::string& host_compiler) {
  std::vector<std::string> folders;
  const std::string text = Ask({host_compiler, "-E", "-v", "-x", "c++", "/dev/null"}).value_or("");
  size_t at = text.find("#include <...> search starts here:");
  const size_t end = text.find("End of search list.");
  if (at == std::string::npos || end == std::string::npos) return folders;
  for (at = text.find('\n', at) + 1; at < end;) {
    const size_t newline = text.find('\n', at);
    folders.push_back(text.substr(at + 1, newline - at - 1));
    at = newline + 1;
  }
  return folders;
}

struct HostCompiler {
  std::string program;                 // "" when there is none
  std::optional<std::string> version;  // all that it says; nothing when it does not run
  std::vector<std::string> include_dirs;
};

HostCompiler FindHostCompiler() {
  HostCompiler host;
  for (const std::string& name : {Variable("NVCC_CCBIN"), std::string("g++")}) {
    if (host.program.empty()) host.program = FindProgram(name);
  }
  if (host.program.empty()) return host;
  host.version = Ask({host.program, "--version"});
  host.include_dirs = HostIncludeDirs(host.program);
  return host;
}

Error NoNvcc(const std::vector<std::string>& rejected) {
  const std::string found = rejected.empty() ? std::string("no nvcc found")
                                             : fmt::format("no usable nvcc found ({})", fmt::join(rejected, "; "));
  return {ErrorKind::kMachine,
          fmt::format("{}: install the CUDA Toolkit {} or later (https://developer.nvidia.com/cuda-downloads), and put "
                      "nvcc on PATH or set CUDACXX to its path; or run `./warpgrade` in a source tree, which fetches "
                      "the compiler",
                      found, kOldestNvcc)};
}

}  // namespace

std::string Toolchain::cudart_dir() const {
  return cudart_library.empty() ? "" : fs::path(cudart_library).parent_path().string();
}

Result<Toolchain> FindToolchain(const std::string& private_dir) {
  return FirstUsableToolchain(NvccCandidates(private_dir));
}

Result<Toolchain> FirstUsableToolchain(const std::vector<std::string>& nvccs) {
  Toolchain toolchain;
  // The host compiler is asked meanwhile: a student waits for this after each edit.
  std::future<HostCompiler> asked = std::async(std::launch::async | std::launch::deferred, FindHostCompiler);
  std::string version;
  std::vector<std::string> rejected;
  for (const std::string& candidate : nvccs) {
    if (!IsExecutable(candidate)) continue;
    version = NvccVersion(candidate);
    if (std::atoi(version.c_str()) >= kOldestNvcc) {
      toolchain.nvcc = CalledNvcc(candidate);
      break;
    }
    rejected.push_back(version.empty() ? candidate + " does not run"
                                       : fmt::format("{} has version {}", candidate, version));
  }
  if (toolchain.nvcc.empty()) return NoNvcc(rejected);

  std::error_code error;
  fs::path real = fs::canonical(toolchain.nvcc, error);
  toolchain.root = (error ? fs::path(toolchain.nvcc) : real).parent_path().parent_path().string();
  const HostCompiler host = asked.get();
  if (!host.version) {
    return Error{
        ErrorKind::kMachine,
        "no g++ found: install it (Debian, Ubuntu: apt-get install g++), or set NVCC_CCBIN to a compiler that nvcc "
        "accepts"};
  }
  toolchain.host_compiler = host.program;
  toolchain.version = fmt::format("nvcc {}, {}", version, host.version->substr(0, host.version->find('\n')));
  toolchain.cudart_library = FindCudart(toolchain.root);
  toolchain.include_dirs = host.include_dirs;
  toolchain.include_dirs.push_back(toolchain.root + "/include");
  // A toolkit of Python wheels has no such folder.
  if (fs::exists(toolchain.root + "/targets", error)) toolchain.include_dirs.push_back(toolchain.root + "/targets");
  return toolchain;
}

}  // namespace warpgrade::build
