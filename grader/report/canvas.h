// The CSV file that Canvas imports into its gradebook.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// One row for each submission, one column for each lab, and the row of possible points:
//
//   Student,ID,SIS User ID,SIS Login ID,Section,lab2 (4711)
//       Points Possible,,,,,110
//   "Doe, Jane",1234,s1042,jdoe,1,29
//
// Canvas finds a student by ID, then by the SIS User ID, the SIS Login ID and the name. Without a roster
// (GradingReport::students) the id of the submission stands in the columns SIS User ID, SIS Login ID and Student. It
// never stands in the column ID, because Canvas would read "12abc" there as its student 12. A lab whose number in
// Canvas is not known (GradingReport::assignments) has no number; Canvas then looks for an assignment with the lab's
// name. The mark of a lab that is not finished is empty, which leaves the mark in Canvas as it is.
std::string CanvasText(const score::GradingReport& report);

}  // namespace warpgrade::report
