// `warpgrade build-rung LAB RUNG --source FILE --object FILE`: how `make LAB` compiles a rung (cmake/build_rung.sh). It
// builds the rung exactly as `check` does, which finds it in the cache afterwards, and leaves the object for the lab's
// tests. Exit status: 0 built; 1 it does not compile, with the messages on standard output; anything else: it was not
// built here, and the caller should compile it without us. Tests: tests/cli/build_rung_command_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "grader/build/build.h"
#include "grader/build/files.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grade_stages.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/selection.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/sandbox/confinement.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct BuildRungOptions {
  std::string lab, rung, source, object;
  int built_for = 0;
};

// `messages` with the file named by its path wherever a line begins with its name, so that an editor finds it.
std::string NameByPath(std::string_view messages, const fs::path& source) {
  const std::string name = source.filename().string();
  std::string text;
  while (!messages.empty()) {
    const std::string_view line = messages.substr(0, messages.find('\n'));
    const bool names_it = line.starts_with(name + "(") || line.starts_with(name + ":");
    if (names_it) text += source.parent_path().string() + "/";
    text += line;
    text += '\n';
    messages.remove_prefix(std::min(line.size() + 1, messages.size()));
  }
  return text;
}

Result<build::BuildResult> Build(const BuildRungOptions& options) {
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  const auto course = config::LoadCourse(kit->course_yaml, MetricNames());
  if (!course) return course.error();
  const auto labs = SelectRungs(*course, {options.lab}, {options.rung});
  if (!labs) return labs.error();
  auto text = build::ReadWholeFile(options.source);
  if (!text) return Error{ErrorKind::kUsage, options.source + ": cannot be read"};
  auto build_options = BuildOptionsFor(*kit, *course, true, true);
  if (!build_options) return build_options.error();
  build::BuildRequest request{options.lab, options.rung, std::move(*text), options.built_for, {}, true};
  request.allow = labs->at(0).rungs.at(0).allow;
  // As in `check`, the sandbox is tried only if the machine fails in it.
  auto built = build::Builder(*build_options).Build(request);
  if (built || sandbox::CheckConfinement().ok()) return built;
  build_options->confine = false;
  return build::Builder(std::move(*build_options)).Build(request);
}

// Whether a compiler that sees the student's other files, and is held to no rule, could say something else.
bool MayCompileElsewhere(const build::BuildResult& result) {
  return result.status != build::BuildResult::Status::kCompileError ||
         result.diagnostics.find("No such file or directory") != std::string::npos;
}

int BuildRung(const BuildRungOptions& options) {
  const auto built = Build(options);
  if (!built) return Fail(built.error());
  const std::string messages = NameByPath(built->diagnostics, options.source);
  if (built->status != build::BuildResult::Status::kOk) {
    if (MayCompileElsewhere(*built)) return kMachineFailed;
    fmt::print("{}", messages);
    return kRungDoesNotCompile;
  }
  fmt::print("{}", messages);
  std::error_code error;
  fs::copy_file(built->object, options.object, fs::copy_options::overwrite_existing, error);
  if (error) return Fail(Error{ErrorKind::kMachine, options.object + ": cannot be written: " + error.message()});
  return kDone;
}

}  // namespace

void AddBuildRungCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("build-rung", "Compile one rung as `check` does (internal)");
  command->group("");
  auto options = std::make_shared<BuildRungOptions>();
  command->add_option("lab", options->lab)->required();
  command->add_option("rung", options->rung)->required();
  command->add_option("--source", options->source)->required();
  command->add_option("--object", options->object)->required();
  command->add_option("--built-for", options->built_for);
  command->callback([options, exit_code] { *exit_code = BuildRung(*options); });
}

}  // namespace warpgrade::cli
