// A temporary folder, and archives made in it as honest and hostile students would.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "grader/submission/submission.h"

namespace warpgrade::submission {

struct ArchiveEntry {
  ArchiveEntry(std::string name, std::string content, mode_t type = AE_IFREG, std::string link_target = "",
               std::string hard_link_target = "")
      : name(std::move(name)),
        content(std::move(content)),
        type(type),
        link_target(std::move(link_target)),
        hard_link_target(std::move(hard_link_target)) {}
  std::string name;
  std::string content;
  mode_t type;
  std::string link_target;  // of a symbolic link
  std::string hard_link_target;
};

class SubmissionTest : public testing::Test {
 protected:
  SubmissionTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "warpgrade submission XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~SubmissionTest() override { std::filesystem::remove_all(root_); }

  std::string Path(const std::string& name) const { return (root_ / name).string(); }

  void WriteFile(const std::string& name, const std::string& content) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << content;
  }

  std::string ReadFile(const std::string& name) {
    std::ifstream in(root_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // The format comes from the name: .zip, .tar, .tar.gz, .tgz.
  void WriteArchive(const std::string& name, const std::vector<ArchiveEntry>& entries,
                    const std::string& options = "") {
    std::filesystem::create_directories((root_ / name).parent_path());
    archive* out = archive_write_new();
    const bool zip = name.ends_with(".zip");
    if (zip) {
      archive_write_set_format_zip(out);
    } else {
      archive_write_set_format_pax_restricted(out);
      if (name.ends_with("gz")) archive_write_add_filter_gzip(out);
    }
    if (!options.empty()) {
      ASSERT_EQ(archive_write_set_options(out, options.c_str()), ARCHIVE_OK) << archive_error_string(out);
      archive_write_set_passphrase(out, "secret");
    }
    ASSERT_EQ(archive_write_open_filename(out, Path(name).c_str()), ARCHIVE_OK) << archive_error_string(out);
    for (const ArchiveEntry& e : entries) {
      archive_entry* entry = archive_entry_new();
      archive_entry_set_pathname(entry, e.name.c_str());
      archive_entry_set_filetype(entry, e.type);
      archive_entry_set_perm(entry, 0644);
      archive_entry_set_size(entry, static_cast<int64_t>(e.content.size()));
      if (!e.link_target.empty()) archive_entry_set_symlink(entry, e.link_target.c_str());
      if (!e.hard_link_target.empty()) archive_entry_set_hardlink(entry, e.hard_link_target.c_str());
      ASSERT_GE(archive_write_header(out, entry), ARCHIVE_WARN) << archive_error_string(out);
      archive_write_data(out, e.content.data(), e.content.size());
      archive_entry_free(entry);
    }
    ASSERT_EQ(archive_write_close(out), ARCHIVE_OK) << archive_error_string(out);
    archive_write_free(out);
  }

  static std::vector<LabFiles> Labs() {
    return {{"lab1", {"v1_interleaved", "v2_shared", "v3_sequential"}, {"answers.yaml"}},
            {"lab2", {"v1_naive", "v2_shared"}, {"answers.yaml"}}};
  }

  std::vector<Submission> Found(const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(Path(name));
    auto found = Discover(paths, Labs());
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : std::vector<Submission>();
  }

  // For one path that is one submission.
  Submission FoundOne(const std::string& name) {
    const std::vector<Submission> found = Found({name});
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Submission() : found[0];
  }

  std::filesystem::path root_;
};

// All messages, one per line.
inline std::string Messages(const Submission& submission) {
  std::string all;
  for (const std::string& message : submission.messages) all += message + "\n";
  return all;
}

}  // namespace warpgrade::submission
