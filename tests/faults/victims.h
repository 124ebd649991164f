// Whom to kill: the processes of one grading, told apart by their place in it.
//
//   warpgrade ---- supervisor ---- bwrap ---- bwrap ---- nvcc, cicc, ...             compiler
//        '-------- supervisor ---- warpgrade judge-rung                              rung's judge
//                                        '---- supervisor ---- bwrap ---- bwrap ---- worker
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace warpgrade::faults {

enum class Victim { kWorker, kCompiler, kRungsJudge, kSupervisor, kSandbox, kGrader };

const char* NameOf(Victim victim);

// The living ones of that kind below `grader`, or itself. May miss one that is born or renamed while we look.
std::vector<pid_t> Find(Victim victim, pid_t grader);

// Everything below us that has not ended, as "pid name"; what has ended is waited for.
std::vector<std::string> StillRunning();

}  // namespace warpgrade::faults
