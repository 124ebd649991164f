// Grades the solutions, the starter files and all other programs of a lab in one session: each kind is a submission of
// its own, and of several wrong programs for one rung each is in another one, so that few runs of the compiler are
// enough. Tests: tests/cli/author_test.cc.
#include "grader/cli/prove.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "grader/cli/answer_checks.h"
#include "grader/cli/finding_advice.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/prove_files.h"
#include "grader/cli/quiz_session.h"
#include "grader/cli/told.h"
#include "grader/described/texts.h"
#include "grader/desk/mutants.h"
#include "grader/desk/new_files.h"
#include "grader/quiz/marks.h"
#include "grader/quiz/sheet.h"
#include "grader/result/counted.h"
#include "grader/sandbox/process.h"
#include "grader/score/throughput.h"
#include "grader/starter/starter.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using score::RungScore;
using score::RungStatus;
using Verdict = Proof::Verdict;

constexpr int64_t kMostTablesMs = 60'000;
constexpr char kSolutions[] = "solutions", kStarter[] = "starter";
// The solutions once more, since each grading draws the hidden cases and all values anew; and each as the next rung.
constexpr const char* kAgain[] = {"solutions_again", "solutions_once_more"};
constexpr char kBefore[] = "rung_before";

std::string LineOf(const std::string& text, int number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number; ++i) {
    if (!std::getline(lines, line)) return "";
  }
  return line;
}

Proof Made(std::string what, std::string found, std::vector<std::string> mistakes,
           std::vector<std::string> notes = {}) {
  const Verdict verdict = mistakes.empty() ? Verdict::kHolds : Verdict::kFails;
  return {std::move(what), verdict, std::move(found), std::move(mistakes), std::move(notes)};
}

Proof NotMeasured(std::string what, std::string found) {
  return {std::move(what), Verdict::kNotMeasured, std::move(found), {}, {}};
}

class Prover {
 public:
  Prover(const LabToAuthor& lab, const ProveOptions& options)
      : lab_(lab), options_(options), rules_(*lab.course.FindLab(lab.lab)), folder_(lab.kit.LabFolder(lab.lab)) {}

  Result<std::vector<Proof>> Run() {
    Result<build::WorkDirectory> work = build::WorkDirectory::Create();
    if (!work) return work.error();
    class_ = work->path() / "class";
    if (Status written = WriteSubmissions(); !written.ok()) return written.error();
    if (Status graded = Grade(); !graded.ok()) return graded.error();
    std::vector<Proof> proofs = {OfFiles(),      StarterIsFresh(), OfSolutions(),    OfOtherValues(),
                                 OfStarter(),    OfMutants(),      OfAlternatives(), OfLadder(),
                                 OfThresholds(), OfQuiz(),         OfHandout()};
    if (Proof reference = OfReference(); !reference.found.empty()) proofs.push_back(std::move(reference));
    return proofs;
  }

 private:
  Status Write(const std::string& submission, const std::string& file, const std::string& text) {
    return build::WriteWholeFile(class_ / submission / lab_.lab / file, text);
  }

  Status WriteSubmissions() {
    const std::string solutions = lab_.kit.SolutionsOf(lab_.lab);
    std::vector<std::pair<std::string, std::string>> all = {{kSolutions, solutions},
                                                            {kStarter, lab_.kit.StarterOf(lab_.lab)}};
    for (const char* again : kAgain) all.emplace_back(again, solutions);
    for (const auto& [submission, from] : all) {
      fs::create_directories(class_ / submission / lab_.lab);
      for (const config::Rung& rung : rules_.rungs) {
        const std::string file = rung.name + ".cu";
        const auto text = build::ReadWholeFile(fs::path(from) / file);
        if (!text) continue;  // it gets no points, which is said
        if (Status written = Write(submission, file, *text); !written.ok()) return written;
      }
    }
    for (size_t i = 1; i < rules_.rungs.size(); ++i) {
      const auto text = build::ReadWholeFile(fs::path(solutions) / (rules_.rungs[i - 1].name + ".cu"));
      if (!text || !IsSeparatedByLimits(rules_.rungs[i])) continue;
      if (Status written = Write(kBefore, rules_.rungs[i].name + ".cu", *text); !written.ok()) return written;
    }
    if (Status written = WriteAnswers(); !written.ok()) return written;
    if (Status written = WriteMutants(); !written.ok()) return written;
    return WriteAlternatives();
  }

