// A page for a browser: everything in one file, without the network. One submission gets the page of a student: its
// points, what is wrong, and its source with the lines marked. Any other number gets the page of a class: a table, how
// the points are distributed, and what a person should look at.
//
//   <head>  <meta Content-Security-Policy: only these scripts and this style, by their SHA-256> <style>page.css</style>
//   <body>  the skeleton of page.html
//           <script type="application/json" id="data">  what html_submission.cc or html_class.cc says
//           <script> Chart.js    <script> shared.js and submission.js, or class.js
//
// The texts are files in grader/report/html/, which CMake puts into the program (html_parts.h).
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// The page. Text of students is printable (report::Printable), and only data in it: the scripts put it into the page as
// text. A class of 200 takes less than 1 MB.
std::string HtmlText(const score::GradingReport& report);
// The page of a class, even of one or none.
std::string ClassPage(const score::GradingReport& report);

// Data for the scripts, as JSON of ASCII characters without <, > and &, so that nothing in it ends a script element.
std::string SubmissionData(const score::GradingReport& report);  // REQUIRES: exactly one submission
std::string ClassData(const score::GradingReport& report);

// At most this much of one source file is shown.
inline constexpr size_t kMostSourceBytes = size_t{64} << 10;

}  // namespace warpgrade::report
