// course.yaml as a whole: what loads, and every mistake outside technique, throughput and limits by its exact message.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

const char* kGood =
    "course: {name: GPU Programming, term: 2026 autumn}\n"
    "targets:\n"
    "  h200: {match: NVIDIA H200, peak_bandwidth: 4800, peak_arithmetic: 66908, peak_tensor: 989000}\n"
    "  h200nvl: {match: NVIDIA H200 NVL}\n"
    "labs:\n"
    "  lab1:\n"
    "    title: Reduction\n"
    "    points: 15.5\n"
    "    rungs:\n"
    "      v1: {title: first, points: {correctness: 8}}\n"
    "      v2: {title: second, points: {correctness: 7.5}}\n"
    "  lab2:\n"
    "    title: Transpose\n"
    "    rungs:\n"
    "      v1: {title: naive, points: {correctness: 1}}\n";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CourseTest, LoadsACourse) {
  const Result<Course> course = LoadText(kGood);
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->name, "GPU Programming");
  EXPECT_EQ(course->term, "2026 autumn");
  ASSERT_EQ(course->targets.size(), 2u);
  EXPECT_EQ(course->targets[0].peak_bandwidth_gb_s, 4800);
  EXPECT_EQ(course->targets[0].peak_gflop_s, 66908);
  EXPECT_EQ(course->targets[0].peak_tensor_gflop_s, 989000);
  ASSERT_EQ(course->labs.size(), 2u);
  EXPECT_EQ(course->labs[0].Total().ToString(), "15.5");
  EXPECT_EQ(course->FindLab("lab2")->rungs[0].title, "naive");
  EXPECT_EQ(course->FindLab("lab3"), nullptr);
}

TEST(CourseTest, FindsTheMostExactTarget) {
  const Result<Course> course = LoadText(kGood);
  ASSERT_TRUE(course);
  EXPECT_EQ(course->FindTarget("NVIDIA H200")->id, "h200");
  EXPECT_EQ(course->FindTarget("NVIDIA H200 SXM")->id, "h200");
  EXPECT_EQ(course->FindTarget("NVIDIA H200 NVL")->id, "h200nvl");
  EXPECT_EQ(course->FindTarget("NVIDIA H2000"), nullptr);
  EXPECT_EQ(course->FindTarget("NVIDIA A100"), nullptr);
  EXPECT_EQ(course->FindTarget(""), nullptr);
}

TEST(CourseTest, RefusesPointsThatDoNotAddUp) {
  EXPECT_EQ(
      Mistakes(Replaced(kGood, "points: 15.5", "points: 100")),
      "course.yaml:8:13: the points of the rungs of lab1 sum to 15.5, but 'points' of lab1 is 100; change one of them");
}

TEST(CourseTest, AQuizCountsInTheLabsSum) {
  const std::string with_quiz = Replaced(kGood, "points: 15.5\n", "points: 25.5\n    quiz: {points: 10}\n");
  const Result<Course> course = LoadText(with_quiz);
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->labs[0].Total().ToString(), "25.5");
  EXPECT_EQ(course->labs[0].quiz->ToString(), "10");
  EXPECT_FALSE(course->labs[1].quiz);
  EXPECT_EQ(Mistakes(Replaced(with_quiz, "points: 25.5", "points: 15.5")),
            "course.yaml:8:13: the points of the rungs and the quiz of lab1 sum to 25.5, but 'points' of lab1 is 15.5; "
            "change one of them");
}

TEST(CourseTest, RefusesMistakesInAQuiz) {
  const auto with = [](const std::string& quiz) {
    return Mistakes(Replaced(kGood, "points: 15.5\n", "quiz: " + quiz + "\n"));
  };
  EXPECT_EQ(with("10"), "course.yaml:8:11: lab1.quiz is a single value; write a mapping with points and visibility");
  EXPECT_EQ(
      with("{}"),
      "course.yaml:8:11: lab1.quiz has no 'points'; add 'points: 10', the points for a quiz with all answers right");
  EXPECT_EQ(with("{points: -1}"), "course.yaml:8:20: lab1.quiz.points: '-1' is negative; write 0 or more points");
  EXPECT_EQ(with("{points: 1, point: 1}"),
            "course.yaml:8:23: unknown key 'point' in lab1.quiz; did you mean 'points'?");
}