  // The right answers of the student whose submission the solutions are.
  Status WriteAnswers() {
    if (!rules_.quiz) return Status();
    const auto quiz = FindQuiz(lab_.kit, lab_.lab);
    if (!quiz) {
      quiz_mistake_ = quiz.error().message;
      return Status();
    }
    questions_ = quiz->questions.size();
    return Write(kSolutions, quiz::kAnswersFile,
                 quiz::AnsweredSheet(*quiz, StudentOf(lab_.course, kSolutions), "warpgrade prove"));
  }

  Status WriteMutants() {
    const std::string folder = folder_ + "/mutants";
    auto mutants = desk::ReadMutants(folder);
    if (!mutants) {
      mutant_mistakes_.push_back(mutants.error().message);
      return Status();
    }
    const bool is_outside = lab_.kit.outside.contains(lab_.lab);
    const std::string root = is_outside ? folder_ : fs::path(lab_.kit.solutions_dir).parent_path().string();
    std::map<std::string, int> of_rung;
    for (desk::Mutant& mutant : *mutants) {
      const auto has = [&mutant](const config::Rung& rung) { return rung.name == mutant.rung(); };
      if (std::none_of(rules_.rungs.begin(), rules_.rungs.end(), has)) {
        mutant_mistakes_.push_back(
            fmt::format("{}: the lab has no rung '{}'; correct the name", mutant.name, mutant.rung()));
        continue;
      }
      const auto text = desk::MutantText(folder, mutant.name, root);
      if (!text) {
        mutant_mistakes_.push_back(text.error().message);
        continue;
      }
      const std::string submission = fmt::format("mutants_{}", ++of_rung[mutant.rung()]);
      if (Status written = Write(submission, mutant.rung() + ".cu", *text); !written.ok()) return written;
      mutants_.push_back({submission, std::move(mutant), *text});
    }
    return Status();
  }

