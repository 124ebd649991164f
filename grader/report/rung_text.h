// All that a report says about one rung, as plain text. The formats that have one text for each rung share it.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// The notes of a rung, each in a line or more, and for a right rung its limits and its speed before them. "" if there
// is nothing to say. Safe to print. `lab`: the one that has the rung, in `report`.
std::string RungText(const score::RungScore& rung, const score::LabScore& lab, const score::GradingReport& report);

// "lab2.v1_naive": the name of a rung in every format. Safe to print.
std::string RungName(const score::LabScore& lab, const score::RungScore& rung);

// Whether the rung has all points that it could get on this device.
bool HasAllMeasurablePoints(const score::RungScore& rung);

// Why a submission has no mark or has lost files, each in a line: what is not finished, then its messages. Safe to
// print.
std::string SubmissionText(const score::SubmissionScore& submission);

// At most about `bytes` of `text`, cut between two characters. If it cuts, a last line says so.
std::string CutText(const std::string& text, size_t bytes);

}  // namespace warpgrade::report
