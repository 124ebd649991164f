#include "tests/config/json_schema.h"

#include <cmath>
#include <regex>
#include <set>

namespace warpgrade {
namespace {

using nlohmann::json;

bool HasType(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number() && value.get<double>() == std::floor(value.get<double>());
  return false;
}

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  std::vector<std::string> Errors(const json& schema, const json& value, const std::string& path) const {
    std::vector<std::string> errors;
    for (const auto& [keyword, rule] : schema.items()) Check(schema, keyword, rule, value, path, &errors);
    return errors;
  }

 private:
  using Strings = std::vector<std::string>;

  static void Append(const Strings& more, Strings* errors) { errors->insert(errors->end(), more.begin(), more.end()); }

  void Check(const json& schema, const std::string& keyword, const json& rule, const json& value,
             const std::string& path, Strings* errors) const {
    static const std::set<std::string> kAnnotations = {"$schema", "$defs", "title", "description", "examples"};
    const auto fail = [&](const std::string& what) { errors->push_back(path + ": " + what); };
    if (kAnnotations.contains(keyword)) return;
    if (keyword == "$ref") {
      Append(Errors(root_.at(json::json_pointer(rule.get<std::string>().substr(1))), value, path), errors);
    } else if (keyword == "type") {
      bool fits = false;
      for (const json& type : rule.is_array() ? rule : json::array({rule})) fits |= HasType(value, type);
      if (!fits) fail("is not " + rule.dump());
    } else if (keyword == "const") {
      if (value != rule) fail("is not " + rule.dump());
    } else if (keyword == "enum") {
      if (std::find(rule.begin(), rule.end(), value) == rule.end()) fail(value.dump() + " is not one of those allowed");
    } else if (keyword == "anyOf" || keyword == "oneOf") {
      size_t matches = 0;
      for (const json& option : rule) matches += Errors(option, value, path).empty() ? 1 : 0;
      if (matches == 0 || (keyword == "oneOf" && matches != 1)) fail("fits " + std::to_string(matches) + " options");
    } else if (value.is_object() && CheckObject(schema, keyword, rule, value, path, errors)) {
    } else if (keyword == "items" || keyword == "minItems") {
      if (value.is_array()) CheckArray(keyword, rule, value, path, errors);
    } else if (keyword == "pattern") {
      if (value.is_string() && !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()))) {
        fail(value.dump() + " does not match " + rule.dump());
      }
    } else if (value.is_number() ? !CheckNumber(keyword, rule, value) : !IsKnown(keyword)) {
      fail(keyword + " " + rule.dump() + " does not hold of " + value.dump());
    }
  }

  static bool IsKnown(const std::string& keyword) {
    static const std::set<std::string> kKeywords = {"required",      "properties",       "additionalProperties",
                                                    "propertyNames", "minProperties",    "minimum",
                                                    "maximum",       "exclusiveMinimum", "multipleOf"};
    return kKeywords.contains(keyword);
  }

  static bool CheckNumber(const std::string& keyword, const json& rule, const json& value) {
    const double number = value, bound = rule.is_number() ? rule.get<double>() : 0;
    if (keyword == "minimum") return number >= bound;
    if (keyword == "maximum") return number <= bound;
    if (keyword == "exclusiveMinimum") return number > bound;
    if (keyword == "multipleOf") return std::fabs(number / bound - std::round(number / bound)) < 1e-6;
    return IsKnown(keyword);
  }

  // False when `keyword` says nothing about objects.
  bool CheckObject(const json& schema, const std::string& keyword, const json& rule, const json& value,
                   const std::string& path, Strings* errors) const {
    if (keyword == "required") {
      for (const json& key : rule) {
        if (!value.contains(key.get<std::string>())) errors->push_back(path + ": has no " + key.dump());
      }
    } else if (keyword == "properties") {
      for (const auto& [key, property] : rule.items()) {
        if (value.contains(key)) Append(Errors(property, value[key], path + "/" + key), errors);
      }
    } else if (keyword == "additionalProperties") {
      for (const auto& [key, member] : value.items()) {
        if (schema.contains("properties") && schema["properties"].contains(key)) continue;
        if (rule == false) {
          errors->push_back(path + ": may not have \"" + key + "\"");
        } else {
          Append(Errors(rule, member, path + "/" + key), errors);
        }
      }
    } else if (keyword == "propertyNames") {
      for (const auto& [key, member] : value.items()) Append(Errors(rule, key, path + "/" + key), errors);
    } else if (keyword == "minProperties") {
      if (value.size() < rule.get<size_t>()) errors->push_back(path + ": is too small");
    } else {
      return false;
    }
    return true;
  }

  void CheckArray(const std::string& keyword, const json& rule, const json& value, const std::string& path,
                  Strings* errors) const {
    if (keyword == "minItems") {
      if (value.size() < rule.get<size_t>()) errors->push_back(path + ": is too short");
      return;
    }
    for (size_t i = 0; i < value.size(); ++i) Append(Errors(rule, value[i], path + "/" + std::to_string(i)), errors);
  }

  const json& root_;
};

}  // namespace

std::vector<std::string> SchemaErrors(const json& schema, const json& value) {
  return Validator(schema).Errors(schema, value, "");
}

}  // namespace warpgrade