  Status WriteAlternatives() {
    std::map<std::string, int> of_rung;
    std::error_code ignored;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ + "/alternatives", ignored)) {
      if (entry.path().extension() == ".cu") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      const std::string name = path.stem().string(), rung = name.substr(0, name.find("__"));
      const std::string submission = fmt::format("alternatives_{}", ++of_rung[rung]);
      if (Status written = Write(submission, rung + ".cu", build::ReadWholeFile(path).value_or("")); !written.ok())
        return written;
      alternatives_.push_back({submission, rung, name});
    }
    return Status();
  }

  Status Grade() {
    SessionOptions session;
    session.paths = {class_.string()};
    session.labs = {lab_.lab};
    session.course_yaml = lab_.course_yaml;
    session.device = options_.device;
    session.use_cache = options_.use_cache;
    session.believe_together = true;  // the course's own programs
    session.sandbox = Sandbox::kNone;
    session.cancel = options_.cancel;
    session.on_progress = options_.on_progress;
    if (lab_.kit.outside.contains(lab_.lab) && options_.on_progress) {
      options_.on_progress(0, 1, "compiling reference.cc, and running it in each public case");
    }
    Result<SessionResult> graded = RunSession(session);
    if (!graded) return graded.error();
    if (!graded->failures.empty()) return Error{ErrorKind::kUsage, graded->failures.front()};
    if (graded->interrupted) return Error{ErrorKind::kMachine, "interrupted"};
    report_ = std::move(graded->report);
    return Status();
  }

  // nullptr: it was not graded.
  const RungScore* Find(const std::string& submission, const std::string& rung) const {
    for (const score::SubmissionScore& one : report_.submissions) {
      if (one.id != submission) continue;
      for (const score::LabScore& lab : one.labs) {
        for (const RungScore& of : lab.rungs) {
          if (of.rung == rung) return &of;
        }
      }
    }
    return nullptr;
  }

  // Whether its limits alone must tell it from the rung before. On a GPU a speed does it, see OfThresholds.
  static bool IsSeparatedByLimits(const config::Rung& rung) { return rung.throughput == config::Points(); }

  // The header of a lab outside of the kit is made of lab.yaml, and stands in its folder to be read.
  std::string StaleHeader() const {
    if (!lab_.kit.outside.contains(lab_.lab)) return "";
    const auto description = described::ReadDescription(folder_);
    const std::string path = fmt::format("{}/{}.h", folder_, lab_.lab);
    if (!description || build::ReadWholeFile(path) == described::HeaderText(*description)) return "";
    return path + " is not what lab.yaml gives; run `warpgrade make-starter --course FILE`";
  }

  Proof OfFiles() const {
    std::vector<std::string> mistakes = FilesOfNoRung(lab_);
    for (std::string& unknown : UnknownNames(lab_)) mistakes.push_back(std::move(unknown));
    std::vector<std::string> notes = LeftToDo(lab_);
    for (std::string& unseen : HintsThatNobodySees(lab_)) notes.push_back(std::move(unseen));
    return Made("files", "each belongs to a rung", std::move(mistakes), std::move(notes));
  }

  Proof StarterIsFresh() const {
    std::vector<std::string> mistakes = StartersThatSayNothing(lab_);
    if (const std::string header = StaleHeader(); !header.empty()) mistakes.push_back(header);
    for (const config::Rung& rung : rules_.rungs) {
      const std::string file = rung.name + ".cu", path = lab_.kit.SolutionsOf(lab_.lab) + "/" + file;
      const auto solution = build::ReadWholeFile(path);
      if (!solution) {
        mistakes.push_back(path + ": it is not there or cannot be read; write the solution of this rung");
        continue;
      }
      const auto made = starter::MakeStarter(fmt::format("solutions/{}/{}", lab_.lab, file), *solution);
      if (!made) {
        mistakes.push_back(made.error().message);
      } else if (build::ReadWholeFile(lab_.kit.StarterOf(lab_.lab) + "/" + file) != *made) {
        mistakes.push_back(fmt::format("starter/{}/{} is not what the solution gives; run `warpgrade make-starter{}`",
                                       lab_.lab, file, lab_.kit.outside.contains(lab_.lab) ? " --course FILE" : ""));
      }
    }
    return Made("starter files", Counted(rules_.rungs.size(), "file"), std::move(mistakes));
  }

  Proof OfSolutions() const {
    std::vector<std::string> mistakes;
    config::Points got, most;
    for (const config::Rung& rung : rules_.rungs) {
      const RungScore* const of = Find(kSolutions, rung.name);
      if (of == nullptr) continue;
      got += of->points;
      most += of->measurable_points;
      if (of->points == of->measurable_points && of->measurement.status == RungStatus::kPassed) continue;
      mistakes.push_back(
          fmt::format("{}: {} of {} points: {}; correct the solution, or what lab.yaml or course.yaml asks", rung.name,
                      of->points.ToString(), of->measurable_points.ToString(), FirstTold(*of)));
    }
    return Made("solutions", fmt::format("{}/{} points", got.ToString(), most.ToString()), std::move(mistakes));
  }

  // Of the solution, in each of its gradings.
  std::vector<std::pair<std::string, const RungScore*>> Gradings(const config::Rung& rung) const {
    std::vector<std::pair<std::string, const RungScore*>> gradings = {{kSolutions, Find(kSolutions, rung.name)}};
    for (const char* again : kAgain) gradings.emplace_back(again, Find(again, rung.name));
    std::erase_if(gradings, [](const auto& one) { return one.second == nullptr; });
    return gradings;
  }

  // A tolerance that is too tight, or an answer that is right by luck, shows in some draws only.
  Proof OfOtherValues() const {
    std::vector<std::string> mistakes;
    for (const config::Rung& rung : rules_.rungs) {
      const auto gradings = Gradings(rung);
      const auto is_right = [](const auto& one) { return one.second->measurement.status == RungStatus::kPassed; };
      const auto right = static_cast<size_t>(std::count_if(gradings.begin(), gradings.end(), is_right));
      const auto wrong = std::find_if_not(gradings.begin(), gradings.end(), is_right);
      const std::string told = wrong == gradings.end() ? "" : FirstTold(*wrong->second);
      std::string mistake = RightByLuck(rung.name, right, gradings.size(), told);
      if (!mistake.empty()) mistakes.push_back(std::move(mistake));
    }
    return Made("other values", fmt::format("{} gradings of the solutions agree", 1 + std::size(kAgain)),
                std::move(mistakes));
  }

  // How much of the tolerance the solutions need, and how long the reference takes. Only labs outside of the kit say
  // it.
  Proof OfReference() const {
    score::AnswerChecks all;
    std::string closest_rung;
    for (const config::Rung& rung : rules_.rungs) {
      for (const auto& [submission, graded] : Gradings(rung)) {
        const score::AnswerChecks& one = graded->measurement.checks;
        if (one.reference_s > all.reference_s) {
          all.reference_s = one.reference_s;
          all.slowest = one.slowest;
        }
        if (one.tolerance_used && (!all.tolerance_used || *one.tolerance_used > *all.tolerance_used)) {
          all.tolerance_used = one.tolerance_used;
          all.closest = one.closest;
          closest_rung = rung.name;
        }
      }
    }
    return Made("reference", ChecksWords(all), {}, ChecksNotes(all, closest_rung));
  }

  Proof OfLadder() const {
    std::vector<std::string> notes;
    size_t of = 0;
    for (size_t i = 1; i < rules_.rungs.size(); ++i) {
      const config::Rung &rung = rules_.rungs[i], &before = rules_.rungs[i - 1];
      if (!IsSeparatedByLimits(rung)) continue;
      ++of;
      const RungScore* const graded = Find(kBefore, rung.name);
      if (graded == nullptr || graded->measurement.status != RungStatus::kPassed ||
          graded->points < graded->max_points) {
        continue;
      }
      notes.push_back(
          fmt::format("{}: the solution of {}, handed in as {}, gets all {} points, so no limit separates "
                      "them; add a limit that {} misses, or tighten one",
                      rung.name, before.name, rung.name, graded->max_points.ToString(), before.name));
    }
    if (of == 0) return Made("ladder", "no rung that limits must separate from the one before", {});
    std::string found = fmt::format("limits separate {} of {} rungs from the rung before", of - notes.size(), of);
    return Made("ladder", std::move(found), {}, std::move(notes));
  }

  Proof OfStarter() const {
    std::vector<std::string> mistakes;
    for (const config::Rung& rung : rules_.rungs) {
      const RungScore* const of = Find(kStarter, rung.name);
      if (of == nullptr) continue;
      const RungStatus status = of->measurement.status;
      if (of->points != config::Points()) {
        mistakes.push_back(fmt::format("{}: the starter file gets {} points; leave out more of the solution", rung.name,
                                       of->points.ToString()));
      } else if (status == RungStatus::kCompileError || status == RungStatus::kRefused) {
        mistakes.push_back(fmt::format("{}: the starter file does not compile: {}; correct what is between the markers",
                                       rung.name, FirstTold(*of)));
      }
    }
    return Made("starter points", "none", std::move(mistakes));
  }

  struct HandedIn {
    std::string submission;
    desk::Mutant mutant;
    std::string text;
  };
  struct Alternative {
    std::string submission, rung, name;
  };

  // What is wrong with the outcome of a mutant; "": nothing.
  static std::string WrongWith(const HandedIn& one, const RungScore& rung) {
    const desk::Mutant& mutant = one.mutant;
    const RungStatus status = rung.measurement.status;
    if (status == RungStatus::kCompileError || status == RungStatus::kRefused)
      return "it does not compile: " + FirstTold(rung);
    std::set<std::string> missed;
    for (const score::TechniqueResult& limit : rung.technique) {
      if (!limit.passed) missed.insert(limit.metric);
    }
    if (mutant.lost == "correctness") {
      if (rung.points != config::Points() || status == RungStatus::kPassed)
        return fmt::format("it gets {} points, so nothing notices its mistake; add a case in which it shows",
                           rung.points.ToString());
    } else if (status != RungStatus::kPassed) {
      return fmt::format("its answers are wrong, but it must lose {}: {}", mutant.lost, FirstTold(rung));
    } else if (mutant.lost == "nothing") {
      if (rung.points != rung.measurable_points) return "it loses points, but the row says that it loses nothing";
    } else if (missed != mutant.metrics) {
      return fmt::format("it misses the limits on [{}], but the row says [{}]", fmt::join(missed, ", "),
                         fmt::join(mutant.metrics, ", "));
    }
    return WrongWords(one, rung);
  }

  static std::string WrongWords(const HandedIn& one, const RungScore& rung) {
    const std::regex message(one.mutant.message, std::regex::icase);
    const std::vector<std::string> told = Told(rung);
    const auto matches = [&message](const std::string& line) { return std::regex_search(line, message); };
    if (std::none_of(told.begin(), told.end(), matches)) {
      return fmt::format("nothing that the student is told matches '{}'; it begins with: {}", one.mutant.message,
                         FirstTold(rung));
    }
    if (one.mutant.finding.empty()) return "";
    for (const score::Finding& finding : rung.measurement.findings) {
      if (finding.kind == one.mutant.finding && LineOf(one.text, finding.line).find(one.mutant.at) != std::string::npos)
        return "";
    }
    return fmt::format("there is no finding {} at a line with '{}'", one.mutant.finding, one.mutant.at);
  }

  Proof OfMutants() const {
    std::vector<std::string> mistakes = mutant_mistakes_;
    size_t caught = 0;
    std::set<std::string> proved;
    for (const HandedIn& one : mutants_) {
      const RungScore* const rung = Find(one.submission, one.mutant.rung());
      const std::string wrong = rung == nullptr ? "it was not graded" : WrongWith(one, *rung);
      proved.insert(one.mutant.rung());
      if (wrong.empty()) {
        ++caught;
      } else {
        mistakes.push_back(one.mutant.name + ": " + wrong);
      }
    }
    for (const config::Rung& rung : rules_.rungs) {
      if (!proved.contains(rung.name))
        mistakes.push_back(
            fmt::format("{} has no mutant, so nothing shows that a wrong program loses points; write one in {}/mutants",
                        rung.name, folder_));
    }
    return Made("mutants", fmt::format("{} of {} are caught", caught, mutants_.size()), std::move(mistakes));
  }

  Proof OfAlternatives() const {
    std::vector<std::string> mistakes;
    for (const Alternative& one : alternatives_) {
      const RungScore* const rung = Find(one.submission, one.rung);
      if (rung == nullptr) {
        mistakes.push_back(fmt::format("{}: the lab has no rung '{}'; correct the name", one.name, one.rung));
      } else if (rung->measurement.status != RungStatus::kPassed || rung->points != rung->measurable_points) {
        mistakes.push_back(fmt::format("{}: it is right, but gets {} of {} points: {}; loosen what it misses", one.name,
                                       rung->points.ToString(), rung->measurable_points.ToString(), FirstTold(*rung)));
      }
    }
    return Made("alternatives", alternatives_.empty() ? "none" : Counted(alternatives_.size(), "program"),
                std::move(mistakes));
  }

  // Whether the solution of each rung gets all points of its scale, and the solution of the rung before does not.
  Proof OfThresholds() const {
    const auto has_scale = [](const config::Rung& rung) { return !rung.throughput_scales.empty(); };
    if (std::none_of(rules_.rungs.begin(), rules_.rungs.end(), has_scale)) return Made("thresholds", "none", {});
    if (report_.device.kind != "gpu") return NotMeasured("thresholds", "not measured here: no GPU");
    const score::ScoringContext context = ContextFor(lab_.course, report_.device, true);
    std::vector<std::string> mistakes;
    const score::ThroughputMeasurement* before = nullptr;
    size_t separated = 0, of = 0;
    for (const config::Rung& rung : rules_.rungs) {
      const RungScore* const graded = Find(kSolutions, rung.name);
      const config::ThroughputScale* const scale = score::FindScale(rung, context.target_id);
      if (graded == nullptr) continue;
      const score::ThroughputMeasurement& speed = graded->measurement.throughput;
      if (scale != nullptr && rung.throughput != config::Points()) {
        ++of;
        const bool is_full = score::ThroughputPoints(*scale, rung.throughput, speed) == rung.throughput;
        const bool before_too =
            before != nullptr && score::ThroughputPoints(*scale, rung.throughput, *before) == rung.throughput;
        if (!is_full)
          mistakes.push_back(fmt::format("{}: the solution does not reach 'full' ({:.4g} {}); lower it", rung.name,
                                         speed.value, speed.unit));
        if (before_too)
          mistakes.push_back(
              fmt::format("{}: the solution of the rung before reaches 'full', too ({:.4g} {}); raise it", rung.name,
                          before->value, before->unit));
        separated += is_full && !before_too ? 1 : 0;
      }
      before = &speed;
    }
    if (of == 0) return NotMeasured("thresholds", "no rung has a scale for " + report_.device.name);
    return Made("thresholds", fmt::format("{} of {} separate on {}", separated, of, report_.device.name),
                std::move(mistakes));
  }

  Proof OfQuiz() const {
    if (!rules_.quiz) return Made("quiz", "none", {});
    std::vector<std::string> mistakes;
    if (!quiz_mistake_.empty()) mistakes.push_back(quiz_mistake_);
    const RungScore* const quiz = Find(kSolutions, config::kQuizName);
    if (quiz_mistake_.empty() && (quiz == nullptr || quiz->points != quiz->max_points)) {
      mistakes.push_back(fmt::format("the computed answers do not get all points: {}",
                                     quiz == nullptr ? "not graded" : FirstTold(*quiz)));
    }
    return Made("quiz", Counted(questions_, "question"), std::move(mistakes));
  }

  Proof OfHandout() const {
    const std::string path = folder_ + "/README.md";
    const auto readme = build::ReadWholeFile(path);
    if (!readme) return Made("handout", "missing", {path + ": it is not there; write the handout"});
    std::vector<std::string> mistakes;
    for (const config::Rung& rung : rules_.rungs) {
      const std::string short_name = rung.name.substr(0, rung.name.find('_'));
      if (readme->find(rung.name) == std::string::npos && readme->find(short_name) == std::string::npos)
        mistakes.push_back(fmt::format("{}: it does not name {}; describe the rung", path, rung.name));
    }
    if (lab_.kit.outside.contains(lab_.lab) && desk::WithPointsTable(*readme, rules_) != *readme) {
      mistakes.push_back(path + ": its table of points is not what lab.yaml says; `warpgrade prove --write` writes it");
    }
    for (std::string& stale : StaleTables()) mistakes.push_back(std::move(stale));
    return Made("handout", "names every rung", std::move(mistakes));
  }

  // What the source tree's own program says of the tables in the handout of a lab of the kit. An installed kit has
  // none.
  std::vector<std::string> StaleTables() const {
    std::vector<std::string> stale;
    const std::string program =
        (fs::path(lab_.kit.labs_dir).parent_path() / "tests/docs/tables_test.py").lexically_normal().string();
    std::error_code ignored;
    if (lab_.kit.outside.contains(lab_.lab) || !fs::exists(program, ignored)) return stale;
    sandbox::ProcessOptions process;
    process.argv = {"/usr/bin/env", "python3", program, lab_.kit.root};
    process.limits.wall_ms = kMostTablesMs;
    for (char** variable = environ; *variable != nullptr; ++variable) process.environment.emplace_back(*variable);
    process.environment.emplace_back("PYTHONDONTWRITEBYTECODE=1");
    const auto ran = sandbox::RunProcess(process, options_.cancel);
    if (!ran || ran->succeeded()) return stale;
    std::istringstream lines(ran->output);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("/" + lab_.lab + "/README.md: ") != std::string::npos) stale.push_back(line);
    }
    return stale;
  }

  const LabToAuthor& lab_;
  const ProveOptions& options_;
  const config::Lab& rules_;
  const std::string folder_;
  fs::path class_;
  std::vector<HandedIn> mutants_;
  std::vector<Alternative> alternatives_;
  std::vector<std::string> mutant_mistakes_;
  std::string quiz_mistake_;
  size_t questions_ = 0;
  score::GradingReport report_;
};

}  // namespace

Result<std::vector<Proof>> Prove(const LabToAuthor& lab, const ProveOptions& options) {
  if (Status can = HasSources(lab); !can.ok()) return can.error();
  return Prover(lab, options).Run();
}

}  // namespace warpgrade::cli
