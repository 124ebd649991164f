#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/submission/submission_fixture.h"

namespace warpgrade::submission {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class DiscoverTest : public SubmissionTest {
 protected:
  static std::vector<std::string> Ids(const std::vector<Submission>& submissions) {
    std::vector<std::string> ids;
    for (const Submission& s : submissions) ids.push_back(s.id);
    return ids;
  }
};

TEST_F(DiscoverTest, AFolderWithALabIsOneSubmission) {
  WriteFile("ada/lab1/v1_interleaved.cu", "one");
  WriteFile("ada/lab2/v1_naive.cu", "two");
  WriteFile("ada/README.md", "hello");
  const Submission s = FoundOne("ada");
  EXPECT_EQ(s.id, "ada");
  EXPECT_EQ(s.source, Path("ada"));
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v1_interleaved.cu", "one"), Pair("lab2/v1_naive.cu", "two")));
  EXPECT_THAT(s.messages, IsEmpty());
}

TEST_F(DiscoverTest, AFolderWithRungFilesIsOneSubmission) {
  WriteFile("ada/v1_interleaved.cu", "one");
  EXPECT_THAT(FoundOne("ada/").files, ElementsAre(Pair("lab1/v1_interleaved.cu", "one")));
}

TEST_F(DiscoverTest, TakesOtherFilesThatALabNames) {
  WriteFile("ada/lab1/answers.yaml", "a: 1");
  WriteFile("ada/lab2/answers.yaml", "b: 2");
  WriteFile("ada/lab4/answers.yaml", "a lab of another course");
  WriteFile("ada/lab1/notes.yaml", "the student's own");
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/answers.yaml", "a: 1"), Pair("lab2/answers.yaml", "b: 2")));
  EXPECT_THAT(s.messages, IsEmpty());
}

TEST_F(DiscoverTest, SaysSoOfOtherFilesThatAreMisplacedOrMisnamed) {
  WriteFile("ada/answers.yaml", "whose?");
  WriteFile("ada/lab1/answers (1).yaml", "a: 1");
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, IsEmpty());
  EXPECT_THAT(Messages(s), HasSubstr("answers.yaml: not taken, because it is in the wrong folder"));
  EXPECT_THAT(Messages(s), HasSubstr("did you mean answers.yaml?"));
}

// A platform hands over the folder of one student, whatever is in it.
TEST_F(DiscoverTest, OneFolderMayBeSaidToBeOneSubmission) {
  WriteFile("upload/mine/lab1/v1_interleaved.cu", "1");
  WriteFile("upload/notes/a.txt", "x");
  const std::vector<LabFiles> labs = {{"lab1", {"v1_interleaved"}, {}}};
  const auto one = ReadOne(Path("upload"), "ada", labs);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->id, "ada");
  EXPECT_EQ(one->student, "ada");
  EXPECT_THAT(one->files, ElementsAre(Pair("lab1/v1_interleaved.cu", "1")));
  EXPECT_THAT(ReadOne(Path("none"), "ada", labs).error().message, HasSubstr("none: there is no such folder"));
}

TEST_F(DiscoverTest, SubmissionsOfOneStudentKeepTheirStudent) {
  WriteFile("first/ada/lab1/v1_interleaved.cu", "1");
  WriteFile("second/ada/lab1/v1_interleaved.cu", "2");
  const auto all = Found({"first/ada", "second/ada"});
  EXPECT_THAT(Ids(all), ElementsAre("ada", "ada-2"));
  EXPECT_EQ(all[0].student, "ada");
  EXPECT_EQ(all[1].student, "ada");
}

TEST_F(DiscoverTest, AFlatFileThatTwoLabsAskForIsNotGuessedAt) {
  WriteFile("ada/v2_shared.cu", "whose?");
  WriteFile("ada/v1_naive.cu", "lab2's");
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab2/v1_naive.cu", "lab2's")));
  EXPECT_THAT(
      Messages(s),
      HasSubstr("v2_shared.cu: not taken, because it is in the wrong folder; put it into the folder of its lab"));
}

