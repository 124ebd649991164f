// The pages of `warpgrade ui`: that of a submission, which asks its server whether there is a newer one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

struct UiState {
  uint64_t serial = 0, page = 0;
  bool busy = false;
  std::string status;
};

// As the script of the page reads it.
std::string UiStateText(const UiState& state);

struct UiPageText {
  std::string text;
  std::string policy;  // its Content-Security-Policy, for the header of the same name
};

// The page with this state. `report`: one submission, as its reader may see it; nullopt: there is none yet. `title`:
// then what is shown. REQUIRES: state.page is 0 exactly if there is no report.
UiPageText UiPage(const std::optional<score::GradingReport>& report, const UiState& state, const std::string& title,
                  const std::string& kit_version);

}  // namespace warpgrade::report
