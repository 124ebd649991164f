// Takes the files for students one by one, by their names, so that nothing gets into the folder by chance. Headers are
// followed from each lab's own header. The staff get whole folders. Tests: tests/release/release_command_test.cc,
// which searches the folder with tests/release/find_secrets.py.
#include "grader/release/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "grader/config/course.h"
#include "grader/config/students_text.h"
#include "grader/release/markdown.h"
#include "grader/release/templates.h"

namespace warpgrade::release {
namespace {

namespace fs = std::filesystem;

// The parts of the kit, seen from its folder. Labs, starter files and rules are those of the folder above.
constexpr const char* kKitYaml = R"(# Written by `warpgrade release`. Relative paths start at the folder of share/.
labs: ../labs
course: ../course.yaml
solutions: ../solutions
starter: ../starter
emulator_library: lib/warpgrade/emulator
worker: lib/warpgrade/libwarpgrade_worker.a
calibrator: lib/warpgrade/calibrator
adapter: "lib/warpgrade/lib{lab}_adapter.a"
include: [..]
)";

std::string Filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values) {
  std::string filled(text);
  for (const auto& [name, value] : values) {
    for (size_t at = 0; (at = filled.find(name, at)) != std::string::npos; at += value.size()) {
      filled.replace(at, name.size(), value);
    }
  }
  return filled;
}

class Contents {
 public:
  explicit Contents(const Bundle& bundle) : bundle_(bundle) {}

  Result<std::vector<BundleFile>> Take() {
    AddKit();
    AddCourse();
    for (const auto& [lab, rungs] : bundle_.labs) AddLab(lab, rungs);
    AddLabFile("glossary/README.md");
    AddLabFile("glossary/words.cu");
    AddDocuments();
    if (bundle_.readers == Readers::kStaff) {
      AddFolder("solutions", bundle_.kit.solutions_dir);
      AddFolder("labs", bundle_.kit.labs_dir);
    }
    AddTemplates();
    auto files = to_.Take();
    if (!files) return files;
    const auto has = [&files](const std::string& name) {  // a file, or a folder with files
      const auto next = std::lower_bound(files->begin(), files->end(), name,
                                         [](const BundleFile& file, const std::string& of) { return file.name < of; });
      return next != files->end() && (next->name == name || next->name.starts_with(name + "/"));
    };
    for (BundleFile& file : *files) {
      if (file.name.ends_with(".md")) file.content = MarkdownForReaders(file.name, file.content, has);
    }
    return files;
  }

