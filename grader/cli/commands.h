// The subcommands of `warpgrade`, one file each (NAME_command.cc). Each adds itself to the application with its
// options, help and examples; when it is chosen, its callback runs the command and sets *exit_code.
#pragma once

#include <CLI/CLI.hpp>

#include "grader/result/result.h"

namespace warpgrade::cli {

void AddGradeCommand(CLI::App& app, int* exit_code);
void AddBatchCommand(CLI::App& app, int* exit_code);
void AddInboxCommand(CLI::App& app, int* exit_code);
void AddBookCommand(CLI::App& app, int* exit_code);
void AddExportCommand(CLI::App& app, int* exit_code);
void AddLeaderboardCommand(CLI::App& app, int* exit_code);
void AddAutograderCommand(CLI::App& app, int* exit_code);
void AddAcceptCommand(CLI::App& app, int* exit_code);
void AddCheckCommand(CLI::App& app, int* exit_code);
void AddExplainCommand(CLI::App& app, int* exit_code);
void AddHandoutCommand(CLI::App& app, int* exit_code);
void AddQuizCommand(CLI::App& app, int* exit_code);
void AddPollCommand(CLI::App& app, int* exit_code);
void AddCourseCommand(CLI::App& app, int* exit_code);
void AddSimilarCommand(CLI::App& app, int* exit_code);
void AddReleaseCommand(CLI::App& app, int* exit_code);
void AddNewCommand(CLI::App& app, int* exit_code);
void AddProveCommand(CLI::App& app, int* exit_code);
void AddMakeStarterCommand(CLI::App& app, int* exit_code);
void AddDoctorCommand(CLI::App& app, int* exit_code);
void AddCalibrateCommand(CLI::App& app, int* exit_code);
void AddWhatIfCommand(CLI::App& app, int* exit_code);
void AddValidateCommand(CLI::App& app, int* exit_code);
void AddOccupancyCommand(CLI::App& app, int* exit_code);
void AddPlotCommand(CLI::App& app, int* exit_code);
void AddStudyCommand(CLI::App& app, int* exit_code);
void AddRunCommand(CLI::App& app, int* exit_code);
void AddUiCommand(CLI::App& app, int* exit_code);
void AddTestCommand(CLI::App& app, int* exit_code);         // only a message: the launcher has this command
void AddCtestReportCommand(CLI::App& app, int* exit_code);  // hidden: build/CTestCustom.cmake calls it
void AddAutogradeCommand(CLI::App& app, int* exit_code);    // hidden: the scripts of `autograder` call it
void AddJudgeRungCommand(CLI::App& app, int* exit_code);    // hidden: runs in the process that judges one rung
void AddSlurmTaskCommand(CLI::App& app, int* exit_code);    // hidden: a task of `batch --engine slurm` runs it
void AddBuildRungCommand(CLI::App& app, int* exit_code);    // hidden: `make LAB` compiles one rung with it

inline constexpr char kSlurmTaskCommand[] = "slurm-task";

// A hidden option of `run`, which main.cc puts before the `--`.
inline constexpr char kEndOfOptions[] = "--the-program-follows";

// Prints "warpgrade: MESSAGE" to standard error and returns the exit code that the error means.
int Fail(const Error& error);

}  // namespace warpgrade::cli
