// Decides for each path whether it is one submission or a folder of submissions, reads them and gives each a unique id.
// Tests: tests/submission/discover_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "grader/submission/archive.h"
#include "grader/submission/collector.h"
#include "grader/submission/folder.h"
#include "grader/submission/printable.h"
#include "grader/submission/submission.h"

namespace warpgrade::submission {
namespace {

namespace fs = std::filesystem;

// What a path is, before it is read.
struct Candidate {
  enum class Kind { kFolder, kArchive, kUnreadable } kind = Kind::kFolder;
  std::string path;
  std::string name;     // what the id is made from
  std::string message;  // for kUnreadable
};

bool IsSubmissionFolder(const std::vector<FolderEntry>& entries, const WantedFiles& wanted) {
  for (const FolderEntry& entry : entries) {
    if (wanted.IsLab(entry.name) || wanted.IsLabFile(entry.name)) return true;
  }
  return false;
}

bool IsJunk(const std::string& name) { return name.starts_with('.') || name == "__MACOSX"; }

// Names of those entries, other than labs, that look like submissions of their own.
std::vector<std::string> SubmissionsAmong(const std::string& folder, const std::vector<FolderEntry>& entries,
                                          const WantedFiles& wanted) {
  std::vector<std::string> names;
  for (const FolderEntry& entry : entries) {
    // "lab7" is a lab of the same submission that the course does not have.
    const bool is_other_lab = entry.name.size() > 3 && entry.name.starts_with("lab") &&
                              entry.name.find_first_not_of("0123456789", 3) == std::string::npos;
    if (IsJunk(entry.name) || wanted.IsLab(entry.name) || is_other_lab) continue;
    bool looks_like_one = entry.kind == FolderEntry::Kind::kFile && IsArchiveName(entry.name);
    if (entry.kind == FolderEntry::Kind::kFolder) {
      const auto inside = ListFolder(folder + "/" + entry.name);
      looks_like_one = inside.ok() && IsSubmissionFolder(*inside, wanted);
    }
    if (looks_like_one) names.push_back(entry.name);
  }
  return names;
}

// One file or folder in the wrong place must not make one submission of a whole class.
Error Ambiguous(const std::string& path, const std::vector<FolderEntry>& entries,
                const std::vector<std::string>& submissions, const WantedFiles& wanted) {
  const auto of_lab = std::find_if(entries.begin(), entries.end(), [&wanted](const FolderEntry& entry) {
    return wanted.IsLab(entry.name) || wanted.IsLabFile(entry.name);
  });
  return {ErrorKind::kUsage,
          fmt::format("{0}: {1} in it would make it one submission, and {2} and {3} would make it a folder of {4} "
                      "submissions. Move {1} into the folder of the student to whom it belongs, or grade the "
                      "submissions by name, such as {0}/{2}",
                      Escaped(path), Escaped(of_lab->name), Escaped(submissions[0]), Escaped(submissions[1]),
                      submissions.size())};
}

std::optional<Candidate> ChildCandidate(const std::string& folder, const FolderEntry& entry) {
  if (IsJunk(entry.name)) return std::nullopt;
  Candidate child = {Candidate::Kind::kFolder, folder + "/" + entry.name, entry.name, ""};
  if (entry.kind == FolderEntry::Kind::kFolder) return child;
  child.name = WithoutArchiveEnding(entry.name);
  if (entry.kind == FolderEntry::Kind::kFile && IsArchiveName(entry.name)) {
    child.kind = Candidate::Kind::kArchive;
    return child;
  }
  child.kind = Candidate::Kind::kUnreadable;
  if (entry.kind == FolderEntry::Kind::kLink) {
    child.message = "it is a symbolic link, which is not followed; name its target on the command line instead";
    return child;
  }
  if (IsForeignArchiveName(entry.name)) {
    child.message = "this kind of archive cannot be read; pack it as .zip or .tar.gz";
    return child;
  }
  return std::nullopt;
}

Result<std::vector<Candidate>> CandidatesAt(const std::string& path, const WantedFiles& wanted) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return Error{ErrorKind::kUsage, fmt::format("{}: there is no such file or folder; name a submission or a folder of "
                                                "submissions",
                                                Escaped(path))};
  }
  fs::path named = fs::absolute(path, error).lexically_normal();
  if (!named.has_filename()) named = named.parent_path();
  const std::string name = named.filename().string();
  if (fs::is_regular_file(status) && IsArchiveName(name))
    return std::vector<Candidate>{{Candidate::Kind::kArchive, path, std::string(WithoutArchiveEnding(name)), ""}};
  if (!fs::is_directory(status)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: this is neither a folder nor an archive (.zip, .tar, .tar.gz, .tgz); name a "
                             "submission or a folder of submissions",
                             Escaped(path))};
  }
  const auto entries = ListFolder(path);
  if (!entries) return entries.error();
  const Candidate self = {Candidate::Kind::kFolder, path, name, ""};
  if (IsSubmissionFolder(*entries, wanted)) {
    const std::vector<std::string> others = SubmissionsAmong(path, *entries, wanted);
    if (others.size() >= 2) return Ambiguous(path, *entries, others, wanted);
    return std::vector<Candidate>{self};
  }
  std::vector<Candidate> children;
  for (const FolderEntry& entry : *entries) {
    if (auto child = ChildCandidate(path, entry)) children.push_back(std::move(*child));
  }
  if (children.empty()) children.push_back(self);
  return children;
}

