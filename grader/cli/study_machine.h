// This machine, for studies that compile programs.
#pragma once

#include <memory>
#include <string>

#include "grader/build/files.h"
#include "grader/build/toolchain.h"
#include "grader/cli/device_choice.h"
#include "grader/config/kit.h"
#include "grader/study/machine.h"

namespace warpgrade::cli {

class StudyMachine : public study::Machine {
 public:
  explicit StudyMachine(Device wanted) : wanted_(wanted) {}

  Result<bool> HasGpu() override;
  Result<std::string> RunProgram(std::string_view program, const std::vector<std::string>& arguments) override;
  Result<ToolEnd> Call(const std::string& tool, const std::vector<std::string>& arguments) override;
  Status Write(const std::string& name, std::string_view content) override;
  Result<std::string> Read(const std::string& name) override;

 private:
  // Finds the compilers and makes the folder, when they are needed first.
  Status Prepare();
  Result<std::string> Compile(std::string_view program, const DeviceChoice& device, const config::Kit& kit);

  const Device wanted_;
  std::unique_ptr<build::WorkDirectory> folder_;
  build::Toolchain toolchain_;
};

}  // namespace warpgrade::cli
