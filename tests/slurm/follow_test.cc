// The loop with a Slurm of our own, which plays what a real one does only now and then: it answers late or not at all,
// loses tasks and forgets them. cluster_test.cc has the real one.
#include "grader/slurm/follow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "tests/cli/program.h"

namespace warpgrade::slurm {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

const std::string kOne(32, '1'), kTwo(32, '2'), kThree(32, '3');

// Knows jobs, runs nothing: tests say what becomes of the tasks.
class FakeSlurm {
 public:
  struct Job {
    std::string name, script, log;
    std::vector<std::string> words;  // of its tasks
  };

  Result<Output> Run(const std::vector<std::string>& command) {
    commands.push_back(command[0]);
    if (is_missing) return Error{ErrorKind::kMachine, "the program " + command[0] + " is not on PATH"};
    if (command[0] == "sbatch") return Sbatch(command);
    if (is_away) return Output{false, "slurm_load_jobs error: Unable to contact slurm controller\n"};
    if (command[0] == "scancel") {
      for (Job& job : jobs) {
        if (command[1] == "--name=" + job.name) job.words.assign(job.words.size(), "CANCELLED");
      }
      return Output{true, ""};
    }
    std::string text;
    for (size_t i = 0; i < jobs.size(); ++i) {
      for (size_t task = 0; task < jobs[i].words.size(); ++task) {
        if (jobs[i].words[task] == "FORGOTTEN") continue;
        text += "warpgrade|" + jobs[i].name + "|" + std::to_string(100 + i) + "|" + std::to_string(task) + "|" +
                jobs[i].words[task] + "|n" + std::to_string(task) + "|None\n";
      }
    }
    return Output{true, text};
  }

  bool is_missing = false;
  bool is_away = false;             // the controller does not answer
  bool accepts_while_away = false;  // but it gets what sbatch sends
  std::string refusal;              // of sbatch
  std::vector<Job> jobs;
  std::vector<std::string> commands;

 private:
  Result<Output> Sbatch(const std::vector<std::string>& command) {
    if (!refusal.empty()) return Output{false, refusal};
    Job job;
    size_t tasks = 0;
    for (const std::string& word : command) {
      if (word.starts_with("--job-name=")) job.name = word.substr(11);
      if (word.starts_with("--output=")) job.log = word.substr(9);
      if (word.starts_with("--array=0-")) tasks = static_cast<size_t>(std::stoi(word.substr(10))) + 1;
    }
    job.script = command.back();
    job.words.assign(tasks, "PENDING");
    if (!is_away || accepts_while_away) jobs.push_back(job);
    if (is_away) return Output{false, "sbatch: error: Unable to contact slurm controller (connect failure)\n"};
    return Output{true, std::to_string(99 + jobs.size()) + "\n"};
  }
};

class FollowTest : public testing::Test {
 protected:
  FollowTest() {
    options_.settings.chunk = 2;
    options_.settings.tries = 2;
    options_.name = "warpgrade-lab1";
    options_.keys = {kOne, kTwo, kThree};
    options_.task_command = {"/kit/warpgrade", "slurm-task"};
    options_.order = [](const std::string& key) -> Result<std::string> { return "order " + key; };
    options_.take = [this](const std::string& key, const std::string& result) -> Result<std::string> {
      if (result.starts_with("failed: ")) return result.substr(8);
      ++taken_[key];
      return std::string();
    };
    options_.show = [this](const std::string& where) { where_ = where; };
    options_.say = [this](const std::string& line) { said_.push_back(line); };
    options_.run = [this](const std::vector<std::string>& command) { return slurm_.Run(command); };
    options_.seconds = [this] { return now_; };
    options_.sleep = [this](double seconds) {
      now_ += seconds;
      ++turn_;
      return turn_ < 100 && on_turn_(turn_);
    };
  }

  // Follows until the end; `on_turn` is called after each turn, and false interrupts.
  Result<FollowResult> Follow(std::function<bool(int turn)> on_turn) {
    turn_ = 0;
    on_turn_ = std::move(on_turn);
    const Result<WorkFolder> work = WorkFolder::Lock(Folder());
    EXPECT_TRUE(work);
    return slurm::Follow(*work, options_);
  }
  std::string Folder() const { return folder_.Path("w"); }

