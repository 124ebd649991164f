// The versions of the tables: old files are brought up to date, and foreign ones are left alone.
#include "grader/gradebook/schema.h"

#include <filesystem>

#include "tests/gradebook/book_of_test.h"

namespace warpgrade::gradebook {
namespace {

using testing::HasSubstr;

class SchemaTest : public BookTest {
 protected:
  void Execute(const std::string& sql) const {
    SQLite::Database(Path(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
  }
  int Number(const std::string& sql) const {
    return SQLite::Database(Path(), SQLite::OPEN_READONLY).execAndGet(sql).getInt();
  }
  std::string ErrorOf(Access access) const {
    const Result<Gradebook> book = Gradebook::Open(Path(), access, "0.1.0");
    return book.ok() ? "" : book.error().message;
  }
};

TEST_F(SchemaTest, ANewFileHasTheTablesAndAVersionAndSaysWhoMadeThem) {
  Open();
  EXPECT_EQ(Number("PRAGMA user_version"), SchemaVersion());
  EXPECT_EQ(Number("SELECT count(*) FROM migration WHERE kit_version = '0.1.0'"), SchemaVersion());
  EXPECT_EQ(SQLite::Database(Path(), SQLite::OPEN_READONLY).execAndGet("PRAGMA journal_mode").getString(), "wal");
}

TEST_F(SchemaTest, OpeningItAgainChangesNothing) {
  Open();
  Open();
  EXPECT_EQ(Number("SELECT count(*) FROM migration"), SchemaVersion());
}

TEST_F(SchemaTest, AnOlderGradebookIsBroughtUpToDateAndKeepsWhatItHas) {
  {
    Gradebook book = Open();
    Grade(&book, AHandIn("s1", "text"));
  }
  // As version 1 left it.
  Execute("ALTER TABLE student DROP COLUMN canvas_id");
  Execute("ALTER TABLE student DROP COLUMN login");
  Execute("ALTER TABLE sources DROP COLUMN has_files");
  Execute("ALTER TABLE override_of_points DROP COLUMN is_change");
  Execute("DELETE FROM migration WHERE version > 1");
  Execute("PRAGMA user_version = 1");
  EXPECT_THAT(ErrorOf(Access::kRead), HasSubstr("this gradebook has version 1 of the tables"));
  Gradebook book = Open(Access::kWrite);
  EXPECT_EQ(Number("PRAGMA user_version"), SchemaVersion());
  EXPECT_EQ(Number("SELECT count(*) FROM migration"), SchemaVersion());
  EXPECT_TRUE(book.Attempts("s1", "")->at(0).grading.has_value());
  EXPECT_TRUE(book.PutRoster({{"s1", "Ada", "", "", "", true, "77", "ada"}}).ok());
  EXPECT_EQ(book.Students()->at(0).canvas_id, "77");
}

TEST_F(SchemaTest, AnEmptyFileBecomesAGradebookOnlyForABatch) {
  folder_.Write("marks.db", "");
  EXPECT_THAT(ErrorOf(Access::kRead), HasSubstr("marks.db: this file is empty; name a gradebook that"));
  EXPECT_THAT(ErrorOf(Access::kWrite), HasSubstr("marks.db: this file is empty; name a gradebook that"));
  EXPECT_EQ(ErrorOf(Access::kCreate), "");
  EXPECT_EQ(ErrorOf(Access::kRead), "");
}

TEST_F(SchemaTest, AFolderIsNoGradebook) {
  std::filesystem::create_directories(Path());
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
    EXPECT_THAT(ErrorOf(access), HasSubstr("marks.db: this is a folder; name the file of a gradebook"));
  }
  const auto book = Gradebook::Open(folder_.Path("none/marks.db"), Access::kCreate, "0.1.0");
  EXPECT_THAT(book.error().message, HasSubstr("none/marks.db: the folder of this file does not exist"));
  EXPECT_EQ(book.error().kind, ErrorKind::kUsage);
}

TEST_F(SchemaTest, TheDatabaseOfAnotherProgramIsLeftAlone) {
  Execute("CREATE TABLE bookmarks(url TEXT)");
  EXPECT_THAT(ErrorOf(Access::kCreate), HasSubstr("the database of another program"));
  EXPECT_THAT(ErrorOf(Access::kRead), HasSubstr("the database of another program"));
  EXPECT_EQ(Number("SELECT count(*) FROM sqlite_schema"), 1);
  EXPECT_EQ(SQLite::Database(Path(), SQLite::OPEN_READONLY).execAndGet("PRAGMA journal_mode").getString(), "delete");
}

TEST_F(SchemaTest, ALaterKitsGradebookIsLeftAlone) {
  Open();
  Execute("PRAGMA user_version = 999");
  EXPECT_THAT(ErrorOf(Access::kCreate), HasSubstr("this gradebook has version 999 of the tables"));
  EXPECT_THAT(ErrorOf(Access::kRead), HasSubstr("use the kit that wrote it, or a later one"));
  EXPECT_EQ(Number("PRAGMA user_version"), 999);
}

TEST_F(SchemaTest, AFileThatIsNoDatabaseIsLeftAlone) {
  folder_.Write("marks.db", "submission,points\r\ns1042,10\r\n" + std::string(5000, ' '));
  EXPECT_THAT(ErrorOf(Access::kCreate), HasSubstr("marks.db: this is not a gradebook"));
  EXPECT_THAT(ReadText(Path()), HasSubstr("s1042,10"));
}

}  // namespace
}  // namespace warpgrade::gradebook