TEST_F(DiscoverTest, AFolderOfSubmissionsGivesOneForEachChildByName) {
  WriteFile("all/ada/lab1/v1_interleaved.cu", "a");
  WriteFile("all/bob/wrapped/lab1/v1_interleaved.cu", "b");
  WriteArchive("all/cy.zip", {{"lab1/v1_interleaved.cu", "c"}});
  WriteArchive("all/dee.tar.gz", {{"v1_interleaved.cu", "d"}});
  fs::create_directories(Path("all/eve"));
  WriteFile("all/grades.csv", "not a student");
  WriteFile("all/.git/config", "not a student");
  WriteFile("all/__MACOSX/x", "not a student");
  const auto all = Found({"all"});
  EXPECT_THAT(Ids(all), ElementsAre("ada", "bob", "cy", "dee", "eve"));
  for (int i = 0; i < 4; ++i) EXPECT_THAT(all[i].files, SizeIs(1)) << all[i].id;
  EXPECT_THAT(all[4].files, IsEmpty());
  EXPECT_THAT(all[4].messages, ElementsAre(HasSubstr("no file of any lab was found")));
}

TEST_F(DiscoverTest, AnEmptyFolderOnItsOwnIsASubmissionWithNothing) {
  fs::create_directories(Path("empty"));
  const Submission s = FoundOne("empty");
  EXPECT_EQ(s.id, "empty");
  EXPECT_THAT(s.files, IsEmpty());
}

TEST_F(DiscoverTest, ArchivesInAStudentsFolderAreOpened) {
  WriteArchive("all/Ada Lovelace_123_file/lab1.zip", {{"lab1/v1_interleaved.cu", "one"}});
  WriteArchive("all/Ada Lovelace_123_file/lab2.tgz", {{"v1_naive.cu", "two"}});
  const auto all = Found({"all"});
  EXPECT_THAT(Ids(all), ElementsAre("Ada Lovelace_123_file"));
  EXPECT_THAT(all[0].files, ElementsAre(Pair("lab1/v1_interleaved.cu", "one"), Pair("lab2/v1_naive.cu", "two")));
}

TEST_F(DiscoverTest, AnUnreadableKindOfArchiveGetsARow) {
  WriteFile("all/ada.rar", "Rar!");
  WriteFile("all/bob/work.7z", "7z");
  const auto all = Found({"all"});
  EXPECT_THAT(Ids(all), ElementsAre("ada.rar", "bob"));
  for (const Submission& s : all) EXPECT_THAT(Messages(s), HasSubstr("pack it as .zip or .tar.gz"));
}

// Otherwise the class would be one submission, and all students but one would be in no report.
TEST_F(DiscoverTest, AStrayFileOrFolderAmongSubmissionsIsAnError) {
  for (const std::string stray : {"v1_interleaved.cu", "answers.yaml", "lab2/notes.txt"}) {
    const std::string folder = "class_" + stray.substr(0, 4);
    WriteFile(folder + "/" + stray, "whose?");
    for (const char* student : {"alice", "bob"}) WriteFile(folder + "/" + student + "/lab1/v1_interleaved.cu", "1");
    const auto found = Discover({Path(folder)}, Labs());
    ASSERT_FALSE(found.ok()) << stray;
    EXPECT_EQ(found.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(found.error().message, AllOf(HasSubstr("alice and bob"), HasSubstr(stray.substr(0, 4)))) << stray;
  }
}

TEST_F(DiscoverTest, ASubmissionMayHoldOneOldCopyOfItself) {
  WriteFile("ada/lab1/v1_interleaved.cu", "new");
  WriteFile("ada/backup/lab1/v1_interleaved.cu", "old");
  EXPECT_THAT(FoundOne("ada").files, ElementsAre(Pair("lab1/v1_interleaved.cu", "new")));
}

TEST_F(DiscoverTest, ANameThatHadToBeChangedDoesNotTakeTheIdOfAStudent) {
  WriteFile("class/ bob/lab1/v1_interleaved.cu", "of somebody else");
  WriteFile("class/bob/lab1/v1_interleaved.cu", "of bob");
  const auto all = Found({"class"});
  ASSERT_THAT(all, SizeIs(2));
  for (const Submission& s : all) {
    const bool is_bob = s.id == "bob";
    EXPECT_EQ(s.files.at("lab1/v1_interleaved.cu"), is_bob ? "of bob" : "of somebody else");
    EXPECT_EQ(s.id, is_bob ? "bob" : "bob-2");
    EXPECT_EQ(Messages(s).find("its name is \" bob\"; reports call it bob-2") == std::string::npos, is_bob);
  }
}

TEST_F(DiscoverTest, CollidingNamesAreNumbered) {
  WriteFile("a/ada/lab1/v1_interleaved.cu", "1");
  WriteFile("b/ada/lab1/v1_interleaved.cu", "2");
  WriteFile("b/ada-2/lab1/v1_interleaved.cu", "3");
  WriteArchive("b/ada.zip", {});
  const auto all = Found({"a", "b"});
  EXPECT_THAT(Ids(all), ElementsAre("ada", "ada-2", "ada-2-2", "ada-3"));
  EXPECT_EQ(all[1].files.at("lab1/v1_interleaved.cu"), "2");
  EXPECT_EQ(all[2].files.at("lab1/v1_interleaved.cu"), "3");
}

TEST_F(DiscoverTest, IdsAreFitToPrint) {
  WriteFile("all/evil\n\x1b[31m/lab1/v1_interleaved.cu", "1");
  WriteFile("all/S\xC3\xB8ren/lab1/v1_interleaved.cu", "1");
  EXPECT_THAT(Ids(Found({"all"})), ElementsAre("S\xC3\xB8ren", "evil__[31m"));
}

TEST_F(DiscoverTest, AMissingPathIsAUsageError) {
  const auto found = Discover({Path("nowhere")}, Labs());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(found.error().message, HasSubstr("nowhere: there is no such file or folder"));
}

TEST_F(DiscoverTest, APlainFileIsAUsageError) {
  WriteFile("v1_interleaved.cu", "x");
  const auto found = Discover({Path("v1_interleaved.cu")}, Labs());
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("neither a folder nor an archive"));
}

