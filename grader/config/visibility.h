// From when on students may see the result of a rung, or what a case shows.
#pragma once

#include <map>
#include <string>

namespace warpgrade::config {

// In order: each one is seen no earlier than the one before it.
enum class Visibility {
  kVisible,           // at once
  kAfterDue,          // when the lab's due date is over; a student with an extension, when the extension is over
  kAfterPublication,  // from the lab's `published` on
  kHidden,            // never
};

// A case that course.yaml names, and where it does so.
struct NamedCase {
  Visibility visibility = Visibility::kVisible;
  int line = 0, column = 0;
};

// What students see of the cases of a rung that they may see: names of cases, wrong values, faults and advice.
struct CaseVisibility {
  Visibility public_cases = Visibility::kVisible, hidden_cases = Visibility::kVisible;
  std::map<std::string, NamedCase> named;  // by the name of a public case; it goes before public_cases
};

// "after_due", as in course.yaml.
const char* Name(Visibility visibility);

}  // namespace warpgrade::config
