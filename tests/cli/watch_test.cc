// `warpgrade check --watch` as a student meets it: a file is saved, and its verdict follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr char kRung[] = "v1_interleaved_modulo";

// Waits as long as it takes; ctest ends a test that hangs.
void WaitUntil(const std::function<bool()>& is_so) {
  while (!is_so()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

class WatchTest : public testing::Test {
 protected:
  WatchTest() : right_(ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/solutions/lab1/" + kRung + ".cu")) {
    Save("no C++");
  }

  void Save(const std::string& text) const { folder_.Write(std::string("lab1/") + kRung + ".cu", text); }

  // The status of the rung in the file of results; "" while there is none.
  std::string Status() const {
    std::error_code none;
    if (!fs::exists(folder_.Path("results.json"), none)) return "";
    const auto results = nlohmann::json::parse(ReadText(folder_.Path("results.json")), nullptr, false);
    return results.is_discarded() ? "" : results["submissions"][0]["labs"][0]["rungs"][0]["status"];
  }

  ProgramResult WatchWhile(const std::function<void()>& edit) const {
    return RunProgram({WARPGRADE_BINARY, "check", "lab1", "v1", "--submission", folder_.Path(""), "--device",
                       "emulator", "--watch", "--json", folder_.Path("results.json")},
                      {}, [&edit](int pid) {
                        edit();
                        kill(pid, SIGINT);
                      });
  }

  TemporaryFolder folder_;
  const std::string right_;
};

TEST_F(WatchTest, EverySaveIsFollowedByItsVerdictUntilCtrlC) {
  const ProgramResult result = WatchWhile([this] {
    WaitUntil([this] { return Status() == "compile_error"; });
    const std::string name = std::string("lab1/") + kRung;
    folder_.Write(name + ".new", right_);
    fs::rename(folder_.Path(name + ".new"), folder_.Path(name + ".cu"));
    WaitUntil([this] { return Status() == "passed"; });
    fs::remove(folder_.Path(name + ".cu"));
    WaitUntil([this] { return Status() == "missing"; });
    Save(right_);
    WaitUntil([this] { return Status() == "passed"; });
  });
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr(std::string(" saved: ") + kRung + ".cu\n"));
  EXPECT_THAT(result.err, HasSubstr("Ctrl-C ends this\n"));
}

TEST_F(WatchTest, TheVerdictIsOfTheLastSaveEvenIfItCameWhileAnEarlierOneWasGraded) {
  const ProgramResult result = WatchWhile([this] {
    for (int i = 0; i < 5; ++i) {
      Save("broken " + std::to_string(i));
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
    Save(right_ + "// the last\n");
    WaitUntil([this] { return Status() == "passed"; });
  });
  EXPECT_EQ(result.exit_code, 130);
}

TEST_F(WatchTest, AFolderWithoutFilesIsSaidAndWaitedFor) {
  fs::remove_all(folder_.Path("lab1"));
  const ProgramResult result = WatchWhile([this] {
    WaitUntil([this] { return Status() == "missing"; });
    Save(right_);
    WaitUntil([this] { return Status() == "passed"; });
  });
  EXPECT_EQ(result.exit_code, 130);
}

// A second rung is saved, so the page is made of two gradings: both rungs must be below the roofs.
TEST_F(WatchTest, ThePageHasTheRooflineOfAllThatWasGradedSoFar) {
  const auto save = [this](const std::string& rung) {
    folder_.Write("lab6/" + rung + ".cu",
                  ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/solutions/lab6/" + rung + ".cu"));
  };
  const auto page = [this] {
    std::error_code none;
    return fs::exists(folder_.Path("page.html"), none) ? ReadText(folder_.Path("page.html")) : "";
  };
  const auto bounds = [&page](const std::string& rung) {
    return page().find(rung + " does ") != std::string::npos && page().find("bounds it at") != std::string::npos;
  };
  save("v1_naive");
  const ProgramResult result = RunProgram({WARPGRADE_BINARY, "check", "lab6", "--submission", folder_.Path(""),
                                           "--device", "emulator", "--watch", "--html", folder_.Path("page.html")},
                                          {}, [&](int pid) {
                                            WaitUntil([&] { return bounds("v1_naive"); });
                                            save("v2_shared");
                                            WaitUntil([&] { return bounds("v2_shared"); });
                                            EXPECT_TRUE(bounds("v1_naive"));
                                            kill(pid, SIGINT);
                                          });
  EXPECT_EQ(result.exit_code, 130);
}

TEST_F(WatchTest, ItDoesNotGoWithOneCase) {
  const ProgramResult result = RunProgram({WARPGRADE_BINARY, "check", "lab1", "v1", "--case", "1", "--watch"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--watch"));
}

}  // namespace
}  // namespace warpgrade