void ReadArchivesIn(const std::string& folder, Collector* collector) {
  const auto entries = ListFolder(folder);
  if (!entries) return;
  for (const FolderEntry& entry : *entries) {
    if (entry.kind != FolderEntry::Kind::kFile || IsJunk(entry.name)) continue;
    if (IsArchiveName(entry.name)) {
      ReadArchive(folder + "/" + entry.name, collector);
    } else if (IsForeignArchiveName(entry.name)) {
      collector->Refuse(entry.name, "this kind of archive cannot be read; pack it as .zip or .tar.gz");
    }
  }
}

Submission Read(const Candidate& candidate, const WantedFiles& wanted) {
  Submission submission;
  submission.source = candidate.path;
  Collector collector(wanted);
  switch (candidate.kind) {
    case Candidate::Kind::kArchive:
      ReadArchive(candidate.path, &collector);
      break;
    case Candidate::Kind::kFolder:
      ReadFolder(candidate.path, &collector);
      if (collector.empty()) ReadArchivesIn(candidate.path, &collector);
      break;
    case Candidate::Kind::kUnreadable:
      collector.Refuse(candidate.name, candidate.message);
      break;
  }
  const bool nothing = collector.empty();
  collector.FinishInto(&submission);
  if (nothing) submission.messages.push_back("no file of any lab was found; put the files into lab1/, lab2/, ...");
  return submission;
}

void SayThatTheNameWasChanged(const std::string& name, Submission* submission) {
  submission->messages.push_back(fmt::format("its name is \"{}\"; reports call it {}", Escaped(name), submission->id));
}

std::string UniqueId(const std::string& name, std::set<std::string>* taken) {
  const std::string id = IdFrom(name);
  std::string unique = id;
  for (int number = 2; !taken->insert(unique).second; ++number) unique = fmt::format("{}-{}", id, number);
  return unique;
}

}  // namespace

Result<std::vector<Submission>> Discover(const std::vector<std::string>& paths, const std::vector<LabFiles>& labs) {
  const WantedFiles wanted(labs);
  std::vector<Candidate> candidates;
  for (const std::string& path : paths) {
    auto found = CandidatesAt(path, wanted);
    if (!found) return found.error();
    for (Candidate& candidate : *found) candidates.push_back(std::move(candidate));
  }
  std::vector<Submission> submissions;
  submissions.reserve(candidates.size());
  for (const Candidate& candidate : candidates) submissions.push_back(Read(candidate, wanted));
  // A name that had to be changed must not take the id of a student who has this name.
  std::set<std::string> ids;
  for (const bool changed : {false, true}) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      const std::string& name = candidates[i].name;
      if ((IdFrom(name) != name) != changed) continue;
      submissions[i].id = UniqueId(name, &ids);
      submissions[i].student = IdFrom(name);
      if (!changed) continue;
      SayThatTheNameWasChanged(name, &submissions[i]);
    }
  }
  return submissions;
}

Result<std::optional<Submission>> ReadEntry(const std::string& folder, const std::string& name,
                                            const std::vector<LabFiles>& labs) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(folder + "/" + name, error);
  if (!fs::exists(status)) {
    return Error{ErrorKind::kUsage, fmt::format("{}: there is no such file or folder", Escaped(folder + "/" + name))};
  }
  FolderEntry entry;
  entry.name = name;
  if (fs::is_symlink(status)) entry.kind = FolderEntry::Kind::kLink;
  if (fs::is_regular_file(status)) entry.kind = FolderEntry::Kind::kFile;
  if (fs::is_directory(status)) entry.kind = FolderEntry::Kind::kFolder;
  const std::optional<Candidate> candidate = ChildCandidate(folder, entry);
  if (!candidate) return std::optional<Submission>();
  Submission submission = Read(*candidate, WantedFiles(labs));
  submission.id = submission.student = IdFrom(candidate->name);
  if (submission.id != candidate->name) SayThatTheNameWasChanged(candidate->name, &submission);
  return std::optional<Submission>(std::move(submission));
}

Result<Submission> ReadOne(const std::string& path, const std::string& name, const std::vector<LabFiles>& labs) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: there is no such folder; name the folder of a submission", Escaped(path))};
  }
  Submission submission = Read({Candidate::Kind::kFolder, path, name, ""}, WantedFiles(labs));
  submission.id = submission.student = IdFrom(name);
  return submission;
}

}  // namespace warpgrade::submission
