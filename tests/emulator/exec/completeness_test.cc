// Every handler is tested: the keys that the tests' tables name are compared with the handlers' own list.
#include <gtest/gtest.h>

#include <set>
#include <string>

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

}  // namespace
}  // namespace warpgrade::emulator
