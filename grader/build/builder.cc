// Finds the executable of a rung in the cache by the digest of everything that it depends on, or has it compiled
// (rung_compiler.cc, together_compiler.cc). Two threads that ask for the same rung get one compilation. Tests:
// tests/build/build_test.cc, build_together_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "grader/build/allowance.h"
#include "grader/build/brought_headers.h"
#include "grader/build/build.h"
#include "grader/build/executable_cache.h"
#include "grader/build/files.h"
#include "grader/build/includes.h"
#include "grader/build/rung_compiler.h"
#include "grader/build/rungs_together.h"
#include "grader/build/together_compiler.h"
#include "grader/digest/digest.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

// Part of every key. Change it when rungs are built in another way that the key does not show.
constexpr char kCacheFormat[] = "warpgrade.rung/3";
// Added to an executable's key: what else is kept of its making.
constexpr char kObject[] = ".object", kWarnings[] = ".warnings";
// Added to the key of several rungs: the names of those that could be built together.
constexpr char kTogether[] = ".together";

// Whether the same text may give another executable at another time. A macro could hide these words, but then only the
// student's own results would be old.
bool DependsOnTheDay(std::string_view source) {
  for (std::string_view word : {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "incbin"}) {
    if (source.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// The key of the executable of one of the rungs.
std::string PartOf(std::string key, std::string_view rung) { return key.append(".").append(rung); }

bool IsPlainName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); });
}

// Lets only one thread at a time through for each key.
class InFlight {
 public:
  // The destructor lets the next thread through.
  class Pass {
   public:
    Pass(InFlight* from, std::string key) : from_(from), key_(std::move(key)) {}
    Pass(Pass&& other) noexcept : from_(std::exchange(other.from_, nullptr)), key_(std::move(other.key_)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (from_ != nullptr) from_->Leave(key_);
    }

   private:
    InFlight* from_;
    std::string key_;
  };

  // Waits until no other thread has this key. nullopt if `cancel` was set while waiting.
  std::optional<Pass> Enter(const std::string& key, const std::atomic<bool>* cancel) {
    std::unique_lock lock(mutex_);
    while (keys_.count(key)) {
      if (cancel != nullptr && cancel->load()) return std::nullopt;
      left_.wait_for(lock, std::chrono::milliseconds(100));
    }
    keys_.insert(key);
    return Pass(this, key);
  }

 private:
  void Leave(const std::string& key) {
    const std::lock_guard lock(mutex_);
    keys_.erase(key);
    left_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable left_;
  std::set<std::string> keys_;
};

}  // namespace

std::string BuildOptions::DefaultCacheDir() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/warpgrade/rungs";
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/warpgrade/rungs" : "";
}

struct Builder::State {
  explicit State(BuildOptions o) : options(std::move(o)), cache(options.cache_dir) { WorkDirectory::RemoveAbandoned(); }

  std::string AdapterOf(const std::string& lab) const {
    if (const auto own = options.adapters.find(lab); own != options.adapters.end()) return own->second;
    std::string path = options.adapter_pattern;
    constexpr std::string_view kPlaceholder = "{lab}";
    if (const size_t at = path.find(kPlaceholder); at != std::string::npos) path.replace(at, kPlaceholder.size(), lab);
    return path;
  }

  std::string Cudart() const {
    if (!options.toolchain.cudart_library.empty()) return options.toolchain.cudart_library;
    return (fs::path(options.emulator_library_dir) / "libcudart.so.13").string();
  }

  // The digest of everything that the executable depends on. The error names a missing file of the kit.
  Result<std::string> KeyOf(const RungJob& job) const {
    Digest digest;
    digest.Add("format", kCacheFormat);
    digest.Add("compilers", options.toolchain.version);
    for (const std::string& flag : CompileFlags(job.request.gpu_arch, job.request.unoptimised))
      digest.Add("flag", flag);
    digest.Add("file", job.request.rung + ".cu");
    digest.Add("source", job.request.source);
    for (const std::string& header : AllowedHeaders(job.request.allow)) digest.Add("may include", header);
    for (const std::string& header : job.request.allow.headers) digest.Add("may include", header);
    for (const std::string& symbol : job.request.allow.symbols) digest.Add("may use", symbol);
    for (const auto& [name, text] : job.headers) digest.Add(name, text);
    for (const std::string& path : {job.adapter_archive, options.worker_archive}) {
      const auto content = ReadWholeFile(path);
      if (!content) {
        return Error{ErrorKind::kMachine,
                     fmt::format("{}: not found, so the kit is incomplete; build or install it again", path)};
      }
      digest.Add("archive", *content);
    }
    return digest.Hex();
  }

