// A parameter or an answer as a person writes it: "48", "0.75", "1048576", "memory", "[1, 2, 3]".
#pragma once

#include <string>

#include "grader/config/quiz.h"

namespace warpgrade::quiz {

std::string ValueText(const config::QuizValue& value);

}  // namespace warpgrade::quiz
