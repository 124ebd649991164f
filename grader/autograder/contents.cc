// Takes the files one by one, by their names, so that nothing gets into the zip by chance. Tests:
// tests/autograder/autograder_command_test.cc.
#include "grader/autograder/contents.h"

#include <filesystem>
#include <utility>

#include "grader/config/course.h"
#include "grader/config/kit_files.h"
#include "grader/config/students_text.h"

namespace warpgrade::autograder {
namespace {

namespace fs = std::filesystem;

const std::string kShare = "kit/share/warpgrade/";

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

// The course's rules and what is the lab's: for students without what only the staff may see.
void AddLab(const Autograder& autograder, config::KitFiles* contents) {
  const config::Kit& kit = autograder.kit;
  const std::string& lab = autograder.facts.lab;
  const bool for_students = autograder.students_read_it;
  contents->AddText(kShare + "course.yaml", for_students ? config::CourseForStudents(autograder.course_yaml)
                                                         : config::CourseWithItsLabs(autograder.course_yaml));
  const std::string folder = kit.LabFolder(lab) + "/", below = kShare + "labs/" + lab + "/";
  const auto add = [&](const std::string& name, Result<std::string> (*for_readers)(const std::string&)) {
    std::error_code ignored;
    if (!fs::exists(folder + name, ignored)) return;
    if (for_students) return contents->AddText(below + name, for_readers(folder + name));
    contents->AddFile(below + name, folder + name);
  };
  add("quiz.yaml", config::QuizForStudents);
  if (!kit.outside.contains(lab))
    return contents->AddHeader("labs/" + lab + "/" + lab + ".h", kit.include_dirs, kShare);
  add(config::kLabFileName, config::LabForStudents);
  contents->AddFile(below + "reference.cc", folder + "reference.cc");
  std::error_code ignored;
  if (!for_students && fs::exists(folder + "hidden.yaml", ignored)) {
    contents->AddFile(below + "hidden.yaml", folder + "hidden.yaml");
  }
  for (const char* header : {"grader/lab/call.h", "labs/support/launch_error.h", "labs/not_written.h"}) {
    contents->AddHeader(header, kit.include_dirs, kShare);
  }
}

}  // namespace

Result<std::vector<ZipEntry>> ContentsOf(const Autograder& autograder, const std::string& executable) {
  config::KitFiles contents;
  contents.Add("setup.sh", SetupScript(autograder.facts), true);
  contents.Add("run_autograder", RunAutograderScript(autograder.facts), true);
  contents.Add("grade_push", GradePushScript(autograder.facts), true);
  if (!autograder.roster.empty()) contents.Add("roster.csv", autograder.roster);
  contents.AddProgram(autograder.kit, executable, {autograder.facts.lab});
  contents.Add(kShare + "kit.yaml", kKitYaml);
  AddLab(autograder, &contents);
  auto files = contents.Take();
  if (!files) return files.error();
  std::vector<ZipEntry> entries;
  for (config::KitFile& file : *files)
    entries.push_back({std::move(file.name), std::move(file.content), file.executable});
  return entries;
}

}  // namespace warpgrade::autograder
