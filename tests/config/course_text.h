// Loads course.yaml texts for tests, and says what is wrong with them.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"

namespace warpgrade::config {

// Writes `text` to a temporary course.yaml and loads it. Known metrics: shared_bank_conflicts, global_load_efficiency.
Result<Course> LoadText(const std::string& text, const KitRungs& kit = {});

// The messages for `text`, with the file called "course.yaml"; "" when it loads.
std::string Mistakes(const std::string& text, const KitRungs& kit = {});

// A course whose only rung continues, from line 9 and column 9, with the lines of `rung`; those need no indentation.
// Its target is h200.
std::string CourseWithRung(const std::string& rung);

// The names of all metrics that the emulator has.
std::vector<std::string> MetricNames();

inline std::string RungMistakes(const std::string& rung) { return Mistakes(CourseWithRung(rung)); }

}  // namespace warpgrade::config
