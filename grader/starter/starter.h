// `warpgrade make-starter`: makes what students start from out of the solutions, so that the two cannot drift apart.
//
//   // BEGIN SOLUTION            dropped
//     out[i] = in[i];            dropped: what the student is to find out
//   // ELSE STARTER              dropped
//   //|   NOT_WRITTEN_YET();     kept without its "//| ": "  NOT_WRITTEN_YET();"
//   // END SOLUTION              dropped
//
// Markers stand alone on their lines and may be indented. A "//|" may be indented too; what stands before it is kept,
// what comes after "//| " follows; a bare "//|" becomes an empty line. What goes without anything in its place (a
// helper) needs no ELSE STARTER; but at least one block of a file must put something in its solution's place, or the
// starter would not say that it is not written yet.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "grader/result/result.h"

namespace warpgrade::starter {

// The starter made from a solution. Constants and `__shared__` arrays that it does not use yet are marked
// [[maybe_unused]], so that it compiles without warnings. `name` ("solutions/lab1/v3_sequential.cu") is for the errors
// and for the first line, which says where the file comes from. CRLF line ends are kept, also a missing newline at the
// end. Errors (kUsage) are "name:line: what; what to do".
Result<std::string> MakeStarter(std::string_view name, std::string_view solution);

// Makes starter_dir/LAB/RUNG.cu from every solutions_dir/LAB/RUNG.cu. With `check_only` nothing is written, and the
// error lists every file that is stale, missing or should not be there. Without it, stale and missing files are
// written; one that should not be there is still an error, because it may be somebody's work.
Status MakeStarterTree(const std::string& solutions_dir, const std::string& starter_dir, bool check_only);

// Makes other files (by path below `folder`), with the same meaning of `check_only`; what else is there is left alone.
Status MakeFiles(const std::string& folder, const std::map<std::string, std::string>& files, bool check_only);

}  // namespace warpgrade::starter