  // What the cache has of `request`; nothing when a part of what it wants is missing there.
  std::optional<BuildResult> Find(const BuildRequest& request, const std::string& key) const {
    const auto executable = cache.Find(key);
    if (!executable) return std::nullopt;
    BuildResult result;
    result.executable = *executable;
    result.from_cache = true;
    if (!request.keep_object) return result;
    const auto object = cache.Find(key + kObject), warnings = cache.Find(key + kWarnings);
    if (!object || !warnings) return std::nullopt;
    result.object = *object;
    result.diagnostics = ReadWholeFile(*warnings).value_or("");
    return result;
  }

  // Moves what was built in `directory` into the cache. False when it cannot be kept there.
  bool Keep(const std::string& key, const fs::path& directory, BuildResult* result) const {
    const auto executable = cache.Publish(key, result->executable);
    if (!executable) return false;
    if (!result->object.empty()) {
      const fs::path said = directory / "warnings";
      if (!WriteWholeFile(said, result->diagnostics) || !cache.Publish(key + kWarnings, said)) return false;
      const auto object = cache.Publish(key + kObject, result->object);
      if (!object) return false;
      result->object = *object;
    }
    result->executable = *executable;
    return true;
  }

  Result<BuildResult> Compile(RungJob job, const std::string& key, bool keep, const std::atomic<bool>* cancel) {
    auto created = WorkDirectory::Create();
    if (!created) return created.error();
    const auto directory = std::make_shared<WorkDirectory>(std::move(*created));
    if (Status added = AddBrought(&job, cancel); !added) return added.error();
    auto result = CompileRung(job, directory->path(), cancel);
    if (!result || result->status != BuildResult::Status::kOk) return result;
    if (!keep || !Keep(key, directory->path(), &*result)) result->keeps_executable = directory;
    return result;
  }

  // Sets the headers that the allowed ones bring.
  Status AddBrought(RungJob* job, const std::atomic<bool>* cancel) {
    auto brought = brought_headers.Of(AllowedHeaders(job->request.allow), options, cache, cancel);
    if (!brought) return brought.error();
    job->brought = std::move(*brought);
    return {};
  }

  // What the cache has of rungs that were built together; nullopt if they were not, or if a part is missing.
  std::optional<std::map<std::string, BuildResult>> FindTogether(const std::string& key) const {
    const auto list = cache.Find(key + kTogether);
    if (!list) return std::nullopt;
    std::map<std::string, BuildResult> results;
    std::istringstream rungs(ReadWholeFile(*list).value_or(""));
    for (std::string rung; rungs >> rung;) {
      const auto executable = IsPlainName(rung) ? cache.Find(PartOf(key, rung)) : std::nullopt;
      if (!executable) return std::nullopt;
      results[rung].executable = *executable;
      results[rung].from_cache = true;
    }
    return results;
  }

  // Moves `results` into the cache, and the list of them last. What cannot be kept there stays in `directory`.
  void KeepTogether(const std::string& key, const std::shared_ptr<WorkDirectory>& directory,
                    std::map<std::string, BuildResult>* results) const {
    std::string list;
    bool complete = true;
    for (auto& [rung, result] : *results) {
      const auto kept = cache.Publish(PartOf(key, rung), result.executable);
      complete &= kept.has_value();
      if (kept) result = {.executable = *kept};
      list += rung + "\n";
    }
    const fs::path file = directory->path() / "list";
    if (complete && WriteWholeFile(file, list)) static_cast<void>(cache.Publish(key + kTogether, file));
  }

