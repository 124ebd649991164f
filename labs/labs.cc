#include "labs/labs.h"

#include <mutex>
#include <utility>
#include <vector>

namespace warpgrade {
namespace {

// Labs that were replaced stay, because others may hold them.
struct AddedLabs {
  std::mutex mutex;
  std::vector<std::unique_ptr<const Lab>> labs;
};

AddedLabs& Added() {
  static AddedLabs added;
  return added;
}

}  // namespace

// all_labs.inc has a row for each folder labs/labN: WARPGRADE_LAB(LabN). labs/CMakeLists.txt writes it.
#define WARPGRADE_LAB(function) const Lab& function();
#include "all_labs.inc"
#undef WARPGRADE_LAB

namespace {

const Lab* FindLabOfTheKit(std::string_view name) {
#define WARPGRADE_LAB(function) &function(),
  static const Lab* const kLabs[] = {
#include "all_labs.inc"
  };
#undef WARPGRADE_LAB
  for (const Lab* const lab : kLabs) {
    if (lab->name() == name) return lab;
  }
  return nullptr;
}

}  // namespace

bool IsLabOfTheKit(std::string_view name) { return FindLabOfTheKit(name) != nullptr; }

const Lab* AddLab(std::unique_ptr<const Lab> lab) {
  AddedLabs& added = Added();
  const std::lock_guard lock(added.mutex);
  return added.labs.emplace_back(std::move(lab)).get();
}

const Lab* FindLab(std::string_view name) {
  if (const Lab* const lab = FindLabOfTheKit(name)) return lab;
  AddedLabs& added = Added();
  const std::lock_guard lock(added.mutex);
  for (auto lab = added.labs.rbegin(); lab != added.labs.rend(); ++lab) {
    if ((*lab)->name() == name) return lab->get();
  }
  return nullptr;
}

}  // namespace warpgrade
