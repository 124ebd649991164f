// A course with two labs and a class that was measured, for the page of the thresholds; and the points of grader/score
// for many values, for comparing them with those of the page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "grader/config/course.h"
#include "grader/score/measurement.h"
#include "grader/score/score.h"

namespace warpgrade::report {

config::Course MeasuredCourse();
score::ScoringContext MeasuredContext();

// `size` submissions, from a seed: some are wrong, one is flagged, one has no result, and some values are no numbers.
score::GradingReport MeasuredClass(int size);

// {"limits": [{"bounds", "points", "samples": [[0, value, of_answer, others, points]]}],
//  "speeds": [{"scale", "points", "samples": [[value, points]]}]}
nlohmann::json PointsByScore();

}  // namespace warpgrade::report