TEST_F(DiscoverTest, LinksInAFolderAreRefusedAndNotFollowed) {
  WriteFile("secret.cu", "the solution");
  WriteFile("secret/v1_naive.cu", "the solution");
  WriteFile("ada/lab1/v3_sequential.cu", "mine");
  fs::create_symlink(Path("secret.cu"), Path("ada/lab1/v1_interleaved.cu"));
  fs::create_directory_symlink(Path("secret"), Path("ada/lab2"));
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v3_sequential.cu", "mine")));
  EXPECT_THAT(Messages(s), AllOf(HasSubstr("lab1/v1_interleaved.cu: refused: it is a symbolic link"),
                                 HasSubstr("lab2: refused: it is a symbolic link")));
}

TEST_F(DiscoverTest, AStudentThatIsALinkGetsARowThatSaysSo) {
  WriteFile("elsewhere/lab1/v1_interleaved.cu", "x");
  fs::create_directories(Path("all"));
  fs::create_directory_symlink(Path("elsewhere"), Path("all/ada"));
  const auto all = Found({"all"});
  ASSERT_THAT(Ids(all), ElementsAre("ada"));
  EXPECT_THAT(all[0].files, IsEmpty());
  EXPECT_THAT(Messages(all[0]), HasSubstr("symbolic link, which is not followed"));
}

TEST_F(DiscoverTest, APipeUnderARungsNameDoesNotHang) {
  WriteFile("ada/lab1/v3_sequential.cu", "mine");
  ASSERT_EQ(mkfifo(Path("ada/lab1/v1_interleaved.cu").c_str(), 0600), 0);
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, SizeIs(1));
  EXPECT_THAT(Messages(s),
              HasSubstr("lab1/v1_interleaved.cu: refused: it is not a regular file; send the file itself"));
}

// In memory, where so many are made in a moment.
TEST_F(DiscoverTest, NoMoreThanSoManyFilesOfAFolderAreLookedAtAndAMessageSaysSo) {
  std::string folder = (fs::exists("/dev/shm") ? "/dev/shm" : root_.string()) + "/warpgrade-ada-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  for (int i = 0; i <= kMaxEntriesScanned; ++i) {
    ASSERT_EQ(mknod((folder + "/" + std::to_string(i)).c_str(), S_IFREG | 0600, 0), 0);
  }
  const auto found = Discover({folder}, Labs());
  fs::remove_all(folder);
  ASSERT_TRUE(found);
  EXPECT_THAT(Messages(found->at(0)), HasSubstr("holds more than 100000 files, and only the first 100000 were read"));
}

TEST_F(DiscoverTest, NamesOfNoEncodingAreEscapedAndTheOthersTaken) {
  WriteFile("ada/\xFF\xFE/v1_naive.cu", "in a folder of a strange name");
  WriteFile("ada/v1_interleaved \xE9.cu", "Latin-1");
  WriteFile("ada/lab1/v3_sequential.cu", "three");
  const Submission s = FoundOne("ada");
  EXPECT_EQ(s.files.at("lab1/v3_sequential.cu"), "three");
  EXPECT_EQ(Messages(s).find('\xE9'), std::string::npos);
  EXPECT_EQ(Messages(s).find('\xFF'), std::string::npos);
  EXPECT_THAT(Messages(s), HasSubstr("\\xe9"));
}

