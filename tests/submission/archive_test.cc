#include <gmock/gmock.h>

#include "tests/submission/submission_fixture.h"

namespace warpgrade::submission {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class ArchiveTest : public SubmissionTest {};

// Every kind is read by the same tests.
class ArchiveKindTest : public SubmissionTest, public testing::WithParamInterface<const char*> {
 protected:
  std::string Name() const { return std::string("s1042") + GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Kinds, ArchiveKindTest, testing::Values(".zip", ".tar", ".tar.gz", ".tgz"),
                         [](const auto& info) {
                           std::string name;
                           for (char c : std::string(info.param)) name += c == '.' ? '_' : c;
                           return name;
                         });

TEST_P(ArchiveKindTest, TakesTheLabsFilesAndNothingElse) {
  WriteArchive(Name(), {{"lab1/v1_interleaved.cu", "one"},
                        {"lab1/notes.txt", "notes"},
                        {"lab2/v1_naive.cu", "two"},
                        {"grades.csv", "me,100"}});
  const Submission s = FoundOne(Name());
  EXPECT_EQ(s.id, "s1042");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v1_interleaved.cu", "one"), Pair("lab2/v1_naive.cu", "two")));
  EXPECT_THAT(s.messages, IsEmpty());
}

TEST_P(ArchiveKindTest, LooksThroughOneWrappingFolder) {
  WriteArchive(Name(), {{"my work/", "", AE_IFDIR},
                        {"my work/lab1/", "", AE_IFDIR},
                        {"my work/lab1/v1_interleaved.cu", "one"},
                        {"my work/v3_sequential.cu", "three"}});
  EXPECT_THAT(FoundOne(Name()).files,
              ElementsAre(Pair("lab1/v1_interleaved.cu", "one"), Pair("lab1/v3_sequential.cu", "three")));
}

TEST_P(ArchiveKindTest, LooksThroughAWrappingFolderWhoseNameIsNotAscii) {
  WriteArchive(Name(), {{"Stud\xC3\xA9rus/lab1/v1_interleaved.cu", "one"}});
  EXPECT_THAT(FoundOne(Name()).files, ElementsAre(Pair("lab1/v1_interleaved.cu", "one")));
}

TEST_P(ArchiveKindTest, RefusesNamesThatLeadOut) {
  WriteArchive(Name(), {{"../lab1/v1_interleaved.cu", "evil"},
                        {"lab1/../../v3_sequential.cu", "evil"},
                        {"/lab1/v3_sequential.cu", "evil"},
                        {"lab2/v1_naive.cu", "good"}});
  const Submission s = FoundOne(Name());
  EXPECT_THAT(s.files, ElementsAre(Pair("lab2/v1_naive.cu", "good")));
  EXPECT_THAT(Messages(s),
              AllOf(HasSubstr("../lab1/v1_interleaved.cu: refused: the name of a file may not be absolute"),
                    HasSubstr("lab1/../../v3_sequential.cu: refused"), HasSubstr("/lab1/v3_sequential.cu: refused")));
}

TEST_P(ArchiveKindTest, RefusesSymbolicLinks) {
  WriteArchive(Name(), {{"lab1/v1_interleaved.cu", "", AE_IFLNK, "/etc/passwd"}, {"lab2/v1_naive.cu", "good"}});
  const Submission s = FoundOne(Name());
  EXPECT_THAT(s.files, ElementsAre(Pair("lab2/v1_naive.cu", "good")));
  EXPECT_THAT(Messages(s), HasSubstr("lab1/v1_interleaved.cu: refused: it is a symbolic link"));
}

TEST_P(ArchiveKindTest, RefusesAFileThatIsTooLarge) {
  WriteArchive(Name(), {{"lab1/v1_interleaved.cu", std::string(kMaxFileBytes, 'x')},
                        {"lab1/v3_sequential.cu", std::string(kMaxFileBytes + 1, 'x')},
                        {"lab2/v1_naive.cu", "good"}});
  const Submission s = FoundOne(Name());
  EXPECT_EQ(s.files.at("lab1/v1_interleaved.cu").size(), kMaxFileBytes);
  EXPECT_EQ(s.files.count("lab1/v3_sequential.cu"), 0u);
  EXPECT_EQ(s.files.count("lab2/v1_naive.cu"), 1u);
  EXPECT_THAT(s.messages, ElementsAre("lab1/v3_sequential.cu: refused: it is larger than 256 KB, the limit for a "
                                      "source file; send the source file itself"));
}

TEST_P(ArchiveKindTest, ATruncatedArchiveKeepsWhatCameBeforeAndSaysSo) {
  std::string noise(200000, ' ');
  for (size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>('!' + (i * i * 7919 + i / 13) % 90);
  WriteArchive(Name(), {{"lab1/v1_interleaved.cu", "one"}, {"lab2/v1_naive.cu", noise}});
  const std::string whole = ReadFile(Name());
  WriteFile(Name(), whole.substr(0, whole.size() / 2));
  const Submission s = FoundOne(Name());
  EXPECT_EQ(s.files.count("lab2/v1_naive.cu"), 0u);
  EXPECT_THAT(Messages(s), HasSubstr("broken archive"));
}

TEST_P(ArchiveKindTest, AFileThatIsNoArchiveCostsOnlyItsStudent) {
  WriteFile("all/" + Name(), "this is not an archive, whatever its name says");
  WriteArchive("all/good.zip", {{"lab2/v1_naive.cu", "good"}});
  const std::vector<Submission> all = Found({"all"});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].id, "good");
  EXPECT_THAT(all[0].files, SizeIs(1));
  EXPECT_EQ(all[1].id, "s1042");
  EXPECT_THAT(all[1].files, IsEmpty());
  EXPECT_THAT(Messages(all[1]), HasSubstr(Name() + ": broken archive"));
}

TEST_P(ArchiveKindTest, TheLastOfSeveralEntriesOfOneNameCountsAndAMessageSaysSo) {
  WriteArchive(Name(), {{"lab1/v1_interleaved.cu", "old"}, {"lab1/v1_interleaved.cu", "new"}});
  const Submission s = FoundOne(Name());
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v1_interleaved.cu", "new")));
  EXPECT_THAT(s.messages,
              ElementsAre("lab1/v1_interleaved.cu: occurs more than once, so the last one was taken; send only one"));
}

TEST_P(ArchiveKindTest, ControlCharactersInNamesAreEscapedInMessages) {
  WriteArchive(Name(), {{"lab1/\x1b[31mv1_interleaved.cu", "evil"}});
  EXPECT_THAT(Messages(FoundOne(Name())), HasSubstr("lab1/\\x1b[31mv1_interleaved.cu: not taken"));
}

TEST_P(ArchiveKindTest, NamesOfNoEncodingAreEscapedAndTheOthersTaken) {
  WriteArchive(Name(), {{"\xFF\xFE/v9_what.cu", "what?"},
                        {"lab1/v1_interleaved \xE9.cu", "Latin-1"},
                        {"lab1/v3_sequential.cu", "three"}});
  const Submission s = FoundOne(Name());
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v3_sequential.cu", "three")));
  EXPECT_EQ(Messages(s).find('\xE9'), std::string::npos);
  EXPECT_EQ(Messages(s).find('\xFF'), std::string::npos);
  EXPECT_THAT(Messages(s), HasSubstr("lab1/v1_interleaved \\xe9.cu: not taken"));
}

TEST_P(ArchiveKindTest, NamesWithEveryWayOutAreRefused) {
  WriteArchive(Name(), {{"lab1/sub/../../../v3_sequential.cu", "evil"},
                        {"//lab1//v3_sequential.cu", "evil"},
                        {"..", "evil"},
                        {"lab2/v1_naive.cu", "good"}});
  const Submission s = FoundOne(Name());
  EXPECT_THAT(s.files, ElementsAre(Pair("lab2/v1_naive.cu", "good")));
  EXPECT_THAT(Messages(s), HasSubstr("refused: the name of a file may not be absolute and may not contain"));
}

TEST_P(ArchiveKindTest, AnEmptyArchiveIsASubmissionWithNothing) {
  WriteArchive(Name(), {});
  const Submission s = FoundOne(Name());
  EXPECT_THAT(s.files, IsEmpty());
  // Of an empty zip libarchive also says that it does not know the format, which is as well.
  EXPECT_THAT(s.messages, Contains(HasSubstr("no file of any lab was found")));
}

TEST_F(ArchiveTest, RefusesHardLinksAndDevices) {
  WriteArchive("s.tar", {{"lab2/v1_naive.cu", "good"},
                         {"lab1/v1_interleaved.cu", "", AE_IFREG, "", "/etc/passwd"},
                         {"lab1/v3_sequential.cu", "", AE_IFCHR},
                         {"lab2/v2_shared.cu", "", AE_IFIFO}});
  const Submission s = FoundOne("s.tar");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab2/v1_naive.cu", "good")));
  EXPECT_THAT(Messages(s),
              AllOf(HasSubstr("lab1/v1_interleaved.cu: refused: it is a hard link"),
                    HasSubstr("lab1/v3_sequential.cu: refused: it is not a regular file; send the file itself"),
                    HasSubstr("lab2/v2_shared.cu: refused: it is not a regular file; send the file itself")));
}

TEST_F(ArchiveTest, AnEncryptedFileSaysSo) {
  WriteArchive("s.zip", {{"lab1/v1_interleaved.cu", "secret"}}, "zip:encryption=traditional");
  const Submission s = FoundOne("s.zip");
  EXPECT_THAT(s.files, IsEmpty());
  EXPECT_THAT(Messages(s), HasSubstr("lab1/v1_interleaved.cu: refused: it is encrypted"));
}

TEST_F(ArchiveTest, AStreamThatUnpacksToManyTimesItsSizeIsLeft) {
  WriteArchive("s.tar.gz", {{"lab1/v1_interleaved.cu", "one"},
                            {"ballast", std::string(32 << 20, '\0')},
                            {"lab2/v1_naive.cu", "never reached"}});
  const Submission s = FoundOne("s.tar.gz");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v1_interleaved.cu", "one")));
  EXPECT_THAT(Messages(s), HasSubstr("s.tar.gz: it unpacks to more than 200 times its size"));
}

TEST_F(ArchiveTest, AStreamThatUnpacksToTooMuchIsLeft) {
  // Does not pack well enough to be caught by its ratio.
  std::string block(1 << 20, ' ');
  for (size_t i = 0; i < block.size(); ++i) block[i] = static_cast<char>((i * 2654435761u) >> 13);
  std::vector<ArchiveEntry> entries = {{"lab1/v1_interleaved.cu", "one"}};
  for (int i = 0; i < 257; ++i) entries.push_back({"data" + std::to_string(i), block});
  entries.push_back({"lab2/v1_naive.cu", "never reached"});
  WriteArchive("s.tar", entries);
  const Submission s = FoundOne("s.tar");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v1_interleaved.cu", "one")));
  EXPECT_THAT(Messages(s), HasSubstr("s.tar: it unpacks to more than 256 MB"));
}

TEST_F(ArchiveTest, ABombThatAZipDoesNotAskUsToUnpackCostsNothing) {
  WriteArchive("s.zip", {{"ballast", std::string(32 << 20, '\0')}, {"lab2/v1_naive.cu", "reached"}});
  const Submission s = FoundOne("s.zip");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab2/v1_naive.cu", "reached")));
  EXPECT_THAT(s.messages, IsEmpty());
}

TEST_F(ArchiveTest, ABombUnderALabsNameIsRefused) {
  WriteArchive("s.zip", {{"lab1/v1_interleaved.cu", std::string(32 << 20, ' ')}, {"lab2/v1_naive.cu", "good"}});
  const Submission s = FoundOne("s.zip");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab2/v1_naive.cu", "good")));
  EXPECT_THAT(Messages(s), HasSubstr("lab1/v1_interleaved.cu: refused: it is larger than 256 KB"));
}

TEST_F(ArchiveTest, NoMoreThanSoManyEntriesAreLookedAt) {
  std::vector<ArchiveEntry> entries(kMaxEntriesScanned, ArchiveEntry{"x", ""});
  entries.push_back({"lab1/v1_interleaved.cu", "never reached"});
  WriteArchive("s.tar.gz", entries);
  const Submission s = FoundOne("s.tar.gz");
  EXPECT_THAT(s.files, IsEmpty());
  EXPECT_THAT(Messages(s), HasSubstr("s.tar.gz: it holds more than 100000 files"));
}

TEST_F(ArchiveTest, MessagesAreCapped) {
  std::vector<ArchiveEntry> entries;
  for (int i = 0; i < 500; ++i) entries.push_back({"../evil" + std::to_string(i), ""});
  WriteArchive("s.tar", entries);
  const Submission s = FoundOne("s.tar");
  EXPECT_THAT(s.messages, SizeIs(kMaxMessages + 2));
  EXPECT_THAT(Messages(s), HasSubstr("and 470 more messages"));
}

TEST_F(ArchiveTest, OneMoreMessageIsNamedInTheSingular) {
  std::vector<ArchiveEntry> entries;
  for (size_t i = 0; i < kMaxMessages + 1; ++i) entries.push_back({"../evil" + std::to_string(i), ""});
  WriteArchive("s.tar", entries);
  EXPECT_THAT(FoundOne("s.tar").messages, Contains("and 1 more message"));
}

TEST_F(ArchiveTest, NothingIsWrittenToDisk) {
  WriteArchive("in/s.tar.gz", {{"lab1/v1_interleaved.cu", "one"}, {"../escaped.txt", "evil"}});
  FoundOne("in/s.tar.gz");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::recursive_directory_iterator(root_)) ++files;
  EXPECT_EQ(files, 2);  // the folder and the archive
}

}  // namespace
}  // namespace warpgrade::submission
