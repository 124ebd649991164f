// The gradebook of a course: every attempt that was handed in, every grading of it, and every override, in one SQLite
// file. Nothing in it is overwritten. schema.h draws its tables; marks.h says what counts.
//
//   hand-in --> attempt (its sources, when it was handed in)
//                  '--> grading, each time that it is graded: by which rules, on which device, all that was measured
//
// Several processes may write to one gradebook. A change is on the disk when its function returns, and a process that
// is killed leaves all of a change or nothing. Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::gradebook {

class Connection;

// A student as the roster has them. All texts are data: any UTF-8.
struct Student {
  std::string id, name, email, section;
  std::string extension;         // as in the roster: "2" days, "2026-11-22", or ""
  bool enrolled = true;          // false: only a submission names this student
  std::string canvas_id, login;  // how Canvas knows the student; "": not known
};

// What a student handed in for one lab.
struct HandIn {
  std::string student, lab;
  std::map<std::string, std::string> files;  // "lab1/v3_sequential.cu" -> its text
  std::vector<std::string> notes;            // of the reader of the submission, for the student
  std::string handed_in;                     // "2026-11-22T10:15:00Z"
  std::string time_from;                     // where this time comes from
  std::optional<bool> marked_late;           // by the platform; nullopt: it does not say
  std::string came_from;                     // the name of its file or folder
};

// What a result depends on, beside the sources. Equal sources under equal conditions are not graded again.
struct Conditions {
  std::string kit_version;
  std::string rules;  // a hash of what course.yaml and the quiz say about the grading of the lab
  std::string device_kind, device_name;
  friend bool operator==(const Conditions&, const Conditions&) = default;
};

// The latest grading of an attempt, without its details.
struct Grading {
  int64_t key = 0, measured = 0;
  int number = 0;  // from 1, of this attempt
  std::string graded_at, why, course;
  Conditions conditions;
  config::Points points, max_points, measurable_points;
};

struct Attempt {
  int64_t key = 0;
  std::string student, lab;
  int number = 0;  // from 1, of this student and lab
  std::string handed_in, time_from, came_from, added_at;
  std::optional<bool> marked_late;
  std::vector<std::string> notes;  // of the reader of the submission, for the student
  std::string sources;             // the hash of files and notes
  bool has_files = true;           // false: nothing could be read, such as of a broken archive
  std::optional<Grading> grading;  // the latest; nullopt: it was not graded yet
};

// What must be done for a hand-in.
struct Planned {
  int64_t attempt = 0;
  int number = 0;          // of the attempt
  bool is_new = false;     // it was not in the gradebook
  bool is_graded = false;  // its latest grading has these conditions, so there is nothing to do
  bool repeats = false;    // it is graded because equal sources of this student were, under equal conditions
  int gradings = 0;        // the number of its latest grading; 0: none
};

struct Override {
  std::string student, lab, rung;        // rung "": the whole lab
  std::optional<config::Points> points;  // nullopt: the override before this one no longer counts
  std::string reason, author, made_at;
  bool is_change = false;  // `points` are added to the computed ones, and may be negative; else they replace them
};

enum class Access {
  kRead,    // the file must exist; it is not changed
  kWrite,   // the file must exist
  kCreate,  // the file is made if there is none
};

// True if the file begins as every SQLite database does (https://www.sqlite.org/fileformat.html). False if it cannot be
// read.
bool LooksLikeGradebook(const std::string& path);

class Gradebook {
 public:
  // Errors: kUsage: no such file, another program's, a later kit's; kMachine: the disk, permissions, a damaged file.
  static Result<Gradebook> Open(const std::string& path, Access access, const std::string& kit_version);
  Gradebook(Gradebook&&) noexcept;
  Gradebook& operator=(Gradebook&&) noexcept;
  ~Gradebook();

  const std::string& path() const;
  // Drawn when the file was made, and never shown to students: what is drawn for a grading is drawn from it.
  Result<uint64_t> Seed();
  // The absolute path of the course.yaml that the last batch used, if it was not the kit's; "": none was ever put here.
  Result<std::string> CourseYaml();
  Status PutCourseYaml(const std::string& path);

  // All functions below: errors (kMachine) are those of the disk or of another process that keeps the file locked. Then
  // nothing has changed.

  // The class is now `roster`. Students who are no longer in it stay, with their attempts.
  Status PutRoster(const std::vector<Student>& roster);
  Result<std::vector<Student>> Students();  // by id

  // Adds the hand-ins that are not in the gradebook yet, and says for each of `hand_ins` what must be done under
  // `conditions`. A hand-in is known if this student has an attempt for this lab with equal sources and notes that is
  // the last one or was handed in at the same time. The attempts of one student get their numbers by the time of
  // handing in. `again`: even what was graded under these conditions must be graded. `why`: of gradings that repeat
  // another one.
  Result<std::vector<Planned>> Plan(const std::vector<HandIn>& hand_ins, const Conditions& conditions, bool again,
                                    const std::string& why);

  // Adds a grading of `planned`. `report` has one submission and one lab. False, and nothing is added, if another
  // process has graded this attempt under these conditions since it was planned.
  Result<bool> AddGrading(const Planned& planned, const Conditions& conditions, const score::GradingReport& report,
                          const std::string& why, const std::string& log);

  // The attempts of `student` ("": of all) for `lab` ("": for all), by student, lab and number.
  Result<std::vector<Attempt>> Attempts(const std::string& student, const std::string& lab);
  // All attempts, in the same order, with only what marks need: times and reasons of gradings and their `rules` are
  // empty, and so are `sources`, when it was added, and where an attempt and its time came from.
  Result<std::vector<Attempt>> AttemptsOfMarks();
  // How many attempts there are, by student and lab.
  Result<std::map<std::string, std::map<std::string, int>>> AttemptCounts();
  // The gradings of one attempt, by number.
  Result<std::vector<Grading>> Gradings(int64_t attempt);
  // What was handed in.
  Result<HandIn> Read(const Attempt& attempt);
  // The report of one grading. REQUIRES: `measured` of a Grading.
  Result<score::GradingReport> Report(int64_t measured);
  // Those of several gradings, in this order, read on all cores.
  Result<std::vector<score::GradingReport>> Reports(const std::vector<int64_t>& measured);
  Result<std::string> Log(int64_t measured);
  // The same without what costs time to read: the rungs have their statuses, points, counts of missed limits and of
  // cases, and times. That is what tables of marks and leaderboards print. By the `measured` of each Grading.
  Result<std::map<int64_t, score::LabScore>> Rungs(const std::vector<const Attempt*>& attempts);

  Status AddOverride(const Override& override_of);
  // Of `student` ("": of all), the oldest first.
  Result<std::vector<Override>> Overrides(const std::string& student);

 private:
  explicit Gradebook(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace warpgrade::gradebook
