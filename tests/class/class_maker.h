// Makes the folder of a whole class: submissions of one lab as students hand them in, good and bad, and a manifest that
// says what each is and what it should get. The same options always make the same bytes.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpgrade::classes {

struct ClassOptions {
  std::string lab = "lab2";  // only lab2 has the kinds "own words" and "duplicate"; others may lack some more
  size_t size = 13;
  uint64_t seed = 1;
  bool signed_by_name = false;  // a comment at the end of each written file names the student, so no two are equal
};

// What the grader should say of one rung.
struct Expected {
  std::string status;          // a regular expression for the whole status
  double least = 0, most = 0;  // points without a GPU
};

struct Member {
  std::string id;           // of the submission in a report
  std::string file;         // the folder or archive, below the folder of the class
  std::string kind;         // "honest", "slow", ...: see Kinds() in class_maker.cc
  std::string packing;      // how it is handed in
  std::string what;         // in words: which mutant, which attack
  std::string copied_from;  // of a duplicate: the id of the original
  int64_t handed_in = 0;    // seconds since 1970; also the time of its files
  bool late = false;
  std::map<std::string, Expected> rungs;
};

struct MadeClass {
  int64_t due = 0;
  std::vector<Member> members;
};

// How the comment begins that ClassOptions::signed_by_name adds.
inline constexpr const char* kSignature = "// handed in by ";

// Writes the submissions below `folder`. A class of 13 or more has every kind that its lab can have. Throws
// std::exception when a file of the kit cannot be read or a submission cannot be written.
MadeClass MakeClass(const ClassOptions& options, const std::string& folder);

// The manifest: {"lab", "seed", "due", "submissions": [{"id", "file", "kind", ..., "rungs": {RUNG: {"status", "least",
// "most"}}}]}.
nlohmann::json ManifestOf(const ClassOptions& options, const MadeClass& made);

}  // namespace warpgrade::classes