  // The keys of a task of a job, as the task itself finds them.
  std::vector<std::string> KeysOf(size_t job, size_t task) const {
    const std::string number = fs::path(slurm_.jobs.at(job).script).stem().string();
    return WorkFolder::Open(Folder())->ReadArray(std::stoi(number))->tasks.at(task);
  }
  void Finish(size_t job, size_t task, const std::string& word = "COMPLETED", const std::string& result = "ok") {
    const Result<WorkFolder> work = WorkFolder::Open(Folder());
    for (const std::string& key : KeysOf(job, task)) ASSERT_TRUE(work->PutResult(key, result).ok());
    slurm_.jobs[job].words[task] = word;
  }
  void FinishAll(size_t job) {
    for (size_t task = 0; task < slurm_.jobs.at(job).words.size(); ++task) {
      if (slurm_.jobs[job].words[task] == "PENDING") Finish(job, task);
    }
  }

  const TemporaryFolder folder_;
  FakeSlurm slurm_;
  FollowOptions options_;
  std::map<std::string, int> taken_;
  std::vector<std::string> said_;
  std::string where_;
  double now_ = 1000;
  int turn_ = 0;
  std::function<bool(int)> on_turn_;
};

TEST_F(FollowTest, ABatchIsOneArrayAndItsResultsAreTakenOnce) {
  const Result<FollowResult> result = Follow([this](int) {
    FinishAll(0);
    return true;
  });
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->interrupted);
  EXPECT_THAT(taken_, ElementsAre(Pair(kOne, 1), Pair(kTwo, 1), Pair(kThree, 1)));
  ASSERT_THAT(slurm_.jobs, SizeIs(1));
  EXPECT_THAT(slurm_.jobs[0].words, SizeIs(2));
  EXPECT_THAT(slurm_.jobs[0].name, StartsWith("warpgrade-lab1-1-"));
  EXPECT_THAT(said_, ElementsAre("job 100: 2 tasks for 3 submissions"));
  EXPECT_THAT(WorkFolder::Open(Folder())->Arrays(), IsEmpty());
}

TEST_F(FollowTest, NothingToDoSubmitsNothing) {
  options_.keys.clear();
  ASSERT_TRUE(Follow([](int) { return true; }));
  EXPECT_THAT(slurm_.commands, IsEmpty());
}

TEST_F(FollowTest, AResultIsTakenWhileItsTaskStillRuns) {
  const Result<FollowResult> result = Follow([this](int turn) {
    if (turn == 1) {
      Finish(0, 0, "RUNNING");
      slurm_.jobs[0].words[1] = "RUNNING";
    }
    if (turn == 2) {
      EXPECT_THAT(taken_, SizeIs(2));
      EXPECT_EQ(where_, "2 tasks running on 2 nodes");
      Finish(0, 1);
    }
    return true;
  });
  ASSERT_TRUE(result);
  EXPECT_THAT(taken_, SizeIs(3));
  EXPECT_EQ(slurm_.jobs[0].words[0], "CANCELLED") << "its work is done";
}

TEST_F(FollowTest, ALostTaskIsSubmittedAgainAndTheBatchSaysWhy) {
  const Result<FollowResult> result = Follow([this](int turn) {
    if (turn == 1) {
      Finish(0, 1);
      slurm_.jobs[0].words[0] = "NODE_FAIL";
    }
    if (slurm_.jobs.size() == 2) FinishAll(1);
    return true;
  });
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->not_finished, IsEmpty());
  EXPECT_THAT(taken_, SizeIs(3));
  ASSERT_THAT(slurm_.jobs, SizeIs(2));
  EXPECT_THAT(slurm_.jobs[1].words, SizeIs(2)) << "each by itself";
  EXPECT_THAT(said_, ElementsAre("job 100: 2 tasks for 3 submissions", "2 submissions lost: node n0 was lost",
                                 "job 101: 2 tasks for 2 submissions"));
}