TEST_F(DiscoverTest, AStudentWhoseNameIsAFormulaKeepsItAsText) {
  WriteFile("all/=cmd|' C calc'!A0/lab1/v1_interleaved.cu", "1");
  WriteArchive("all/@SUM(1+1).zip", {{"lab1/v1_interleaved.cu", "2"}});
  EXPECT_THAT(Ids(Found({"all"})), ElementsAre("=cmd|' C calc'!A0", "@SUM(1+1)"));  // the reports make them harmless
}

TEST_F(DiscoverTest, AFileThatIsTooLargeIsRefused) {
  WriteFile("ada/lab1/v1_interleaved.cu", std::string(kMaxFileBytes + 1, 'x'));
  WriteFile("ada/lab1/v3_sequential.cu", std::string(kMaxFileBytes, 'x'));
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, SizeIs(1));
  EXPECT_THAT(Messages(s), HasSubstr("lab1/v1_interleaved.cu: refused: it is larger than 256 KB"));
}

TEST_F(DiscoverTest, WhatIsNoTextIsRefusedWithItsLine) {
  WriteFile("ada/lab1/v1_interleaved.cu", std::string("int a;\nint b;\0\n", 15));
  WriteFile("ada/lab1/v2_shared.cu", "\xFF\xFEi\0n\0t\0");
  WriteFile("ada/lab1/v3_sequential.cu",
            "\x7f"
            "ELF\x02\x01");
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, IsEmpty());
  EXPECT_THAT(Messages(s),
              AllOf(HasSubstr("lab1/v1_interleaved.cu: refused: it is not text: line 2 holds a byte \\x00"),
                    HasSubstr("lab1/v2_shared.cu: refused: it is UTF-16; save it as UTF-8"),
                    HasSubstr("lab1/v3_sequential.cu: refused: it is not text: line 1 holds a byte \\x02")));
}

TEST_F(DiscoverTest, CommentsInAnyEncodingAreText) {
  WriteFile("ada/lab1/v1_interleaved.cu", "// gr\xFC\xDF\x65 (Latin-1)\r\n\tint x;\f\n");
  WriteFile("ada/lab1/v3_sequential.cu", "\xEF\xBB\xBF// \xE2\x9C\x93\n");
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, SizeIs(2));
  EXPECT_THAT(s.messages, IsEmpty());
}

TEST_F(DiscoverTest, AnEmptyFileIsAFile) {
  WriteFile("ada/lab1/v1_interleaved.cu", "");
  EXPECT_THAT(FoundOne("ada").files, ElementsAre(Pair("lab1/v1_interleaved.cu", "")));
}

TEST_F(DiscoverTest, TheLabsFolderIsPreferredToAFlatCopyAndAMessageSaysSo) {
  WriteFile("ada/v3_sequential.cu", "flat");
  WriteFile("ada/lab1/v3_sequential.cu", "in its lab");
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, ElementsAre(Pair("lab1/v3_sequential.cu", "in its lab")));
  EXPECT_THAT(s.messages, ElementsAre("v3_sequential.cu: not taken, because lab1/v3_sequential.cu was taken for "
                                      "lab1/v3_sequential.cu; send only one of them"));
}

TEST_F(DiscoverTest, NearMissesOfANameAreExplained) {
  WriteFile("ada/lab1/v1_interleaved.cu", "x");
  WriteFile("ada/lab1/V3_Sequential (1).cu", "x");
  WriteFile("ada/lab1/mine.cu", "x");
  WriteFile("ada/lab1/v1_naive.cu", "x");
  WriteFile("ada/lab1/v3_sequential.o", "x");
  const Submission s = FoundOne("ada");
  EXPECT_THAT(s.files, SizeIs(1));
  EXPECT_THAT(s.messages, ElementsAre("lab1/V3_Sequential (1).cu: not taken, because no lab asks for a file with this "
                                      "name; did you mean v3_sequential.cu?",
                                      "lab1/mine.cu: not taken, because no lab asks for a file with this name",
                                      "lab1/v1_naive.cu: not taken, because it is in the wrong folder; put it into the "
                                      "folder of its lab (lab1/, ...)"));
}

}  // namespace
}  // namespace warpgrade::submission
