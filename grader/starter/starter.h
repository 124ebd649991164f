// `warpgrade make-starter`: makes the starter files of the students from the solutions, so that both always match.
//
//   // BEGIN SOLUTION            dropped
//     out[i] = in[i];            dropped: the student writes this
//   // ELSE STARTER              dropped
//   //|   NOT_WRITTEN_YET();     kept without its "//| ": "  NOT_WRITTEN_YET();"
//   // END SOLUTION              dropped
//
// Each marker stands on a line of its own and may be indented. A "//|" may be indented too: the indentation is kept,
// and the text after "//| " follows. A bare "//|" becomes an empty line. A block needs no ELSE STARTER if nothing
// replaces it (a helper function). At least one block of each file must have lines for the starter; otherwise the
// starter would not say that it is not written yet.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "grader/result/result.h"

namespace warpgrade::starter {

// The starter made from a solution. Constants and `__shared__` arrays that it does not use yet are marked
// [[maybe_unused]], so that it compiles without warnings. `name` ("solutions/lab1/v3_sequential.cu") is used in errors
// and in the first line of the starter. CRLF line ends and a missing newline at the end are kept. Errors (kUsage) are
// "name:line: what; what to do".
Result<std::string> MakeStarter(std::string_view name, std::string_view solution);

// Makes starter_dir/LAB/RUNG.cu from every solutions_dir/LAB/RUNG.cu. With `check_only` it writes nothing, and the
// error lists every file that is not up to date, missing, or without a solution. Without `check_only` it writes the
// files. A file without a solution is still an error, because somebody may have written it.
Status MakeStarterTree(const std::string& solutions_dir, const std::string& starter_dir, bool check_only);

// Makes other files (by path below `folder`). `check_only` has the same meaning. Other files in `folder` are not
// touched.
Status MakeFiles(const std::string& folder, const std::map<std::string, std::string>& files, bool check_only);

}  // namespace warpgrade::starter