TEST_F(FollowTest, WhatIsLostAgainAndAgainIsNotFinishedAndTheLogsStay) {
  const Result<FollowResult> result = Follow([this](int) {
    if (slurm_.jobs.size() == 1 && slurm_.jobs[0].words[1] == "PENDING") Finish(0, 1);
    for (FakeSlurm::Job& job : slurm_.jobs) {
      if (job.words[0] == "PENDING") job.words[0] = "TIMEOUT";
    }
    if (slurm_.jobs.size() == 2 && slurm_.jobs[1].words[1] == "PENDING") Finish(1, 1);
    folder_.Write("w/logs/2-0.txt", "slow");
    return true;
  });
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->not_finished,
              ElementsAre(Pair(kOne,
                               "its task reached the time limit on node n0; raise slurm.time in course.yaml, or "
                               "lower slurm.chunk")));
  EXPECT_THAT(taken_, ElementsAre(Pair(kTwo, 1), Pair(kThree, 1)));
  EXPECT_TRUE(fs::exists(folder_.Path("w/logs/2-0.txt")));
  EXPECT_THAT(WorkFolder::Open(Folder())->Arrays(), IsEmpty()) << "the next batch tries again from the beginning";
}

TEST_F(FollowTest, ABatchThatIsEndedAndStartedAgainFollowsTheSameArray) {
  const Result<FollowResult> first = Follow([this](int) {
    Finish(0, 1, "RUNNING");
    return false;
  });
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->interrupted);
  EXPECT_THAT(first->jobs, ElementsAre("100"));
  EXPECT_THAT(slurm_.jobs[0].words, ElementsAre("PENDING", "RUNNING")) << "the tasks go on";
  const Result<FollowResult> second = Follow([this](int) {
    FinishAll(0);
    return true;
  });
  ASSERT_TRUE(second);
  EXPECT_THAT(slurm_.jobs, SizeIs(1));
  EXPECT_THAT(taken_, ElementsAre(Pair(kOne, 1), Pair(kTwo, 1), Pair(kThree, 1)));
  EXPECT_THAT(said_, Contains("found 1 array that was submitted before"));
}

// As if the process had been killed between the end of sbatch and the next line of our code.
void ForgetTheJob(const std::string& folder) {
  const Result<WorkFolder> work = WorkFolder::Open(folder);
  Array array = work->Arrays().at(0);
  array.job.clear();
  ASSERT_TRUE(work->PutArray(array).ok());
}

TEST_F(FollowTest, AnArrayIsFoundByItsNameIfTheBatchWasKilledRightAfterSbatch) {
  ASSERT_TRUE(Follow([](int) { return false; }));
  ForgetTheJob(Folder());
  ASSERT_TRUE(Follow([this](int turn) {
    if (turn == 1) {
      EXPECT_EQ(WorkFolder::Open(Folder())->Arrays().at(0).job, "100");
    }
    if (turn == 8) FinishAll(0);
    return true;
  }));
  EXPECT_THAT(slurm_.jobs, SizeIs(1));
  EXPECT_THAT(taken_, SizeIs(3));
}

TEST_F(FollowTest, ABatchThatWasKilledRightBeforeSbatchSubmitsOnce) {
  ASSERT_TRUE(Follow([](int) { return false; }));
  ForgetTheJob(Folder());
  slurm_.jobs.clear();
  ASSERT_TRUE(Follow([this](int) {
    if (slurm_.jobs.size() == 1) FinishAll(0);
    return true;
  }));
  EXPECT_THAT(slurm_.jobs, SizeIs(1));
  EXPECT_THAT(taken_, SizeIs(3));
}

TEST_F(FollowTest, WhileTheControllerIsAwayTheBatchWaitsAndResultsStillCome) {
  const Result<FollowResult> result = Follow([this](int turn) {
    if (turn == 1) slurm_.is_away = true;
    if (turn == 5) Finish(0, 0, "RUNNING");
    if (turn == 6) {
      EXPECT_THAT(taken_, SizeIs(2));
      EXPECT_THAT(where_, HasSubstr("Slurm does not answer"));
    }
    if (turn == 20) {
      slurm_.is_away = false;
      Finish(0, 1);
    }
    return true;
  });
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(slurm_.jobs, SizeIs(1));
  EXPECT_THAT(said_, ElementsAre("job 100: 2 tasks for 3 submissions", HasSubstr("Slurm does not answer ("),
                                 "Slurm answers again"));
}

TEST_F(FollowTest, AnUnclearSbatchThatWasAcceptedIsNotRepeated) {
  slurm_.is_away = slurm_.accepts_while_away = true;
  ASSERT_TRUE(Follow([this](int turn) {
    if (turn == 3) slurm_.is_away = false;
    if (turn == 12) FinishAll(0);
    return true;
  }));
  EXPECT_THAT(slurm_.jobs, SizeIs(1));
  EXPECT_THAT(taken_, SizeIs(3));
}