TEST(CourseTest, NoRungMayBeCalledQuiz) {
  EXPECT_EQ(
      Mistakes(Replaced(kGood, "      v2:", "      quiz:")),
      "course.yaml:11:7: 'quiz' stands for the quiz of the lab, so a rung cannot have this name; choose another name");
}

TEST(CourseTest, SaysNothingOfASumWhoseTermsAreWrong) {
  EXPECT_EQ(Mistakes(Replaced(kGood, "correctness: 8}", "correctness: -8}")),
            "course.yaml:10:48: lab1.v1.points.correctness: '-8' is negative; write 0 or more points");
}

TEST(CourseTest, RefusesUnknownKeysWithTheNearestRightOne) {
  EXPECT_EQ(Mistakes(Replaced(kGood, "title: Reduction", "titel: Reduction")),
            "course.yaml:7:5: unknown key 'titel' in lab1; did you mean 'title'?\ncourse.yaml:7:5: lab1 has no "
            "'title'; add 'title: TEXT', the name that reports show");
  EXPECT_EQ(Mistakes(std::string(kGood) + "colour: red\n"),
            "course.yaml:16:1: unknown key 'colour' in the file; the keys are course, targets, limits, allow, hand_in, "
            "visibility, case_visibility, slurm "
            "and labs");
}

TEST(CourseTest, NamesAMissingSpaceAfterAColon) {
  EXPECT_EQ(
      Mistakes(Replaced(kGood, "{correctness: 1}", "{correctness:1}")),
      "course.yaml:15:35: 'correctness:1' in lab2.v1.points has no space after the colon; write 'correctness: 1'");
  EXPECT_EQ(
      Mistakes(Replaced(kGood, "points: {correctness: 1}", "points: correctness:1")),
      "course.yaml:15:34: 'correctness:1' in lab2.v1.points has no space after the colon; write 'correctness: 1'");
  EXPECT_EQ(Mistakes(Replaced(kGood, "{correctness: 1}", "{correct:1, correctness: 1}")),
            "course.yaml:15:35: unknown key 'correct:1' in lab2.v1.points; the keys are correctness, technique and "
            "throughput");
}

TEST(CourseTest, RefusesLabsAndRungsThatTheKitDoesNotHave) {
  const KitRungs kit = {{"lab1", {"v1", "v2"}}, {"lab2", {"v1"}}};
  const auto mistakes = [&kit](const std::string& text) {
    EXPECT_EQ(Mistakes(text), "") << "without a kit there is nothing to compare with";
    return Mistakes(text, kit);
  };
  EXPECT_EQ(mistakes(kGood), "");
  EXPECT_EQ(mistakes(Replaced(kGood, "  lab2:", "  lab22:")),
            "course.yaml:12:3: the kit has no lab 'lab22'; did you mean 'lab2'?");
  EXPECT_EQ(mistakes(Replaced(kGood, "  lab2:", "  sorting:")),
            "course.yaml:12:3: the kit has no lab 'sorting'; its labs are lab1 and lab2");
  EXPECT_EQ(mistakes(Replaced(kGood, "      v2: {title: second", "      v22: {title: second")),
            "course.yaml:11:7: lab1 of the kit has no rung 'v22'; did you mean 'v2'?");
  EXPECT_EQ(mistakes(Replaced(kGood, "      v2: {title: second", "      fast: {title: second")),
            "course.yaml:11:7: lab1 of the kit has no rung 'fast'; its rungs are v1 and v2");
  EXPECT_EQ(
      Mistakes(Replaced(kGood, "      v2: {title: second", "      fast: {title: second"), {{"lab1", {}}, {"lab2", {}}}),
      "")
      << "the rungs of this kit are not known";
}

TEST(CourseTest, RefusesDuplicateKeysAtEveryLevel) {
  EXPECT_EQ(Mistakes(std::string(kGood) + "course: {name: Again}\n"),
            "course.yaml:16:1: 'course' occurs twice in the file, first on line 1; remove one of them");
  EXPECT_EQ(Mistakes(Replaced(kGood, "      v2:", "      v1:")),
            "course.yaml:11:7: 'v1' occurs twice in lab1.rungs, first on line 10; remove one of them");
  EXPECT_EQ(Mistakes(Replaced(kGood, "{correctness: 1}", "{correctness: 1, correctness: 2}")),
            "course.yaml:15:51: 'correctness' occurs twice in lab2.v1.points, first on line 15; remove one of them");
}

