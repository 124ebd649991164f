// Looks for nvcc and g++ in the usual places, asks each for its version, and collects the folders of their headers.
// What they answered before is taken from the cache (compiler_answers.h); where they are is looked up each time. Tests:
// tests/build/toolchain_test.cc, with toolkits made of scripts.
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
#include <sstream>
#include <string_view>
#include <system_error>

#include "grader/build/compiler_answers.h"
#include "grader/sandbox/on_path.h"

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

// True for the program in the toolkit's own folder: nvcc reads nvcc.profile there.
bool IsNvccItself(const std::string& nvcc) {
  std::error_code error;
  if (fs::is_symlink(nvcc, error) || !fs::exists(fs::path(nvcc).parent_path() / "nvcc.profile", error)) return false;
  std::array<char, 2> begin{};
  std::ifstream(nvcc).read(begin.data(), begin.size());
  return begin != std::array{'#', '!'};
}

// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88".
std::string NvccVersion(const std::string& nvcc, const CompilerAnswers& answers) {
  static const std::regex kRelease(R"(release \d+\.\d+, V(\d+\.\d+\.\d+))");
  // What is not nvcc itself may call another program tomorrow.
  const auto text = answers.Ask({nvcc, "--version"}, [&nvcc](const std::string&) {
    return IsNvccItself(nvcc) ? std::optional(std::vector<std::string>()) : std::nullopt;
  });
  std::smatch match;
  return text && std::regex_search(*text, match, kRelease) ? match[1].str() : "";
}

// `nvcc` may be a script. This is the nvcc that it calls, or `nvcc` itself if it does not say. A dry run takes as long
// as all other questions together, and a student waits for it after each edit, so nvcc itself is not asked.
std::string CalledNvcc(const std::string& nvcc, const CompilerAnswers& answers) {
  if (IsNvccItself(nvcc)) return nvcc;
  static const std::regex kFolder(R"(#\$ _HERE_=([^\n]+))");
  const auto text = answers.Ask({nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null"});
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

// Of what "g++ -E -v" prints: its version, and which folders it searches for headers.
constexpr std::string_view kBeginOfFolders = "#include <...> search starts here:\n";
constexpr std::string_view kEndOfFolders = "End of search list.";
constexpr std::string_view kMissingFolder = "ignoring nonexistent directory \"";

// The lines of a text, without their ends.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> IncludeDirsIn(const std::string& text) {
  const size_t begin = text.find(kBeginOfFolders), end = text.find(kEndOfFolders);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  std::vector<std::string> folders;
  for (const std::string& line : LinesOf(text.substr(begin, end - begin))) {
    if (line.starts_with(' ')) folders.push_back(line.substr(1));
  }
  return folders;
}

// "gcc version 12.2.0 (Debian 12.2.0-14)"; the first line that it prints where no line says a version.
std::string VersionIn(const std::string& text) {
  const std::vector<std::string> lines = LinesOf(text);
  for (const std::string& line : lines) {
    if (line.find(" version ") != std::string::npos) return line.substr(0, line.find_last_not_of(' ') + 1);
  }
  return lines.empty() ? "" : lines.front();
}

// On what the text depends: the compiler that g++ calls, the folders that it searches, and those that it would search
// if they were there. nullopt if it names no compiler: then nobody knows which one answered.
std::optional<std::vector<std::string>> DependenciesOf(const std::string& text) {
  std::vector<std::string> paths;
  for (const std::string& line : LinesOf(text.substr(0, text.find(kBeginOfFolders)))) {
    // The command of the compiler stands in a line of its own: " /usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -E ...".
    const size_t quote = line.starts_with(" \"") ? 2 : 1;
    if (!line.starts_with(" /") && quote == 1) continue;
    const std::string program = line.substr(quote, line.find_first_of(quote == 2 ? "\"" : " ", quote) - quote);
    if (IsExecutable(program)) paths.push_back(program);
  }
  if (paths.empty()) return std::nullopt;
  for (const std::string& line : LinesOf(text)) {
    if (!line.starts_with(kMissingFolder)) continue;
    const std::string folder = line.substr(kMissingFolder.size());
    paths.push_back(folder.substr(0, folder.find('"')));
  }
  for (std::string& folder : IncludeDirsIn(text)) paths.push_back(std::move(folder));
  return paths;
}

struct HostCompiler {
  std::string program;  // "" when there is none
  std::string version;  // "" when it does not run
  std::vector<std::string> include_dirs;
};

HostCompiler FindHostCompiler(const CompilerAnswers& answers) {
  HostCompiler host;
  for (const std::string& name : {Variable("NVCC_CCBIN"), std::string("g++")}) {
    if (host.program.empty()) host.program = FindProgram(name);
  }
  if (host.program.empty()) return host;
  const auto text = answers.Ask({host.program, "-E", "-v", "-x", "c++", "/dev/null"}, DependenciesOf);
  if (!text) return host;
  host.version = VersionIn(*text);
  host.include_dirs = IncludeDirsIn(*text);
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

Result<Toolchain> FindToolchain(const std::string& private_dir, const std::string& cache_dir) {
  return FirstUsableToolchain(NvccCandidates(private_dir), cache_dir);
}

Result<Toolchain> FirstUsableToolchain(const std::vector<std::string>& nvccs, const std::string& cache_dir) {
  Toolchain toolchain;
  const CompilerAnswers answers(cache_dir);
  // Without kept answers, the host compiler is asked meanwhile. With them, a thread would only cost time.
  const auto when = cache_dir.empty() ? std::launch::async | std::launch::deferred : std::launch::deferred;
  std::future<HostCompiler> asked = std::async(when, [&answers] { return FindHostCompiler(answers); });
  std::string version;
  std::vector<std::string> rejected;
  for (const std::string& candidate : nvccs) {
    if (!IsExecutable(candidate)) continue;
    version = NvccVersion(candidate, answers);
    if (std::atoi(version.c_str()) >= kOldestNvcc) {
      toolchain.nvcc = CalledNvcc(candidate, answers);
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
  if (host.version.empty()) {
    return Error{
        ErrorKind::kMachine,
        "no g++ found: install it (Debian, Ubuntu: apt-get install g++), or set NVCC_CCBIN to a compiler that nvcc "
        "accepts"};
  }
  toolchain.host_compiler = host.program;
  toolchain.has_gold = IsExecutable(fs::path(host.program).parent_path().string() + "/ld.gold");
  toolchain.version = fmt::format("nvcc {}, {}: {}", version, fs::path(host.program).filename().string(), host.version);
  toolchain.cudart_library = FindCudart(toolchain.root);
  toolchain.include_dirs = host.include_dirs;
  toolchain.include_dirs.push_back(toolchain.root + "/include");
  // A toolkit of Python wheels has no such folder.
  if (fs::exists(toolchain.root + "/targets", error)) toolchain.include_dirs.push_back(toolchain.root + "/targets");
  return toolchain;
}

}  // namespace warpgrade::build
