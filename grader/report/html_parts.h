// The files of grader/report/html/ and Chart.js, which cmake/embed.cmake puts into the program.
#pragma once

#include <string_view>

namespace warpgrade::report {

extern const std::string_view kPageHtml, kPageCss, kSharedJs, kPicturesJs, kSubmissionJs, kClassJs, kPlotJs, kStepsJs,
    kUiJs;
// "" where the kit was built without Chart.js. Then the page says so in the place of its charts.
extern const std::string_view kChartJs;

}  // namespace warpgrade::report