TEST(CourseTest, RefusesMissingParts) {
  EXPECT_EQ(Mistakes("targets: {h200: {match: NVIDIA H200}}\n"),
            "course.yaml:1:1: the file has no 'course'; add 'course: {name: TEXT}'\ncourse.yaml:1:1: the file has no "
            "'labs'; add 'labs:' with one entry for each lab");
  EXPECT_EQ(Mistakes("course: {term: 2026}\n"
                     "targets: {h200: {peak_bandwidth: 4800}}\n"
                     "labs: {lab1: {title: L}}\n"),
            "course.yaml:1:9: course has no 'name'; add 'name: TEXT'\ncourse.yaml:2:17: targets.h200 has no 'match'; "
            "add 'match: NVIDIA H200', the name that nvidia-smi prints\ncourse.yaml:3:14: lab1 has no 'rungs'; add "
            "'rungs:' with one entry for each rung");
  EXPECT_EQ(Mistakes("course: {name: C}\n"
                     "labs: {lab1: {title: L, rungs: {v1: {title: T}, v2: {title: T, points: {}}}}}\n"),
            "course.yaml:2:37: lab1.v1 has no 'points'; add 'points: {correctness: 10}'\n"
            "course.yaml:2:72: lab1.v2.points has no 'correctness'; add 'correctness: 10', the points for right "
            "answers");
  EXPECT_EQ(Mistakes("course: {name: C}\nlabs: {}\n"), "course.yaml:2:7: labs is empty; add a lab");
  EXPECT_EQ(Mistakes("course: {name: C}\nlabs:\n"),
            "course.yaml:2:1: labs is empty; write a mapping with one entry for each lab");
}

TEST(CourseTest, RefusesWrongTypes) {
  EXPECT_EQ(Mistakes("- a\n- b\n"),
            "course.yaml:1:1: the file is a list; write a mapping with course, targets, limits, allow, hand_in, "
            "visibility, case_visibility, slurm and labs");
  EXPECT_EQ(Mistakes("hello\n"),
            "course.yaml:1:1: the file is a single value; write a mapping with course, targets, limits, allow, "
            "hand_in, visibility, case_visibility, slurm "
            "and labs");
  EXPECT_EQ(
      Mistakes("course: {name: [a]}\n"
               "targets: [h200]\n"
               "labs: {lab1: {title: {}, points: \"8\", rungs: {v1: {title: '', points: 8}, v2: 7}}}\n"),
      "course.yaml:1:16: course.name is a list; write some text\ncourse.yaml:2:10: targets is a list; write a "
      "mapping with one entry for each target\ncourse.yaml:3:22: lab1.title is a mapping; write some "
      "text\ncourse.yaml:3:34: lab1.points is text; write a number of points without quotes\ncourse.yaml:3:59: "
      "lab1.v1.title is empty; write some text\ncourse.yaml:3:71: lab1.v1.points is a single value; write a "
      "mapping with correctness, technique and throughput\ncourse.yaml:3:79: lab1.v2 is a single value; write a "
      "mapping with title, points, bonus, allow, technique, arithmetic, throughput, visibility and case_visibility");
}

TEST(CourseTest, RefusesNamesThatCannotNameAFile) {
  EXPECT_EQ(Mistakes(Replaced(kGood, "      v2:", "      ../v2:")),
            "course.yaml:11:7: '../v2' cannot be the name of a rung; use letters, digits and underscores");
  EXPECT_EQ(Mistakes(Replaced(kGood, "  lab2:", "  2nd lab:")),
            "course.yaml:12:3: '2nd lab' cannot be the name of a lab; use letters, digits and underscores");
  EXPECT_EQ(Mistakes(Replaced(kGood, "  lab2:", "  [a, b]:")),
            "course.yaml:12:3: a key of labs is a list; write a name");
}

