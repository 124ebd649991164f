// Nothing is untested: every handler's key is named by a table of tests, and every kind of finding by a program.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "grader/emulator/checks/finding.h"
#include "grader/emulator/machine/handlers/table.h"
#include "tests/emulator/exec/form.h"

namespace warpgrade::emulator {
namespace {

TEST(CompletenessTest, EveryHandlerHasATestAndEveryTestAHandler) {
  std::set<std::string> tested;
  for (auto forms :
       {IntegerForms, FloatForms, HalfForms, CompareForms, ConvertForms, MoveForms, NarrowForms, VideoForms}) {
    for (const Form& form : forms()) tested.insert(form.key);
  }
  for (auto keys : {GlobalAccessKeys, SharedAccessKeys, LocalAccessKeys, CollectiveKeys, SpecialRegisterKeys, AsyncKeys,
                    MatrixKeys, StackKeys}) {
    for (const std::string& key : keys()) tested.insert(key);
  }
  size_t count = 0;
  const char* const* keys = AllHandlerKeys(&count);
  std::set<std::string> handlers(keys, keys + count);
  EXPECT_GT(count, 1000u);
  for (const std::string& key : handlers) EXPECT_TRUE(tested.count(key)) << "no test exercises the handler " << key;
  for (const std::string& key : tested)
    EXPECT_TRUE(handlers.count(key)) << "a test names a handler that is not there: " << key;
}

// Each kind of finding has a program in which it is planted (tests/programs/faulty says how that is written).
TEST(CompletenessTest, EveryKindOfFindingHasAFaultyProgram) {
  std::set<std::string> planted;
  for (const auto& entry : std::filesystem::directory_iterator(FAULTY_PROGRAMS)) {
    std::ifstream file(entry.path());
    const std::string form = "// expect: ";
    for (std::string line; std::getline(file, line);) {
      if (line.rfind(form, 0) != 0) continue;
      const size_t end = std::min(line.find(' ', form.size()), line.size());
      planted.insert(line.substr(form.size(), end - form.size()));
    }
  }
  std::set<std::string> kinds;
  for (int kind = 0; Name(static_cast<FindingKind>(kind)) != std::string("unknown"); ++kind) {
    kinds.insert(Name(static_cast<FindingKind>(kind)));
  }
  EXPECT_GT(kinds.size(), 10u);
  for (const std::string& kind : kinds) {
    EXPECT_TRUE(planted.count(kind)) << kind << " of finding_kinds.def is planted nowhere: add a program with the line "
                                     << "'// expect: " << kind << " at FAULT' to tests/programs/faulty, and one that "
                                     << "must not raise it to tests/programs/tricky";
  }
  for (const std::string& kind : planted) {
    EXPECT_TRUE(kinds.count(kind)) << "a program expects " << kind << ", which is no row of finding_kinds.def";
  }
}

}  // namespace
}  // namespace warpgrade::emulator
