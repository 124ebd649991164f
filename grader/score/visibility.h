// Who may see a result now. course.yaml says from when on students see the result of a rung, and what its cases show;
// staff see everything. Pure: the caller passes the time.
//
//   course.yaml --> VisibilityOf --> GradingReport::visibility
//                                         |
//   a report ---------------------> ReportFor(reader, now) --> a writer of grader/report, or a table
//
// So a writer does not decide what it may write: what its reader may not see is not in the report that it gets.
#pragma once

#include <cstdint>

#include "grader/config/course.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

enum class Reader {
  kStaff,     // sees everything, with a note for what students do not see now
  kStudents,  // see what course.yaml shows them now
  // A platform that gets all rungs and hides them itself by RungScore::visibility. What the cases show is for students.
  kPlatform,
};

// Whether `reader` may see now what has this visibility. `dates.due` is the student's, with the extension.
bool MaySee(config::Visibility visibility, const VisibilityDates& dates, Reader reader, int64_t now);

// For each lab of the course that does not show everything at once.
std::map<std::string, LabVisibility> VisibilityOf(const config::Course& course);

// True if students do not see at once what every case shows.
bool HidesCases(const config::CaseVisibility& cases);

// `report` for `reader`, by report.visibility.
//
// For students a rung that they may not see is taken out, with its points; the submission's messages say from when on
// it is shown, unless that is never. What stands beside the rungs, such as the deduction for lateness, is taken out as
// long as a rung is, because it tells the points. Then LabScore::is_partial is set. When all rungs but hidden ones are
// shown and the marks are published, the points of the hidden rungs are one rung "not_shown", so that the sum is right.
// A contest is taken out as long as one of its rungs is, and the notes on the class always. Of a rung that they may
// see, what the cases show that they may not see is taken out; the rung keeps its status, its counts and its points.
GradingReport ReportFor(Reader reader, int64_t now, GradingReport report);

}  // namespace warpgrade::score
