// The judge's view of a lab that a description describes.
#pragma once

#include <memory>
#include <string>

#include "grader/described/description.h"
#include "grader/lab/lab.h"

namespace warpgrade::described {

// Where the compiled parts of a lab are (prepare.h). Without `folder` the lab has cases and hints, but checks nothing.
struct Built {
  std::string folder;
  std::string adapter() const { return folder + "/adapter.a"; }
  std::string reference() const { return folder + "/reference"; }
};

// Lab::source() is the folder of `built`, from which another process opens the lab again.
std::unique_ptr<const Lab> MakeLab(Description description, Built built);

// A case whose reference was not computed throws LabFailure from Lab::Check.
// The lab whose compiled parts are in `folder`, as Lab::source() names it. The description is the copy there.
Result<std::unique_ptr<const Lab>> OpenBuilt(const std::string& folder);

}  // namespace warpgrade::described
