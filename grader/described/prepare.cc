// Compiles in a folder of its own and moves it into the cache when everything in it works, so that the cache never has
// a lab whose reference crashes in a public case. Tests: tests/described/described_lab_test.cc.
#include "grader/described/prepare.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "grader/build/compiler_process.h"
#include "grader/build/files.h"
#include "grader/described/reference.h"
#include "grader/described/texts.h"
#include "grader/described/values.h"
#include "grader/digest/digest.h"
#include "grader/sandbox/process.h"

namespace warpgrade::described {
namespace {

namespace fs = std::filesystem;
using build::WorkDirectory;

constexpr char kFormat[] = "warpgrade.lab/1";  // change it when labs are compiled in another way
constexpr std::chrono::hours kKeptUnused{24 * 30};
constexpr size_t kMostOutput = 3000;  // of a compiler
const std::vector<std::string> kHeaders = {"grader/lab/call.h", "labs/not_written.h", "labs/support/launch_error.h"};
const std::vector<std::string> kFlags = {"-std=c++20", "-O2", "-g1", "-fPIC"};

std::string ReferencePath(const Description& lab) { return (fs::path(lab.folder) / kReferenceFile).string(); }

// The names of the files that are not made by this kit, in the folder of a compilation; their texts.
Result<std::vector<std::pair<std::string, std::string>>> Sources(const Description& lab,
                                                                 const build::BuildOptions& options) {
  std::vector<std::pair<std::string, std::string>> sources;
  for (const std::string& name : kHeaders) {
    std::optional<std::string> text;
    for (const std::string& folder : options.include_dirs) {
      if (!text) text = build::ReadWholeFile(fs::path(folder) / name);
    }
    if (!text) {
      return Error{
          ErrorKind::kMachine,
          fmt::format("the kit has no {}, which is needed for labs outside of it; install the kit again", name)};
    }
    sources.emplace_back(name, std::move(*text));
  }
  for (const char* name : {kLabFile, kHiddenFile, kReferenceFile}) {
    std::optional<std::string> text = build::ReadWholeFile(fs::path(lab.folder) / name);
    if (!text && name == std::string(kHiddenFile)) continue;
    if (!text) {
      return Error{ErrorKind::kUsage,
                   fmt::format("{}: it is not there or cannot be read; write it, with the function {}",
                               (fs::path(lab.folder) / name).string(), ReferenceSignature(lab))};
    }
    sources.emplace_back(name, std::move(*text));
  }
  sources.emplace_back(fmt::format("labs/{0}/{0}.h", lab.name), HeaderText(lab));
  sources.emplace_back("adapter.cc", AdapterText(lab));
  sources.emplace_back("reference_program.cc", ReferenceProgramText(lab));
  return sources;
}

// Whether the folder is ours alone, so that nobody else can put a program there.
bool IsOurs(const fs::path& folder) {
  struct stat info;
  return stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & 022) == 0;
}

// Output of a compiler that works in the folder of a compilation, as the author knows the files.
std::string AsTheAuthorKnows(const std::string& output, const std::string& reference) {
  std::string text;
  for (size_t at = 0; at < output.size() && text.size() < kMostOutput;) {
    const size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("In file included from")) continue;
    text += (line.starts_with("reference.cc:") ? fs::path(reference).parent_path().string() + "/" : "") + line + "\n";
  }
  return text;
}

