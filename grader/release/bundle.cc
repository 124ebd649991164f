// Takes the files for students one by one, by their names, so that nothing gets into the folder by chance. Headers are
// followed from each lab's own header. The staff get whole folders. Tests: tests/release/release_command_test.cc,
// which searches the folder with tests/release/find_secrets.py.
#include "grader/release/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
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
    if (error_) return *error_;
    std::vector<BundleFile> files;
    for (auto& [name, file] : files_) files.push_back(std::move(file));
    const auto has = [this](const std::string& name) {
      const auto next = files_.lower_bound(name);  // a file, or a folder with files
      return next != files_.end() && (next->first == name || next->first.starts_with(name + "/"));
    };
    for (BundleFile& file : files) {
      if (file.name.ends_with(".md")) file.content = MarkdownForReaders(file.name, file.content, has);
    }
    return files;
  }

 private:
  void Add(const std::string& name, std::string content, bool executable = false) {
    files_.insert_or_assign(name, BundleFile{name, std::move(content), executable});
  }

  void AddFile(const std::string& name, const fs::path& path, bool executable = false) {
    if (std::optional<std::string> content = Read(path)) Add(name, std::move(*content), executable);
  }

  void AddText(const std::string& name, Result<std::string> text) {
    if (text) {
      Add(name, std::move(*text));
    } else if (!error_) {
      error_ = text.error();
    }
  }

  // Remembers the first file that cannot be read.
  std::optional<std::string> Read(const fs::path& path) {
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(in), {}};
    if (fs::is_regular_file(path, error) && !in.bad()) return content;
    if (!error_) {
      error_ = Error{ErrorKind::kMachine,
                     fmt::format("{}: it cannot be read; build the kit, or install it again", path.string())};
    }
    return std::nullopt;
  }

  // All files below `folder` that are not there yet.
  void AddFolder(const std::string& name, const fs::path& folder) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().filename().string().starts_with(".")) {  // .git, and files of an editor
        if (it->is_directory(error)) it.disable_recursion_pending();
        continue;
      }
      const std::string below = name + "/" + it->path().lexically_relative(folder).string();
      if (!it->is_regular_file(error) || files_.contains(below)) continue;
      const bool is_executable = (it->status(error).permissions() & fs::perms::owner_exec) != fs::perms::none;
      AddFile(below, it->path(), is_executable);
    }
    if (error && !error_) error_ = Error{ErrorKind::kMachine, fmt::format("{}: {}", folder.string(), error.message())};
  }

  void AddKit() {
    const config::Kit& kit = bundle_.kit;
    const std::string libraries = "kit/lib/warpgrade/";
    AddFile("kit/bin/warpgrade", bundle_.executable, true);
    AddFile(libraries + "libwarpgrade_worker.a", kit.worker_archive);
    AddFile(libraries + "calibrator", kit.calibrator, true);
    for (const auto& [lab, rungs] : bundle_.labs) {
      if (kit.outside.contains(lab)) continue;  // the kit compiles it where it is used
      AddFile(fmt::format("{}lib{}_adapter.a", libraries, lab), kit.adapter_archive(lab));
    }
    AddFile(libraries + "emulator/libcudart.so.13", kit.emulator_library_dir + "/libcudart.so.13", true);
    Add("kit/share/warpgrade/kit.yaml", kKitYaml);
  }

  void AddCourse() {
    if (bundle_.readers == Readers::kStaff) {
      return AddText("course.yaml", config::CourseWithItsLabs(bundle_.course_yaml));
    }
    AddText("course.yaml", config::CourseForStudents(bundle_.course_yaml));
  }

  void AddLabFile(const std::string& name) { AddFile("labs/" + name, fs::path(bundle_.kit.labs_dir) / name); }

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
        AddFile(name, folder / "quiz.yaml");
      } else {
        AddText(name, config::QuizForStudents((folder / "quiz.yaml").string()));
      }
    }
    if (IsThere(folder / "poll.yaml")) AddFile("labs/" + lab + "/poll.yaml", folder / "poll.yaml");
    AddHeader("labs/" + lab + "/" + lab + ".h");
    if (IsThere(folder / "tolerance.h")) AddLabFile(lab + "/tolerance.h");  // to read: handouts name it
    const fs::path starter = bundle_.kit.StarterOf(lab);
    for (const std::string& rung : rungs) {
      const std::string file = rung + ".cu";
      if (IsThere(starter / file)) AddFile(fmt::format("starter/{}/{}", lab, file), starter / file);
    }
    if (IsThere(starter / "answers.yaml")) AddFile("starter/" + lab + "/answers.yaml", starter / "answers.yaml");
  }

  // What describes a lab outside of the kit, and the headers that its adapter needs. Students get no hidden cases.
  void AddOutsideLab(const std::string& lab, const fs::path& folder) {
    const std::string below = "labs/" + lab + "/";
    if (IsThere(folder / "README.md")) AddFile(below + "README.md", folder / "README.md");
    AddFile(below + "reference.cc", folder / "reference.cc");
    for (const char* header : {"grader/lab/call.h", "labs/support/launch_error.h"}) AddHeader(header);
    if (bundle_.readers == Readers::kStudents) {
      return AddText(below + config::kLabFileName, config::LabForStudents((folder / config::kLabFileName).string()));
    }
    AddFolder("labs/" + lab, folder);
  }

  // A header, and those of the kit that it includes, from the first of the folders that has it.
  void AddHeader(const std::string& header) {
    if (files_.contains(header)) return;
    const std::vector<std::string> folders = bundle_.kit.HeaderFolders();
    const auto there = std::find_if(folders.begin(), folders.end(),
                                    [&](const std::string& folder) { return IsThere(fs::path(folder) / header); });
    const fs::path path = there == folders.end() ? fs::path(header) : fs::path(*there) / header;
    const std::optional<std::string> content = Read(path);
    if (!content) return;
    Add(header, *content);
    static const std::regex kInclude(R"re(#include "((?:labs|grader)/[^"]+)")re");
    for (std::sregex_iterator it(content->begin(), content->end(), kInclude), end; it != end; ++it) {
      AddHeader((*it)[1].str());
    }
  }

  void AddDocuments() {
    const fs::path root = bundle_.kit.include_dirs.empty() ? fs::path() : fs::path(bundle_.kit.include_dirs.front());
    AddFile("LICENSE", root / "LICENSE");
    for (const char* name : {"students.md", "emulator.md", "timing.md", "report.png"}) {
      AddFile(std::string("docs/") + name, root / "docs" / name);
    }
    if (bundle_.readers == Readers::kStaff) AddFolder("docs", root / "docs");
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
    Add("README.md", Filled(bundle_.readers == Readers::kStaff ? kStaffReadme : kStudentsReadme, values));
    Add("warpgrade", std::string(kLauncher), true);
    Add("Makefile", Filled(kMakefile, values));
    Add("CTestTestfile.cmake", tests);
    Add(".gitignore", std::string(kGitignore));
    Add(".github/workflows/check.yml", Filled(kWorkflow, values));
    Add(".devcontainer/devcontainer.json", std::string(kDevcontainer));
    Add(".devcontainer/Dockerfile", std::string(kDockerfile));
  }

  const Bundle& bundle_;
  std::map<std::string, BundleFile> files_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<BundleFile>> ContentsOf(const Bundle& bundle) { return Contents(bundle).Take(); }

}  // namespace warpgrade::release
