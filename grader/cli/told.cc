// Tests: tests/cli/author_test.cc.
#include "grader/cli/told.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/score/score.h"

namespace warpgrade::cli {
namespace {

using score::RungScore;
using score::RungStatus;

std::string InWords(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

std::vector<std::string> Told(const RungScore& rung) {
  std::vector<std::string> told;
  for (const score::CaseFailure& failure : rung.measurement.failures) {
    told.push_back(failure.message);
    told.push_back(fmt::format("got {}, want {}", failure.got, failure.want));
  }
  for (const score::Finding& finding : rung.measurement.findings) {
    told.insert(told.end(), {finding.kind, finding.message, finding.advice});
  }
  for (const score::TechniqueResult& limit : rung.technique) {
    if (limit.passed) continue;
    told.insert(told.end(), {limit.metric, InWords(limit.metric)});
    for (const score::BoundsResult& bound : limit.provided) {
      if (!bound.passed) told.push_back("with " + InWords(bound.metric));
    }
  }
  told.insert(told.end(), rung.measurement.messages.begin(), rung.measurement.messages.end());
  told.push_back(rung.measurement.hint);
  std::erase(told, "");
  return told;
}

std::string FirstTold(const RungScore& rung) {
  const RungStatus status = rung.measurement.status;
  if ((status == RungStatus::kCompileError || status == RungStatus::kRefused) && !rung.measurement.messages.empty()) {
    const std::string& message = rung.measurement.messages.front();
    return message.substr(0, message.find('\n'));
  }
  if (status == RungStatus::kPassed && rung.measurement.findings.empty()) {
    for (const score::TechniqueResult& limit : rung.technique) {
      if (limit.passed || !limit.value) continue;
      const bool by_bounds = !limit.value_holds || limit.provided.empty();
      const auto missed = std::find_if(limit.provided.begin(), limit.provided.end(),
                                       [](const score::BoundsResult& bound) { return !bound.passed; });
      const score::BoundsResult& shown = by_bounds || missed == limit.provided.end() ? limit : *missed;
      return fmt::format("{} is {:.6g}, and must be {}", shown.metric, shown.value.value_or(0), shown.limit);
    }
  }
  const std::vector<std::string> told = Told(rung);
  return told.empty() ? InWords(score::Name(rung.measurement.status)) : told.front().substr(0, told.front().find('\n'));
}

}  // namespace warpgrade::cli