  // The results by rung; empty if the machine failed.
  std::map<std::string, BuildResult> CompileAll(std::vector<RungJob> jobs, const std::string& key,
                                                const std::atomic<bool>* cancel) {
    for (RungJob& job : jobs) {
      if (!AddBrought(&job, cancel)) return {};
    }
    auto created = WorkDirectory::Create();
    if (!created) return {};
    const auto directory = std::make_shared<WorkDirectory>(std::move(*created));
    const auto executables = CompileTogether(jobs, directory->path(), cancel);
    if (!executables) return {};
    std::map<std::string, BuildResult> results;
    for (const auto& [rung, path] : *executables) results[rung] = {.executable = path, .keeps_executable = directory};
    if (cache.usable()) KeepTogether(key, directory, &results);
    return results;
  }

  // Builds rungs that can be together; empty if there is nothing to gain, or if the machine failed.
  std::map<std::string, BuildResult> BuildUnit(const std::vector<const BuildRequest*>& requests,
                                               const std::map<std::string, std::string>& headers,
                                               const std::atomic<bool>* cancel) {
    if (requests.size() < 2) return {};
    std::vector<RungJob> jobs;
    Digest digest;
    digest.Add("format", kTogether);
    bool all_are_known = cache.usable();  // each was built alone before
    for (const BuildRequest* request : requests) {
      jobs.push_back({*request, options, headers, AdapterOf(request->lab), Cudart(), {}});
      const auto key = KeyOf(jobs.back());
      if (!key) return {};
      digest.Add(request->rung, *key);
      all_are_known = all_are_known && Find(*request, *key).has_value();
    }
    if (all_are_known) return {};
    const std::string key = digest.Hex();
    const auto pass = in_flight.Enter(key, cancel);
    if (!pass) return {};
    if (cache.usable()) {
      if (auto found = FindTogether(key)) return std::move(*found);
    }
    return CompileAll(std::move(jobs), key, cancel);
  }

  const BuildOptions options;
  const ExecutableCache cache;
  InFlight in_flight;
  BroughtHeaders brought_headers;
};

Builder::Builder(BuildOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Builder::~Builder() = default;

Result<BuildResult> Builder::Build(const BuildRequest& request, const std::atomic<bool>* cancel) {
  WARPGRADE_CHECK(IsPlainName(request.lab) && IsPlainName(request.rung));
  WARPGRADE_CHECK(!request.unoptimised || request.gpu_arch == 0);
  const auto headers = LabHeaders(request.lab, state_->options.include_dirs);
  if (!headers) return headers.error();
  const RungJob job = {request, state_->options, *headers, state_->AdapterOf(request.lab), state_->Cudart(), {}};
  const auto key = state_->KeyOf(job);
  if (!key) return key.error();
  const bool keep = state_->cache.usable() && !DependsOnTheDay(request.source);
  if (!keep) return state_->Compile(job, *key, false, cancel);

  const auto pass = state_->in_flight.Enter(*key, cancel);
  if (!pass) return Error{ErrorKind::kMachine, "interrupted while building"};
  if (auto found = state_->Find(request, *key)) return std::move(*found);
  return state_->Compile(job, *key, true, cancel);
}

std::map<std::string, BuildResult> Builder::BuildTogether(const std::vector<BuildRequest>& requests,
                                                          const std::atomic<bool>* cancel) {
  if (requests.empty()) return {};
  const auto lab_headers = LabHeaders(requests[0].lab, state_->options.include_dirs);
  if (!lab_headers) return {};
  std::map<std::set<std::string>, std::vector<const BuildRequest*>> by_headers;
  for (const BuildRequest& request : requests) {
    WARPGRADE_CHECK(IsPlainName(request.lab) && IsPlainName(request.rung) && request.lab == requests[0].lab);
    if (CanBeTogether(request)) by_headers[HeadersOf(request, *lab_headers)].push_back(&request);
  }
  std::map<std::string, BuildResult> results;
  for (const auto& [headers, rungs] : by_headers) results.merge(state_->BuildUnit(rungs, *lab_headers, cancel));
  return results;
}

}  // namespace warpgrade::build
