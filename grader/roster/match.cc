// Looks each submission up by what its layout tells, from the surest to the least sure. What several students could be
// is nobody's. Tests: tests/roster/match_test.cc.
#include "grader/roster/match.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "grader/roster/file_time.h"
#include "grader/roster/gradescope.h"
#include "grader/roster/layout.h"
#include "grader/submission/archive.h"
#include "grader/submission/printable.h"
#include "grader/times/times.h"

namespace warpgrade::roster {
namespace {

namespace fs = std::filesystem;
using submission::Escaped;
using submission::Submission;

std::string LowerCase(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return text;
}

// The students by one of their properties.
class Index {
 public:
  void Add(const std::string& key, size_t student) {
    if (key.empty()) return;
    exact_[key].insert(student);
    lower_case_[LowerCase(key)].insert(student);
  }
  // Whose property `key` is: one student, several, or nobody. Case counts only where it decides between several.
  const std::set<size_t>& Find(const std::string& key) const {
    static const std::set<size_t> kNobody;
    const auto exact = exact_.find(key);
    if (exact != exact_.end() && exact->second.size() == 1) return exact->second;
    const auto found = lower_case_.find(LowerCase(key));
    return found == lower_case_.end() ? kNobody : found->second;
  }

 private:
  std::map<std::string, std::set<size_t>> exact_, lower_case_;
};

// Every way in which a name may stand in a file name of Canvas, which puts the last name first: "lovelaceada" for "Ada
// Lovelace" and for "Lovelace, Ada". A name of three words may be split after the first or the second.
std::vector<std::string> CanvasSpellings(const std::string& name) {
  std::vector<std::string> spellings = {Squeezed(name)};
  for (size_t space = name.find(' '); space != std::string::npos; space = name.find(' ', space + 1)) {
    spellings.push_back(Squeezed(name.substr(space)) + Squeezed(name.substr(0, space)));
  }
  return spellings;
}

// What a layout tells of one student: properties to look up, the surest first.
struct Clue {
  const Index* index;
  std::string key;
  // Counts only for students of whom the roster does not have this. Anybody may choose another student's id as the name
  // of an account.
  std::string Student::*only_without = nullptr;
};

class Matcher {
 public:
  Matcher(const std::string& lab, const std::vector<Student>* roster) : lab_(lab), roster_(roster) {
    for (size_t i = 0; roster != nullptr && i < roster->size(); ++i) {
      const Student& student = (*roster)[i];
      ids_.Add(student.id, i);
      emails_.Add(student.email, i);
      logins_.Add(student.login, i);
      logins_.Add(student.email.substr(0, student.email.find('@')), i);
      canvas_.Add(student.canvas, i);
      github_.Add(student.github, i);
      for (const std::string& spelling : CanvasSpellings(student.name)) names_.Add(spelling, i);
    }
    has_student_.resize(roster == nullptr ? 0 : roster->size());
  }

  Status Add(size_t index, const Submission& one) {
    const fs::path path = fs::path(one.source).lexically_normal();
    const fs::path file = path.has_filename() ? path : path.parent_path();
    const std::string name(submission::WithoutArchiveEnding(file.filename().string()));
    const auto metadata = MetadataBeside(file.parent_path().string());
    if (!metadata) return metadata.error();
    Owned owned = {index, "", UtcText(FileTime(one.source).value_or(0)), "file time", std::nullopt};
    if (const auto entry = (*metadata)->find(file.filename().string()); entry != (*metadata)->end()) {
      AddGroup(entry->second, std::move(owned));
    } else if (const auto canvas = ParseCanvasName(name)) {
      owned.marked_late = canvas->late;
      Add({{&canvas_, canvas->user}, {&names_, Squeezed(canvas->name), &Student::canvas}},
          canvas->name + "-" + canvas->user, std::move(owned));
    } else if (const auto login = ParseClassroomName(name, lab_)) {
      Add({{&github_, *login}, {&ids_, *login, &Student::github}, {&logins_, *login, &Student::github}}, *login,
          std::move(owned));
    } else {
      Add({{&ids_, name}, {&emails_, name}, {&logins_, name}, {&github_, name}}, one.id, std::move(owned));
    }
    return Status();
  }

  Matched Finish() {
    for (size_t i = 0; i < has_student_.size(); ++i) {
      if (!has_student_[i]) matched_.handed_nothing.push_back((*roster_)[i].id);
    }
    return std::move(matched_);
  }

 private:
  using Metadata = std::map<std::string, GradescopeEntry>;

  // Of the folder, read once; empty if it has none.
  Result<const Metadata*> MetadataBeside(const std::string& folder) {
    const auto [known, is_new] = metadata_.emplace(folder, Metadata());
    const std::string path = (fs::path(folder) / kGradescopeFile).string();
    std::error_code ignored;
    if (is_new && fs::is_regular_file(path, ignored)) {
      Result<Metadata> read = ReadGradescope(path);
      if (!read) return read.error();
      known->second = std::move(*read);
    }
    return &known->second;
  }

  void AddGroup(const GradescopeEntry& entry, Owned owned) {
    if (entry.created_at) {
      owned.handed_in = UtcText(*entry.created_at);
      owned.time_from = "the platform";
    }
    for (const Submitter& submitter : entry.submitters) {
      const std::string& id = submitter.sid.empty() ? submitter.email : submitter.sid;
      Add({{&ids_, submitter.sid}, {&emails_, submitter.email}, {&ids_, submitter.email}}, id, owned);
    }
    if (entry.submitters.empty()) matched_.unmatched.push_back({owned.submission, "Gradescope names no submitter"});
  }

  // `called`: the id if there is no roster, and the name in messages.
  void Add(const std::vector<Clue>& clues, const std::string& called, Owned owned) {
    if (roster_ == nullptr) {
      owned.student = submission::IdFrom(called);
      matched_.owned.push_back(std::move(owned));
      return;
    }
    std::string why = fmt::format("the roster has no student {}", Escaped(called));
    for (const Clue& clue : clues) {
      const std::set<size_t>& found = clue.index->Find(clue.key);
      if (found.size() > 1) {
        why = fmt::format("{} may be {} or {}", Escaped(called), Escaped((*roster_)[*found.begin()].id),
                          Escaped((*roster_)[*std::next(found.begin())].id));
      }
      if (found.size() != 1) continue;
      const Student& student = (*roster_)[*found.begin()];
      if (clue.only_without != nullptr && !(student.*clue.only_without).empty()) {
        why = fmt::format("it may be meant for {}, but the roster gives this student another account",
                          Escaped(student.id));
        continue;
      }
      has_student_[*found.begin()] = true;
      owned.student = student.id;
      matched_.owned.push_back(std::move(owned));
      return;
    }
    matched_.unmatched.push_back({owned.submission, why});
  }

  const std::string& lab_;
  const std::vector<Student>* roster_;
  Index ids_, emails_, logins_, canvas_, github_, names_;
  std::vector<bool> has_student_;
  std::map<std::string, Metadata> metadata_;  // by folder
  Matched matched_;
};

}  // namespace

Result<Matched> Match(const std::vector<Submission>& submissions, const std::string& lab,
                      const std::vector<Student>* roster) {
  Matcher matcher(lab, roster);
  for (size_t i = 0; i < submissions.size(); ++i) {
    if (const Status added = matcher.Add(i, submissions[i]); !added.ok()) return added.error();
  }
  return matcher.Finish();
}

}  // namespace warpgrade::roster
