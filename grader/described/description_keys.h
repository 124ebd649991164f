// The keys of lab.yaml and hidden.yaml. A test compares schema/lab.schema.json with them.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::described {

inline const std::vector<std::string> kLabFileKeys = {
    "name",      "title",      "points", "function",  "types", "sizes",   "scalars", "buffers",     "work", "cases",
    "technique", "throughput", "hints",  "reference", "rungs", "best_of", "quiz",    "leaderboard", "allow"};
inline const std::vector<std::string> kBufferKeys = {"in", "out", "shape", "range", "tolerance"};
inline const std::vector<std::string> kToleranceKeys = {"relative", "absolute"};
inline const std::vector<std::string> kWorkKeys = {"elements", "bytes", "flops", "loads", "stores"};
inline const std::vector<std::string> kCaseKeys = {"type", "values"};  // beside the lab's sizes and scalars
inline const std::vector<std::string> kReferenceKeys = {"time"};
inline const std::vector<std::string> kHiddenFileKeys = {"cases", "other_size"};
inline const std::vector<std::string> kHiddenCaseKeys = {"type", "values", "times"};

}  // namespace warpgrade::described
