// The students, the overrides and the settings of a gradebook; attempts.cc and gradings.cc have the rest.
// Tests: tests/gradebook/gradebook_test.cc.
#include "grader/gradebook/gradebook.h"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "grader/gradebook/database.h"

namespace warpgrade::gradebook {

Gradebook::Gradebook(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Gradebook::Gradebook(Gradebook&&) noexcept = default;
Gradebook& Gradebook::operator=(Gradebook&&) noexcept = default;
Gradebook::~Gradebook() = default;

bool LooksLikeGradebook(const std::string& path) {
  constexpr std::string_view kBegin = "SQLite format 3";
  std::string begin(kBegin.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kBegin;
}

Result<Gradebook> Gradebook::Open(const std::string& path, Access access, const std::string& kit_version) {
  auto connection = Connection::Open(path, access, kit_version);
  if (!connection) return connection.error();
  return Gradebook(std::move(*connection));
}

const std::string& Gradebook::path() const { return connection_->path(); }

Result<uint64_t> Gradebook::Seed() {
  return connection_->Try([this]() -> Result<uint64_t> {
    return std::stoull(connection_->db().execAndGet("SELECT value FROM setting WHERE name = 'seed'").getString());
  });
}

Result<std::string> Gradebook::CourseYaml() {
  return connection_->Try([this]() -> Result<std::string> {
    SQLite::Statement row(connection_->db(), "SELECT value FROM setting WHERE name = 'course.yaml'");
    return row.executeStep() ? row.getColumn(0).getString() : std::string();
  });
}

Status Gradebook::PutCourseYaml(const std::string& path) {
  return connection_->TryToWrite([&]() -> Status {
    SQLite::Statement put(connection_->db(),
                          "INSERT INTO setting VALUES('course.yaml', ?) ON CONFLICT(name) DO UPDATE SET value = "
                          "excluded.value");
    put.bind(1, path);
    put.exec();
    return Status();
  });
}

Status Gradebook::PutRoster(const std::vector<Student>& roster) {
  return connection_->TryToWrite([&]() -> Status {
    connection_->db().exec("UPDATE student SET enrolled = 0");
    SQLite::Statement put(connection_->db(),
                          "INSERT INTO student(id, name, email, section, extension, enrolled, canvas_id, login) "
                          "VALUES(?, ?, ?, ?, ?, 1, ?, ?) ON CONFLICT(id) DO UPDATE SET "
                          "name = excluded.name, email = excluded.email, section = excluded.section, "
                          "extension = excluded.extension, enrolled = 1, canvas_id = excluded.canvas_id, "
                          "login = excluded.login");
    for (const Student& student : roster) {
      put.reset();
      put.bind(1, student.id);
      put.bind(2, student.name);
      put.bind(3, student.email);
      put.bind(4, student.section);
      put.bind(5, student.extension);
      put.bind(6, student.canvas_id);
      put.bind(7, student.login);
      put.exec();
    }
    return Status();
  });
}

Result<std::vector<Student>> Gradebook::Students() {
  return connection_->Try([this]() -> Result<std::vector<Student>> {
    std::vector<Student> students;
    SQLite::Statement row(connection_->db(),
                          "SELECT id, name, email, section, extension, enrolled, canvas_id, login FROM student "
                          "ORDER BY id");
    const auto text = [&row](int column) { return row.getColumn(column).getString(); };
    while (row.executeStep()) {
      students.push_back(
          {text(0), text(1), text(2), text(3), text(4), row.getColumn(5).getInt() != 0, text(6), text(7)});
    }
    return students;
  });
}

Status Gradebook::AddOverride(const Override& override_of) {
  return connection_->TryToWrite([&]() -> Status {
    SQLite::Statement add(connection_->db(),
                          "INSERT INTO override_of_points(student, lab, rung, points, reason, author, made_at, "
                          "is_change) VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    add.bind(1, override_of.student);
    add.bind(2, override_of.lab);
    add.bind(3, override_of.rung);
    if (override_of.points) {
      add.bind(4, override_of.points->hundredths());
    } else {
      add.bind(4);
    }
    add.bind(5, override_of.reason);
    add.bind(6, override_of.author);
    add.bind(7, override_of.made_at.empty() ? UtcNow() : override_of.made_at);
    add.bind(8, override_of.is_change ? 1 : 0);
    add.exec();
    return Status();
  });
}

Result<std::vector<Override>> Gradebook::Overrides(const std::string& student) {
  return connection_->Try([&]() -> Result<std::vector<Override>> {
    std::vector<Override> overrides;
    SQLite::Statement row(connection_->db(),
                          fmt::format("SELECT student, lab, rung, points, reason, author, made_at, is_change FROM "
                                      "override_of_points {} ORDER BY key",
                                      student.empty() ? "" : "WHERE student = ?"));
    if (!student.empty()) row.bind(1, student);
    while (row.executeStep()) {
      Override found = {row.getColumn(0).getString(), row.getColumn(1).getString(),
                        row.getColumn(2).getString(), std::nullopt,
                        row.getColumn(4).getString(), row.getColumn(5).getString(),
                        row.getColumn(6).getString(), row.getColumn(7).getInt() != 0};
      if (!row.isColumnNull(3)) found.points = config::Points::FromHundredths(row.getColumn(3).getInt64());
      overrides.push_back(std::move(found));
    }
    return overrides;
  });
}

}  // namespace warpgrade::gradebook