 private:
  // All files below `folder` that are not there yet.
  void AddFolder(const std::string& name, const fs::path& folder) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().filename().string().starts_with(".")) {  // .git, and files of an editor
        if (it->is_directory(error)) it.disable_recursion_pending();
        continue;
      }
      const std::string below = name + "/" + it->path().lexically_relative(folder).string();
      if (!it->is_regular_file(error) || to_.Has(below)) continue;
      const bool is_executable = (it->status(error).permissions() & fs::perms::owner_exec) != fs::perms::none;
      to_.AddFile(below, it->path(), is_executable);
    }
    if (error) to_.Fail({ErrorKind::kMachine, fmt::format("{}: {}", folder.string(), error.message())});
  }

  void AddKit() {
    std::vector<std::string> labs;
    for (const auto& [lab, rungs] : bundle_.labs) labs.push_back(lab);
    to_.AddProgram(bundle_.kit, bundle_.executable, labs);
    to_.Add("kit/share/warpgrade/kit.yaml", kKitYaml);
  }

  void AddCourse() {
    if (bundle_.readers == Readers::kStaff) {
      return to_.AddText("course.yaml", config::CourseWithItsLabs(bundle_.course_yaml));
    }
    to_.AddText("course.yaml", config::CourseForStudents(bundle_.course_yaml));
  }

  void AddLabFile(const std::string& name) { to_.AddFile("labs/" + name, fs::path(bundle_.kit.labs_dir) / name); }

  bool IsThere(const fs::path& path) const {
    std::error_code ignored;
    return fs::exists(path, ignored);
  }

  // The handout, the quiz, the poll, the headers that rungs include, and the files to edit.
  void AddLab(const std::string& lab, const std::vector<std::string>& rungs) {
    const fs::path folder = bundle_.kit.LabFolder(lab);
    if (bundle_.kit.outside.contains(lab)) {
      AddOutsideLab(lab, folder);
    } else {
      AddLabFile(lab + "/README.md");
      AddLabFile(lab + "/cases.yaml");
    }
    if (IsThere(folder / "quiz.yaml")) {
      const std::string name = "labs/" + lab + "/quiz.yaml";
      if (bundle_.readers == Readers::kStaff) {
        to_.AddFile(name, folder / "quiz.yaml");
      } else {
        to_.AddText(name, config::QuizForStudents((folder / "quiz.yaml").string()));
      }
    }
    if (IsThere(folder / "poll.yaml")) to_.AddFile("labs/" + lab + "/poll.yaml", folder / "poll.yaml");
    AddHeader("labs/" + lab + "/" + lab + ".h");
    if (IsThere(folder / "tolerance.h")) AddLabFile(lab + "/tolerance.h");  // to read: handouts name it
    const fs::path starter = bundle_.kit.StarterOf(lab);
    for (const std::string& rung : rungs) {
      const std::string file = rung + ".cu";
      if (IsThere(starter / file)) to_.AddFile(fmt::format("starter/{}/{}", lab, file), starter / file);
    }
    if (IsThere(starter / "answers.yaml")) to_.AddFile("starter/" + lab + "/answers.yaml", starter / "answers.yaml");
  }

  // What describes a lab outside of the kit, and the headers that its adapter needs. Students get no hidden cases.
  void AddOutsideLab(const std::string& lab, const fs::path& folder) {
    const std::string below = "labs/" + lab + "/";
    if (IsThere(folder / "README.md")) to_.AddFile(below + "README.md", folder / "README.md");
    to_.AddFile(below + "reference.cc", folder / "reference.cc");
    for (const char* header : {"grader/lab/call.h", "labs/support/launch_error.h"}) AddHeader(header);
    if (bundle_.readers == Readers::kStudents) {
      return to_.AddText(below + config::kLabFileName,
                         config::LabForStudents((folder / config::kLabFileName).string()));
    }
    AddFolder("labs/" + lab, folder);
  }

  void AddHeader(const std::string& header) { to_.AddHeader(header, bundle_.kit.HeaderFolders()); }

  void AddDocuments() {
    const fs::path root = bundle_.kit.include_dirs.empty() ? fs::path() : fs::path(bundle_.kit.include_dirs.front());
    to_.AddFile("LICENSE", root / "LICENSE");
    for (const char* name :
         {"students.md", "pictures.md", "emulator.md", "timing.md", "block.png", "handout.png", "occupancy.png",
          "plot.png", "program.png", "report.png", "steps.png", "study.png", "ui.png"}) {
      to_.AddFile(std::string("docs/") + name, root / "docs" / name);
    }
    to_.AddFile("hip/hip_runtime.h", root / "hip/hip_runtime.h");
    if (bundle_.readers != Readers::kStaff) return;  // hip/reduction.hip shows what lab1 asks for
    AddFolder("docs", root / "docs");
    to_.AddFile("hip/reduction.hip", root / "hip/reduction.hip");
  }

  void AddTemplates() {
    std::string labs, tests = "# Written by `warpgrade release`: the tests of the labs that `make` has checked.\n";
    for (const auto& [lab, rungs] : bundle_.labs) {
      labs += (labs.empty() ? "" : " ") + lab;
      tests += fmt::format("if(EXISTS .warpgrade/made/{})\n", lab);
      for (const std::string& rung : rungs) {
        for (const char* part : {"correctness", "technique"}) {
          tests += fmt::format(
              "  add_test({0}.{1}.{2} ./warpgrade check {0} {1} --part {2})\n"
              "  set_tests_properties({0}.{1}.{2} PROPERTIES SKIP_RETURN_CODE 77 LABELS {0})\n",
              lab, rung, part);
        }
      }
      tests += "endif()\n";
    }
    const std::string first = bundle_.labs.empty() ? "lab1" : bundle_.labs.begin()->first;
    const std::vector<std::pair<std::string, std::string>> values = {
        {"@COURSE@", bundle_.course_name}, {"@LABS@", labs}, {"@FIRST_LAB@", first}};
    to_.Add("README.md", Filled(bundle_.readers == Readers::kStaff ? kStaffReadme : kStudentsReadme, values));
    to_.Add("warpgrade", std::string(kLauncher), true);
    to_.Add("Makefile", Filled(kMakefile, values));
    to_.Add("CTestTestfile.cmake", tests);
    to_.Add(".gitignore", std::string(kGitignore));
    to_.Add(".github/workflows/check.yml", Filled(kWorkflow, values));
    to_.Add(".devcontainer/devcontainer.json", std::string(kDevcontainer));
    to_.Add(".devcontainer/Dockerfile", std::string(kDockerfile));
  }

  const Bundle& bundle_;
  config::KitFiles to_;
};

}  // namespace

Result<std::vector<BundleFile>> ContentsOf(const Bundle& bundle) { return Contents(bundle).Take(); }

}  // namespace warpgrade::release
