// The page of `warpgrade handout --html`: the handout of a lab with its contents, the points of its rungs, its ladder,
// and the words of the glossary that it links to, in one file, without the network, like the pages of html.h.
#pragma once

#include <string>
#include <vector>

#include "grader/plot/plot.h"
#include "grader/result/result.h"

namespace warpgrade::report {

struct HandoutRung {
  std::string name, title;
  double correctness = 0, technique = 0, throughput = 0;  // points
  bool is_bonus = false;
};

struct Handout {
  std::string name;      // "lab3", or "glossary"
  std::string markdown;  // of anybody
  std::string path;      // where that is, for errors
  std::string glossary;  // the Markdown of the glossary; "": there is none
  std::string course;    // its name and term
  std::string kit_version;
  // The rest is empty for the glossary.
  std::vector<HandoutRung> rungs;
  double points = 0, quiz_points = 0;  // of the lab, and of that its quiz
  std::vector<plot::Chart> charts;
};

// Errors: as HtmlOfMarkdown.
Result<std::string> HandoutPage(const Handout& handout);

}  // namespace warpgrade::report
