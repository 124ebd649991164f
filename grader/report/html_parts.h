// The files of grader/report/html/ and Chart.js, which cmake/embed.cmake puts into the program.
#pragma once

#include <string_view>

namespace warpgrade::report {

extern const std::string_view kPageHtml, kPageCss;
// What several pages share, and then a script for each page.
extern const std::string_view kSharedJs, kPicturesJs, kStepperJs, kSourceJs, kChartsJs;
extern const std::string_view kSubmissionJs, kClassJs, kPlotJs, kProgramJs, kStepsJs, kThresholdsJs, kUiJs, kHandoutJs;
extern const std::string_view kSimilarJs;
// "" where the kit was built without Chart.js. Then the page says so in the place of its charts.
extern const std::string_view kChartJs;

}  // namespace warpgrade::report
