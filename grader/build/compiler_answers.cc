// An answer in the cache is a text: the digest of all that follows; a line for each path that it depends on, with the
// state of the path; an empty line; and what the compiler printed. The key is the digest of the question. Tests:
// tests/build/compiler_answers_test.cc.
#include "grader/build/compiler_answers.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "grader/build/files.h"
#include "grader/digest/digest.h"
#include "grader/sandbox/process.h"

namespace warpgrade::build {
namespace {

// Part of the key. Change it when the text changes.
constexpr char kKeptFormat[] = "warpgrade.answer/1";
constexpr size_t kDigestLength = 64;
constexpr size_t kMostBytes = 32 << 10;  // of an answer that is kept: g++ -v prints 4 KB

std::string SearchPath() {
  const char* value = std::getenv("PATH");
  return value == nullptr ? "" : value;
}

std::string KeyOfQuestion(const std::vector<std::string>& argv) {
  Digest digest;
  digest.Add("format", kKeptFormat);
  for (const std::string& word : argv) digest.Add("word", word);
  digest.Add("PATH", SearchPath());
  return digest.Hex();
}

std::string DigestOf(std::string_view text) {
  Digest digest;
  digest.Add("answer", text);
  return digest.Hex();
}

// What there is at `path`, links followed. A file is another one as soon as anybody has changed or replaced it.
std::string StateOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return "missing";
  if (S_ISDIR(info.st_mode)) return "folder";
  return fmt::format("file {} {} {} {}.{:09} {}.{:09}", info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec,
                     info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

bool IsScript(const std::string& program) {
  std::array<char, 2> begin{};
  std::ifstream(program, std::ios::binary).read(begin.data(), begin.size());
  return begin == std::array{'#', '!'};
}

std::string StateLine(const std::string& path) { return StateOf(path) + " at " + path + "\n"; }

// Whether `path` is a file that may have been changed after `start`. A file system's clock ticks every 10 ms or more
// often.
bool MayHaveChangedSince(const timespec& start, const std::string& path) {
  constexpr int64_t kSecond = 1'000'000'000, kTick = 100'000'000;
  const auto nanoseconds = [](const timespec& time) { return int64_t{time.tv_sec} * kSecond + time.tv_nsec; };
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         nanoseconds(info.st_ctim) > nanoseconds(start) - kTick;
}

// The text that is kept. nullopt if the answer, which was asked for at `start`, cannot be kept.
std::optional<std::string> KeptText(const std::vector<std::string>& paths, const std::string& answer,
                                    const timespec& start) {
  std::string rest;
  for (const std::string& path : paths) {
    rest += StateLine(path);
    if (path.find('\n') != std::string::npos || MayHaveChangedSince(start, path)) return std::nullopt;
  }
  rest += "\n" + answer;
  if (rest.size() > kMostBytes) return std::nullopt;
  return DigestOf(rest) + "\n" + rest;
}

// The answer in `text`. nullopt if the text is damaged, or a path is not what it was.
std::optional<std::string> AnswerIn(std::string_view text) {
  if (text.size() <= kDigestLength + 1) return std::nullopt;
  std::string_view rest = text.substr(kDigestLength + 1);
  if (DigestOf(rest) != text.substr(0, kDigestLength)) return std::nullopt;
  while (!rest.empty() && rest.front() != '\n') {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    const size_t at = line.find(" at ");
    if (at == std::string_view::npos) return std::nullopt;
    const std::string path(line.substr(at + 4, line.size() - at - 5));
    if (StateLine(path) != line) return std::nullopt;
    rest.remove_prefix(line.size());
  }
  if (rest.empty()) return std::nullopt;
  return std::string(rest.substr(1));
}

std::optional<std::string> RunQuestion(const std::vector<std::string>& argv) {
  sandbox::ProcessOptions options;
  options.argv = argv;
  options.environment = {"PATH=" + SearchPath(), "LC_ALL=C"};
  options.limits.wall_ms = 60'000;
  auto result = sandbox::RunProcess(options);
  if (result && result->killed_by_others()) result = sandbox::RunProcess(options);  // the machine did that
  if (!result || !result->succeeded()) return std::nullopt;
  return std::move(result->output);
}

}  // namespace

std::optional<std::string> CompilerAnswers::Ask(const std::vector<std::string>& argv,
                                                const DependsOn& depends_on) const {
  if (!depends_on || !cache_.usable()) return RunQuestion(argv);
  const std::string key = KeyOfQuestion(argv);
  if (const auto file = cache_.Find(key)) {
    if (auto answer = AnswerIn(ReadWholeFile(*file).value_or(""))) return answer;
  }
  timespec start{};
  clock_gettime(CLOCK_REALTIME, &start);
  auto answer = RunQuestion(argv);
  if (!answer || IsScript(argv[0])) return answer;
  auto paths = depends_on(*answer);
  if (!paths) return answer;
  paths->push_back(argv[0]);
  const auto text = KeptText(*paths, *answer, start);
  if (!text) return answer;
  auto directory = WorkDirectory::Create();
  if (!directory) return answer;
  const std::filesystem::path kept = directory->path() / "answer";
  // What cannot be kept is asked again next time.
  if (WriteWholeFile(kept, *text).ok()) static_cast<void>(cache_.Publish(key, kept));
  return answer;
}

}  // namespace warpgrade::build