// An archive in the format of ar with one member, which is what the linker and grader/build read.
std::string ArchiveOf(const std::string& object) {
  std::string archive =
      fmt::format("!<arch>\n{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "adapter.o/", 0, 0, 0, 644, object.size());
  archive += object;
  if (object.size() % 2 != 0) archive += '\n';
  return archive;
}

class Compilation {
 public:
  Compilation(const Description& lab, const build::BuildOptions& options, fs::path folder,
              const std::atomic<bool>* cancel)
      : lab_(lab), options_(options), folder_(std::move(folder)), cancel_(cancel) {}

  Status Run(const std::vector<std::pair<std::string, std::string>>& sources) {
    for (const auto& [name, text] : sources) {
      if (Status written = build::WriteWholeFile(folder_ / name, text); !written.ok()) return written;
    }
    if (Status written = build::WriteWholeFile(folder_ / "from", lab_.folder); !written.ok()) return written;
    std::error_code error;
    fs::create_directory(folder_ / "tmp", error);
    if (Status made = CompileAdapter(); !made.ok()) return made;
    if (Status made = CompileReference(); !made.ok()) return made;
    if (Status works = TryReference(); !works.ok()) return works;
    for (const char* name : {"tmp", "adapter.o", "adapter.cc", "reference_program.cc", "grader", "labs/support"}) {
      fs::remove_all(folder_ / name, error);
    }
    return Status();
  }

 private:
  Result<sandbox::ProcessResult> Compile(std::vector<std::string> more) const {
    std::vector<std::string> argv = {options_.toolchain.host_compiler};
    argv.insert(argv.end(), kFlags.begin(), kFlags.end());
    argv.insert(argv.end(), more.begin(), more.end());
    build::BuildOptions as_we_are = options_;
    as_we_are.confine = false;  // the course's own code
    return build::RunCompiler(std::move(argv), as_we_are, {}, folder_, cancel_);
  }

  Status CompileAdapter() const {
    std::vector<std::string> argv = {"-I.", "-isystem", options_.toolchain.root + "/include", "-c", "adapter.cc",
                                     "-o",  "adapter.o"};
    const auto ran = Compile(std::move(argv));
    if (!ran) return ran.error();
    const auto object = build::ReadWholeFile(folder_ / "adapter.o");
    if (!ran->succeeded() || !object) {
      return Error{ErrorKind::kMachine,
                   fmt::format("the adapter of {} does not compile; check the CUDA toolkit and g++:\n{}", lab_.name,
                               ran->output)};
    }
    return build::WriteWholeFile(folder_ / "adapter.a", ArchiveOf(*object));
  }

  Status CompileReference() const {
    const auto ran = Compile({"reference_program.cc", "-o", "reference", "-lpthread"});
    if (!ran) return ran.error();
    if (ran->succeeded()) return Status();
    const std::string reference = ReferencePath(lab_);
    return Error{
        ErrorKind::kUsage,
        fmt::format("{}: it does not compile; it needs the function {}, and may include only headers of C++:\n{}",
                    reference, ReferenceSignature(lab_), AsTheAuthorKnows(ran->output, reference))};
  }

  // Runs the reference in each public case.
  Status TryReference() const {
    const std::unique_ptr<const Lab> lab = MakeLab(lab_, {folder_.string()});
    Random random(1);
    for (const Case& c : lab->Cases("", CaseSet::kPublic, random)) {
      std::vector<std::vector<std::byte>> arrays;
      for (const BufferSpec& spec : lab->Buffers(c)) {
        arrays.emplace_back(spec.bytes);
        if (spec.role == BufferSpec::Role::kInput)
          lab->DrawInput(c, static_cast<int>(arrays.size()) - 1, random, arrays.back());
      }
      const std::vector<std::span<const std::byte>> spans(arrays.begin(), arrays.end());
      const auto answer = RunReference(lab_, (folder_ / "reference").string(), c, spans);
      if (!answer) return answer.error();
      if (cancel_ != nullptr && cancel_->load()) return Error{ErrorKind::kMachine, "interrupted"};
    }
    return Status();
  }

  const Description& lab_;
  const build::BuildOptions& options_;
  const fs::path folder_;
  const std::atomic<bool>* cancel_;
};

// Folders that live as long as this process, for machines without a cache.
std::string KeptUntilTheEnd(WorkDirectory folder) {
  static std::mutex mutex;
  static std::vector<WorkDirectory> kept;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(folder));
  return kept.back().path().string();
}

// Removes what nobody has used for long: labs whose author went on, and folders of graders that died.
void RemoveOld(const fs::path& cache) {
  std::error_code error;
  const auto oldest = fs::file_time_type::clock::now() - kKeptUnused;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, error)) {
    std::error_code ignored;
    if (entry.last_write_time(ignored) < oldest && !ignored) fs::remove_all(entry.path(), ignored);
  }
}

// Moves a finished folder into the cache; copies it if it lies on another disk. Returns its path there; "" if that
// fails.
std::string Publish(const fs::path& from, const fs::path& cache, const std::string& key) {
  std::error_code error;
  const fs::path to = cache / key;
  const fs::path next = cache / fmt::format(".new-{}-{}", key.substr(0, 16), getpid());
  fs::remove_all(next, error);
  fs::copy(from, next, fs::copy_options::recursive, error);
  if (!error) fs::rename(next, to, error);
  if (!error) return to.string();
  std::error_code ignored;
  fs::remove_all(next, ignored);
  return fs::exists(to / "reference", ignored) ? to.string() : "";  // another grader was faster
}

}  // namespace

std::string DefaultCacheDir() {
  const std::string rungs = build::BuildOptions::DefaultCacheDir();
  return rungs.empty() ? "" : (fs::path(rungs).parent_path() / "labs").string();
}

Result<Built> Prepare(const Description& lab, const build::BuildOptions& options, const std::string& cache_dir,
                      const std::atomic<bool>* cancel) {
  const auto sources = Sources(lab, options);
  if (!sources) return sources.error();
  Digest digest;
  digest.Add("format", kFormat);
  digest.Add("compilers", options.toolchain.version);
  digest.Add("folder", lab.folder);
  for (const std::string& flag : kFlags) digest.Add("flag", flag);
  for (const auto& [name, text] : *sources) digest.Add(name, text);
  const std::string key = digest.Hex();
  const fs::path cache = cache_dir;
  std::error_code error;
  if (!cache_dir.empty()) fs::create_directories(cache, error);
  if (!cache_dir.empty() && !error) fs::permissions(cache, fs::perms::owner_all, error);
  const bool is_usable = !cache_dir.empty() && !error && IsOurs(cache);
  if (is_usable && fs::exists(cache / key / "reference", error)) {
    fs::last_write_time(cache / key, fs::file_time_type::clock::now(), error);  // RemoveOld looks at it
    return Built{(cache / key).string()};
  }

  Result<WorkDirectory> work = WorkDirectory::Create();
  if (!work) return work.error();
  if (Status made = Compilation(lab, options, work->path(), cancel).Run(*sources); !made.ok()) return made.error();
  if (is_usable) {
    RemoveOld(cache);
    if (std::string kept = Publish(work->path(), cache, key); !kept.empty()) return Built{std::move(kept)};
  }
  return Built{KeptUntilTheEnd(std::move(*work))};
}

}  // namespace warpgrade::described
