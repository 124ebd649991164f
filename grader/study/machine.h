// What a study may ask of the machine on which it runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::study {

class Machine {
 public:
  virtual ~Machine() = default;

  // Whether programs run on a GPU. Errors: a GPU was wanted and there is none.
  virtual Result<bool> HasGpu() = 0;

  // Compiles a program, runs it on the chosen device, and returns what it printed. Its headers are the files that were
  // written before, and programs/measure.h. Errors (kMachine): no compiler, or the program failed.
  virtual Result<std::string> RunProgram(std::string_view program, const std::vector<std::string>& arguments) = 0;

  struct ToolEnd {
    int exit_code = 0;
    std::string output;  // of both streams
  };
  // Calls nvcc, ptxas or fatbinary in a folder of the study's own. Errors (kMachine): the toolkit has no such tool.
  virtual Result<ToolEnd> Call(const std::string& tool, const std::vector<std::string>& arguments) = 0;
  // A file of that folder.
  virtual Status Write(const std::string& name, std::string_view content) = 0;
  virtual Result<std::string> Read(const std::string& name) = 0;
};

}  // namespace warpgrade::study
