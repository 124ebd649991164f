// Takes the files one by one, by their names, so that nothing gets into the zip by chance. Headers are followed from
// the lab's own header. Tests: tests/autograder/autograder_command_test.cc.
#include "grader/autograder/contents.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "grader/config/course.h"
#include "grader/config/students_text.h"

namespace warpgrade::autograder {
namespace {

namespace fs = std::filesystem;

// Where the parts of the kit lie in the zip, as grader/config/kit.cmake lays out an installed kit.
constexpr const char* kKitYaml = R"(# Written by `warpgrade autograder`. Relative paths start at the folder of share/.
labs: share/warpgrade/labs
course: share/warpgrade/course.yaml
solutions: share/warpgrade/solutions
starter: share/warpgrade/starter
emulator_library: lib/warpgrade/emulator
worker: lib/warpgrade/libwarpgrade_worker.a
calibrator: lib/warpgrade/calibrator
adapter: lib/warpgrade/lib{lab}_adapter.a
include: [share/warpgrade]
)";

class Contents {
 public:
  void Add(std::string name, std::string content, bool executable = false) {
    entries_.push_back({std::move(name), std::move(content), executable});
  }

  // Adds the file at `path`. Remembers the first one that cannot be read.
  void AddFile(const std::string& name, const std::string& path, bool executable = false) {
    std::optional<std::string> content = Read(path);
    if (content) Add(name, std::move(*content), executable);
  }

  // Remembers the error if there is no text.
  void AddText(const std::string& name, Result<std::string> text) {
    if (text) {
      Add(name, std::move(*text));
    } else if (!error_) {
      error_ = text.error();
    }
  }

  // Adds a header, and those of the kit that it includes, from the first of `folders` that has it.
  void AddHeader(const std::string& header, const std::vector<std::string>& folders) {
    if (!headers_.insert(header).second) return;
    std::error_code ignored;
    std::string path = folders.empty() ? header : folders.front() + "/" + header;
    for (const std::string& folder : folders) {
      const fs::path there = fs::path(folder) / header;
      if (fs::exists(there, ignored)) path = there.string();
    }
    const std::optional<std::string> content = Read(path);
    if (!content) return;
    static const std::regex kInclude(R"re(#include "((?:labs|grader)/[^"]+)")re");
    for (std::sregex_iterator it(content->begin(), content->end(), kInclude), end; it != end; ++it) {
      AddHeader((*it)[1].str(), folders);
    }
    Add("kit/share/warpgrade/" + header, *content);
  }

  Result<std::vector<ZipEntry>> Take() {
    if (error_) return *error_;
    return std::move(entries_);
  }

 private:
  std::optional<std::string> Read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(in), {}};
    std::error_code error;
    if (in.bad() || !fs::is_regular_file(path, error)) {
      if (!error_) {
        error_ =
            Error{ErrorKind::kMachine, fmt::format("{}: it cannot be read; build the kit, or install it again", path)};
      }
      return std::nullopt;
    }
    return content;
  }

  std::vector<ZipEntry> entries_;
  std::set<std::string> headers_;
  std::optional<Error> error_;  // the first one
};

// The course's rules and what is the lab's: for students without what only the staff may see.
void AddLab(const Autograder& autograder, Contents* contents) {
  const config::Kit& kit = autograder.kit;
  const std::string& lab = autograder.facts.lab;
  const bool for_students = autograder.students_read_it;
  contents->AddText("kit/share/warpgrade/course.yaml", for_students
                                                           ? config::CourseForStudents(autograder.course_yaml)
                                                           : config::CourseWithItsLabs(autograder.course_yaml));
  const std::string folder = kit.LabFolder(lab) + "/", below = "kit/share/warpgrade/labs/" + lab + "/";
  const auto add = [&](const std::string& name, Result<std::string> (*for_readers)(const std::string&)) {
    std::error_code ignored;
    if (!fs::exists(folder + name, ignored)) return;
    if (for_students) return contents->AddText(below + name, for_readers(folder + name));
    contents->AddFile(below + name, folder + name);
  };
  add("quiz.yaml", config::QuizForStudents);
  if (!kit.outside.contains(lab)) return contents->AddHeader("labs/" + lab + "/" + lab + ".h", kit.include_dirs);
  add(config::kLabFileName, config::LabForStudents);
  contents->AddFile(below + "reference.cc", folder + "reference.cc");
  std::error_code ignored;
  if (!for_students && fs::exists(folder + "hidden.yaml", ignored)) {
    contents->AddFile(below + "hidden.yaml", folder + "hidden.yaml");
  }
  for (const char* header : {"grader/lab/call.h", "labs/support/launch_error.h", "labs/not_written.h"}) {
    contents->AddHeader(header, kit.include_dirs);
  }
}

}  // namespace

Result<std::vector<ZipEntry>> ContentsOf(const Autograder& autograder, const std::string& executable) {
  const config::Kit& kit = autograder.kit;
  const std::string& lab = autograder.facts.lab;
  Contents contents;
  contents.Add("setup.sh", SetupScript(autograder.facts), true);
  contents.Add("run_autograder", RunAutograderScript(autograder.facts), true);
  contents.Add("grade_push", GradePushScript(autograder.facts), true);
  if (!autograder.roster.empty()) contents.Add("roster.csv", autograder.roster);
  contents.AddFile("kit/bin/warpgrade", executable, true);
  const std::string libraries = "kit/lib/warpgrade/", share = "kit/share/warpgrade/";
  contents.AddFile(libraries + "libwarpgrade_worker.a", kit.worker_archive);
  contents.AddFile(libraries + "calibrator", kit.calibrator, true);
  if (!kit.outside.contains(lab)) {
    contents.AddFile(libraries + "lib" + lab + "_adapter.a", kit.adapter_archive(lab));
  }
  contents.AddFile(libraries + "emulator/libcudart.so.13", kit.emulator_library_dir + "/libcudart.so.13", true);
  contents.Add(share + "kit.yaml", kKitYaml);
  AddLab(autograder, &contents);
  return contents.Take();
}

}  // namespace warpgrade::autograder