TEST(CourseTest, RefusesTargetsThatCannotBeToldApart) {
  EXPECT_EQ(Mistakes(Replaced(kGood, "NVIDIA H200 NVL", "NVIDIA H200")),
            "course.yaml:4:20: targets h200 and h200nvl both match 'NVIDIA H200'; remove one of them");
  EXPECT_EQ(Mistakes(Replaced(kGood, "h200nvl:", "any:")),
            "course.yaml:4:3: 'any' stands for every GPU, so a target cannot have this name; choose another name");
  EXPECT_EQ(
      Mistakes(Replaced(kGood, "4800", "0")),
      "course.yaml:3:46: targets.h200.peak_bandwidth is not above 0; write a positive number of GB/s, or leave it out");
  EXPECT_EQ(
      Mistakes(Replaced(kGood, "989000", "-1")),
      "course.yaml:3:89: targets.h200.peak_tensor is not above 0; write a positive number of GFLOP/s, or leave it out");
}

TEST(CourseTest, FindsAllMistakesInOnePassSortedByLine) {
  EXPECT_EQ(Mistakes("course: {name: C}\n"
                     "labs:\n"
                     "  lab1:\n"
                     "    title: L\n"
                     "    points: 1.234\n"
                     "    rungs:\n"
                     "      v1: {title: T, points: {correctness: lots, speed: 3}}\n"
                     "limits: {run: {wall: 1}}\n"),
            "course.yaml:5:13: lab1.points: '1.234' has more than two decimals; round it to "
            "hundredths\ncourse.yaml:7:44: lab1.v1.points.correctness: 'lots' is not a number of points; write a "
            "number such as 8 or 2.5\ncourse.yaml:7:50: unknown key 'speed' in lab1.v1.points; the keys are "
            "correctness, technique and throughput\ncourse.yaml:8:22: limits.run.wall: '1' is not a duration; write a "
            "whole number with s, min or h, such as 60s");
}

TEST(CourseTest, ShowsTheFirstFiftyMistakes) {
  std::string text = kGood;
  for (int i = 0; i < 60; ++i) text += "x" + std::to_string(i) + ": 1\n";
  const std::string mistakes = Mistakes(text);
  EXPECT_EQ(std::count(mistakes.begin(), mistakes.end(), '\n'), 50);
  EXPECT_TRUE(mistakes.ends_with("\ncourse.yaml: and 10 more mistakes; correct these first")) << mistakes;
}

TEST(CourseTest, LetsAnAliasStandForAScale) {
  const Result<Course> course = LoadText(
      "course: {name: C}\n"
      "targets: {h200: {match: NVIDIA H200}}\n"
      "labs:\n"
      "  lab1:\n"
      "    title: L\n"
      "    rungs:\n"
      "      v1: {title: T, points: &p {correctness: 1, throughput: 1}, throughput: &s {h200: {unit: GB/s, zero: 1, "
      "full: 2}}}\n"
      "      v2: {title: T, points: *p, throughput: *s}\n");
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->labs[0].rungs[1].throughput_scales.at("h200").full, 2);
}

TEST(CourseFileTest, SaysWhyAFileCannotBeRead) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(LoadCourse(folder + "none/course.yaml", {}).error().message,
            folder + "none/course.yaml: there is no such file; check the path");
  EXPECT_EQ(LoadCourse(folder, {}).error().message, folder + ": this is a folder; name the .yaml file in it");
  EXPECT_EQ(LoadCourse("/dev/zero", {}).error().message, "/dev/zero: this is not a regular file; name a .yaml file");
  EXPECT_EQ(LoadCourse("/dev/null/course.yaml", {}).error().message,
            "/dev/null/course.yaml: cannot be read: Not a directory; check the path");
}

TEST(CourseFileTest, RefusesAFileThatIsTooLong) {
  EXPECT_EQ(Mistakes(std::string((1 << 20) + 1, '#')),
            "course.yaml: the file has 1048577 bytes, and the limit is 1048576; make it smaller");
}

TEST(CourseFileTest, SaysThatAFileIsUnreadable) {
  const std::string path = testing::TempDir() + "unreadable_" + std::to_string(getpid()) + ".yaml";
  std::ofstream(path) << kGood;
  chmod(path.c_str(), 0);
  const bool root = geteuid() == 0;
  ASSERT_EQ(seteuid(root ? 65534 : geteuid()), 0);  // root reads every file, nobody does not
  const Result<Course> course = LoadCourse(path, {});
  ASSERT_EQ(seteuid(root ? 0 : geteuid()), 0);
  ASSERT_FALSE(course);
  EXPECT_EQ(course.error().message, path + ": cannot be read: Permission denied; check its permissions");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace warpgrade::config
