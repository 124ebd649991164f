// One attempt: writes the rungs' files, the lab's headers and the unit into a folder, compiles the unit, and checks the
// files that the compilers opened and the object by the rules of every rung. What is not perfect is no result: then the
// caller compiles the rungs alone, and the student gets the messages of that. Tests:
// tests/build/build_together_test.cc.
#include "grader/build/together_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "grader/build/compiler_process.h"
#include "grader/build/files.h"
#include "grader/build/includes.h"
#include "grader/build/object_symbols.h"
#include "grader/build/rung_rules.h"
#include "grader/build/rungs_together.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

constexpr char kObjectName[] = "rungs.o";
// A GPU has 64 KB of constant memory for one module, and the unit is one. The emulator loads all variables of a module.
// The host's copies of these variables are in the data of the object.
constexpr uint64_t kMostDataBytes = 60'000;
// All rungs of the unit are in the program of each rung, so a function of one rung that runs before main would run for
// all of them. Where there is code for a GPU, nvcc has one such function, which registers the kernels.
uint64_t InitialiserBytesOfNvcc(const ObjectSymbols& symbols) {
  const auto& sections = symbols.sections;
  return std::find(sections.begin(), sections.end(), ".nvFatBinSegment") == sections.end() ? 0 : sizeof(void*);
}

class Attempt {
 public:
  Attempt(std::vector<const RungJob*> jobs, const fs::path& directory, const std::atomic<bool>* cancel)
      : jobs_(std::move(jobs)), directory_(directory), cancel_(cancel) {
    for (const RungJob* job : jobs_) requests_.push_back(&job->request);
  }

  // Compiles the unit, and returns whether all rungs are right. A rung that needs the headers that are left out here is
  // not; it will be compiled alone. Otherwise, with_errors() has those that are not.
  Result<bool> Compile() {
    if (Status laid = LayOut(); !laid) return laid.error();
    const auto compiled = Run(CompileCommand(jobs_[0]->options.toolchain, requests_[0]->gpu_arch, kUnitName,
                                             kObjectName, StandardHeaders::kFew));
    if (!compiled) return compiled.error();
    if (compiled->exit_code != 0 || compiled->limit_exceeded()) {
      with_errors_ = RungsWithErrors(requests_, compiled->output);
      return false;
    }
    return KeepsAllRules();
  }

  const std::vector<std::string>& with_errors() const { return with_errors_; }

  // After Compile: the executables, by rung.
  Result<std::map<std::string, std::string>> Link() {
    std::map<std::string, std::string> executables;
    const auto adapter = ReadWholeFile(jobs_[0]->adapter_archive);
    const auto wanted = UndefinedInLibrary(adapter.value_or(""));
    if (!wanted) return wanted.error();
    // A function outside of the namespaces would be the answer of every rung that has none.
    const std::set<std::string> defined(symbols_.defined.begin(), symbols_.defined.end());
    const auto is_defined = [&defined](const std::string& name) { return defined.count(name) > 0; };
    if (std::any_of(wanted->begin(), wanted->end(), is_defined)) return executables;
    for (const RungJob* job : jobs_) {
      std::vector<std::string> names;
      for (const auto& [name, of_unit] :
           FunctionsOf(UnitTag(requests_), job->request.rung, *wanted, symbols_.defined)) {
        names.push_back(fmt::format("-Wl,--defsym={}={}", name, of_unit));
      }
      const std::string executable = job->request.rung + ".worker";
      const auto here = WithAdapterIn(directory_, *job);
      if (!here) return here.error();
      const auto linked = build::Link(*here, kObjectName, executable, names,
                                      [this](std::vector<std::string> argv) { return Run(std::move(argv)); });
      if (!linked) return linked.error();
      if (linked->exit_code != 0 || linked->limit_exceeded()) continue;
      executables[job->request.rung] = (directory_ / executable).string();
    }
    return executables;
  }

 private:
  Status LayOut() const {
    const RungJob& job = *jobs_[0];
    std::map<std::string, std::string> files = HeadersOfUnit(job.request.lab, job.headers);
    files[kUnitName] = UnitOf(requests_, job.headers);
    for (const BuildRequest* request : requests_) files[request->rung + ".cu"] = request->source;
    for (const auto& [name, text] : files) {
      if (Status s = WriteWholeFile(directory_ / name, text); !s) return s;
    }
    std::error_code error;
    fs::create_directory(directory_ / "tmp", error);
    if (!error) return {};
    return Error{ErrorKind::kMachine, fmt::format("{}: {}", (directory_ / "tmp").string(), error.message())};
  }

  Result<sandbox::ProcessResult> Run(std::vector<std::string> argv) const {
    const RungJob& job = *jobs_[0];
    return RunCompiler(std::move(argv), job.options,
                       {job.adapter_archive, job.options.worker_archive, job.cudart_library}, directory_, cancel_);
  }

  bool KeepsAllRules() {
    const auto opened = ReadWholeFile(directory_ / kOpenedFiles);
    const auto assembled = ReadWholeFile(directory_ / kAssembledFiles);
    const auto object = ReadWholeFile(directory_ / kObjectName);
    if (!opened || !assembled || !object) return false;
    for (const RungJob* job : jobs_) {
      const RungRules rules(job->request, directory_);
      if (rules.RefuseOpened(DependenciesIn(*opened), job->options.toolchain.include_dirs, job->brought) ||
          rules.RefuseAssembled(DependenciesIn(*assembled)) || rules.RefuseObject(*object)) {
        return false;
      }
    }
    auto symbols = ReadObjectSymbols(*object);
    if (!symbols || symbols->data_bytes > kMostDataBytes ||
        symbols->initialiser_bytes > InitialiserBytesOfNvcc(*symbols)) {
      return false;
    }
    if (!IsAllInNamespaces(UnitTag(requests_), symbols->defined, symbols->weak)) return false;
    symbols_ = std::move(*symbols);
    return true;
  }

  const std::vector<const RungJob*> jobs_;
  const fs::path& directory_;
  const std::atomic<bool>* cancel_;
  std::vector<const BuildRequest*> requests_;
  std::vector<std::string> with_errors_;
  ObjectSymbols symbols_;
};

// All but the executables.
void RemoveAllElse(const fs::path& directory, const std::map<std::string, std::string>& executables) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const auto is_entry = [&entry](const auto& executable) { return entry.path() == executable.second; };
    std::error_code ignored;
    if (std::none_of(executables.begin(), executables.end(), is_entry)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<std::map<std::string, std::string>> CompileTogether(const std::vector<RungJob>& jobs, const fs::path& directory,
                                                           const std::atomic<bool>* cancel) {
  std::vector<const RungJob*> rungs;
  rungs.reserve(jobs.size());
  for (const RungJob& job : jobs) rungs.push_back(&job);
  std::map<std::string, std::string> executables;
  for (int tries = 0; tries < 2 && rungs.size() >= 2; ++tries) {
    Attempt attempt(rungs, directory, cancel);
    const auto compiled = attempt.Compile();
    if (!compiled) return compiled.error();
    if (*compiled) {
      auto linked = attempt.Link();
      if (!linked) return linked;
      executables = std::move(*linked);
      break;
    }
    const std::vector<std::string>& wrong = attempt.with_errors();
    if (wrong.empty()) break;
    std::erase_if(rungs, [&wrong](const RungJob* job) {
      return std::find(wrong.begin(), wrong.end(), job->request.rung) != wrong.end();
    });
    RemoveAllElse(directory, {});
  }
  RemoveAllElse(directory, executables);
  return executables;
}

}  // namespace warpgrade::build
