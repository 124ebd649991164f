// A small JSON Schema validator for tests: the keywords that our schemas use, and an error for any other, so that a
// schema cannot promise what is not checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpgrade {

// Where `value` breaks `schema`: "/labs/0: ...". Empty when it does not.
std::vector<std::string> SchemaErrors(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace warpgrade
