// What `warpgrade run --html` writes: findings and profile of a run, as the data of report::ProgramPage.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/finding_file.h"
#include "grader/cli/profile.h"
#include "grader/cli/source_lines.h"
#include "grader/report/html_program.h"

namespace warpgrade::cli {

// What a run on the emulator left.
struct RunOutcome {
  std::vector<std::string> program;  // with its arguments
  const std::vector<SeenFinding>& findings;
  const std::vector<emulator::LaunchRecord>& launches;
  const DeviceModel& gpu;
  std::vector<std::string> notes;  // how it ended
};

// Reads the sources that findings and counts name, if they have the name of a source (`.cu`, `.h`, ...): a program
// decides which files it names, and others may see the page.
report::ProgramPage MakeProgramPage(const RunOutcome& outcome, SourceLines& source);

// The kernels of `profile` below the roofs of its GPU. Nothing is timed, so each point is the most that the roofs
// allow. nullopt: no kernel both computes and moves bytes.
std::optional<plot::Chart> RooflineOf(const Profile& profile);

}  // namespace warpgrade::cli
