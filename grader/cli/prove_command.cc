// `warpgrade prove LAB`: the author's one command. prove.h says what it tries. Tests: tests/cli/author_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/device_option.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/progress.h"
#include "grader/cli/prove.h"
#include "grader/desk/new_files.h"
#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

struct ProveCommandOptions {
  std::string lab, course_yaml;
  bool write = false, strict = false;
  ProveOptions how;
};

// Writes what is made of other files: the table of points.
Status WriteTables(const LabToAuthor& lab) {
  const std::string path = lab.kit.LabFolder(lab.lab) + "/README.md";
  const auto readme = build::ReadWholeFile(path);
  if (!readme || !lab.kit.outside.contains(lab.lab)) return Status();
  const std::string fresh = desk::WithPointsTable(*readme, *lab.course.FindLab(lab.lab));
  return fresh == *readme ? Status() : build::WriteWholeFile(path, fresh);
}

const char* Word(Proof::Verdict verdict) {
  switch (verdict) {
    case Proof::Verdict::kHolds:
      return "ok";
    case Proof::Verdict::kFails:
      return "FAILS";
    case Proof::Verdict::kNotMeasured:
      break;
  }
  return "-";
}

int RunProve(ProveCommandOptions options) {
  const Result<LabToAuthor> lab = FindLabToAuthor(options.lab, options.course_yaml);
  if (!lab) return Fail(lab.error());
  if (options.write) {
    if (const Status written = WriteTables(*lab); !written.ok()) return Fail(written.error());
  }
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  options.how.cancel = &CatchInterrupts();
  options.how.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  const auto proofs = Prove(*lab, options.how);
  progress.Clear();
  if (!proofs) return options.how.cancel->load() ? kInterrupted : Fail(proofs.error());
  fmt::print("{} {}\n", lab->lab, lab->course.FindLab(lab->lab)->title);
  size_t failed = 0, notes = 0;
  for (const Proof& proof : *proofs) {
    fmt::print("  {:<5}  {:<14}  {}\n", Word(proof.verdict), proof.what, proof.found);
    for (const std::string& mistake : proof.mistakes) fmt::print("           {}\n", mistake);
    for (const std::string& note : proof.notes) fmt::print("           note: {}\n", note);
    failed += proof.verdict == Proof::Verdict::kFails ? 1 : 0;
    notes += proof.notes.size();
  }
  std::string sum = failed == 0 ? "proved" : Counted(failed, "promise") + " broken";
  if (notes > 0) sum.append(", with ").append(Counted(notes, "note"));
  fmt::print("{}\n", sum);
  return failed > 0 || (options.strict && notes > 0) ? kUsage : kDone;
}

}  // namespace

void AddProveCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("prove", "Prove a lab: solutions, starter files, wrong programs, thresholds, handout");
  command->footer(
      "Examples:\n"
      "  warpgrade prove ../dot                    a lab outside of the kit, by its folder\n"
      "  warpgrade prove lab2                      a lab of course.yaml\n"
      "  warpgrade prove dot --course course.yaml  with the rules of this course\n"
      "\n"
      "The lab's own programs run without a sandbox. Thresholds are compared on a GPU only. A note says what you "
      "should\n"
      "look at although all promises hold.\n"
      "\n"
      "Exit status: 0 all of it holds; 2 something does not, or the lab's files have mistakes; 3 the machine failed;\n"
      "130 interrupted (Ctrl-C).");
  auto options = std::make_shared<ProveCommandOptions>();
  command->add_option("lab", options->lab, "The folder of a lab, or its name in course.yaml")
      ->required()
      ->type_name("LAB");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->add_flag("--write", options->write, "First write the table of points into the handout");
  command->add_flag("--strict", options->strict, "Fail on notes, too");
  AddDeviceOption(*command, &options->how.device);
  command->callback([options, exit_code] { *exit_code = RunProve(*options); });
}

}  // namespace warpgrade::cli
