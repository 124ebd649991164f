// What is unwise in one rung of course.yaml; see advice.h.
#pragma once

#include <initializer_list>
#include <string_view>

#include "grader/config/advice.h"
#include "grader/config/course.h"
#include "grader/config/yaml_tree.h"

namespace warpgrade::config {

// The value below these keys; nullptr if there is none.
const YamlNode* At(const YamlNode& root, std::initializer_list<std::string_view> keys);
// Its place; the place of the last key that is there, if there is no value.
Place PlaceAt(const YamlNode& root, std::initializer_list<std::string_view> keys);
// The place of the last of these keys.
Place KeyPlaceAt(const YamlNode& root, std::initializer_list<std::string_view> keys);

// `measured_target`: the target whose GPU facts.measured_on is; "": none. REQUIRES: `root` is the tree that `lab` and
// its `rung` were read from.
void AdviseOnRung(const YamlNode& root, const Lab& lab, const Rung& rung, const AdviceFacts& facts,
                  const std::string& measured_target, Problems* remarks);

}  // namespace warpgrade::config
