#include "grader/cli/lab_files.h"

#include <utility>

#include "grader/quiz/marks.h"

namespace warpgrade::cli {

std::vector<submission::LabFiles> FilesOf(const std::vector<config::Lab>& labs) {
  std::vector<submission::LabFiles> files;
  for (const config::Lab& lab : labs) {
    submission::LabFiles wanted{lab.name, {}, {}};
    for (const config::Rung& rung : lab.rungs) wanted.rungs.push_back(rung.name);
    if (lab.quiz) wanted.others = {quiz::kAnswersFile};
    files.push_back(std::move(wanted));
  }
  return files;
}

}  // namespace warpgrade::cli