TEST_F(FollowTest, AnUnclearSbatchThatWasNotAcceptedIsRepeatedOnceAndIsNoTry) {
  options_.settings.tries = 1;
  slurm_.is_away = true;
  ASSERT_TRUE(Follow([this](int turn) {
    if (turn == 3) slurm_.is_away = false;
    if (slurm_.jobs.size() == 1) FinishAll(0);
    return true;
  }));
  EXPECT_THAT(slurm_.jobs, SizeIs(1));
  EXPECT_THAT(taken_, SizeIs(3));
}

TEST_F(FollowTest, ARefusedPartitionEndsTheBatchAndLeavesNoArray) {
  slurm_.refusal = "sbatch: error: invalid partition specified: nosuch\n";
  const Result<FollowResult> result = Follow([](int) { return true; });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(result.error().message,
            "sbatch refuses the tasks: sbatch: error: invalid partition specified: nosuch; correct 'slurm' in "
            "course.yaml");
  EXPECT_THAT(WorkFolder::Open(Folder())->Arrays(), IsEmpty());
}

TEST_F(FollowTest, ATaskThatRanAndWroteNothingRanWhereTheFolderIsAnother) {
  options_.settings.tries = 1;
  const Result<FollowResult> result = Follow([this](int) {
    for (std::string& word : slurm_.jobs[0].words) word = "COMPLETED";
    return true;
  });
  ASSERT_TRUE(result);
  ASSERT_THAT(result->not_finished, SizeIs(3));
  EXPECT_THAT(result->not_finished[0].second, HasSubstr("this is not the same folder there; let slurm.folder"));
}

TEST_F(FollowTest, TheLastLineOfALogSaysWhyATaskFailed) {
  options_.settings.tries = 1;
  const Result<FollowResult> result = Follow([this](int) {
    for (int task : {0, 1}) {
      folder_.Write("w/logs/1-" + std::to_string(task) + ".txt", "begin\nexec: /kit/warpgrade:\x1b not found\n\n");
      slurm_.jobs[0].words[static_cast<size_t>(task)] = "FAILED";
    }
    return true;
  });
  ASSERT_TRUE(result);
  EXPECT_THAT(result->not_finished.at(0).second, HasSubstr("ends with: exec: /kit/warpgrade:  not found"));
}

TEST_F(FollowTest, AResultThatSaysThatTheMachineFailedIsTriedAgain) {
  const Result<FollowResult> result = Follow([this](int) {
    if (slurm_.jobs.size() == 1) Finish(0, 0, "COMPLETED", "failed: node n0: no nvcc");
    if (slurm_.jobs.size() == 1) Finish(0, 1);
    if (slurm_.jobs.size() == 2) FinishAll(1);
    return true;
  });
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(said_, Contains("2 submissions lost: node n0: no nvcc"));
  EXPECT_THAT(taken_, SizeIs(3));
}

TEST_F(FollowTest, CancellingKeepsWhatIsFinishedAndEndsTheTasks) {
  ASSERT_TRUE(Follow([this](int) {
    Finish(0, 1, "RUNNING");
    return false;
  }));
  taken_.clear();
  {
    const Result<WorkFolder> work = WorkFolder::Lock(Folder());
    const Result<size_t> ended = CancelTasks(*work, options_);
    ASSERT_TRUE(ended);
    EXPECT_EQ(*ended, 2u);
    EXPECT_THAT(work->Arrays(), IsEmpty());
  }
  EXPECT_THAT(taken_, ElementsAre(Pair(kThree, 1)));
  EXPECT_THAT(slurm_.jobs[0].words, ElementsAre("CANCELLED", "CANCELLED"));
}

TEST_F(FollowTest, TasksThatCannotBeCancelledAreNotForgotten) {
  ASSERT_TRUE(Follow([](int) { return false; }));
  slurm_.is_away = true;
  const Result<WorkFolder> work = WorkFolder::Lock(Folder());
  EXPECT_FALSE(CancelTasks(*work, options_));
  EXPECT_THAT(work->Arrays(), SizeIs(1));
}

TEST_F(FollowTest, WithoutTheCommandsOfSlurmTheErrorNamesTheOneThatIsMissing) {
  slurm_.is_missing = true;
  const Result<FollowResult> result = Follow([](int) { return true; });
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("sbatch is not on PATH"));
}

}  // namespace
}  // namespace warpgrade::slurm
