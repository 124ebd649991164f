// The labs that this kit was built with, and those that were added. Only grader/cli includes this header: it hands the
// judge the lab to grade, so that the judge need not know which labs there are.
#pragma once

#include <memory>
#include <string_view>

#include "grader/lab/lab.h"

namespace warpgrade {

// The lab of that name ("lab1"); nullptr when there is no folder labs/lab1 and no such lab was added. Thread-safe, as
// the labs are.
const Lab* FindLab(std::string_view name);

// True for the labs that the kit was built with.
bool IsLabOfTheKit(std::string_view name);

// Adds a lab that course.yaml brings from outside of the kit, for as long as this process lives. It takes the place of
// one that was added before under its name. Returns the lab. REQUIRES: its name is not that of a lab of the kit.
const Lab* AddLab(std::unique_ptr<const Lab> lab);

}  // namespace warpgrade
