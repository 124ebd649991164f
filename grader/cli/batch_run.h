// Runs a Batch with its progress on the terminal: what `batch` and `book regrade` share, and their options.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "grader/cli/batch.h"
#include "grader/cli/grading_session.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/roster/roster.h"

namespace warpgrade::cli {

// --device, --jobs, --sandbox and --no-cache.
void AddSessionOptions(CLI::App* command, SessionOptions* session);

struct BatchRun {
  std::string lab;
  std::string student;                                     // whose marks are printed; "": of all
  std::string html;                                        // the page of the class is written there; "": none is
  score::ClassNotes notes;                                 // for this page
  bool again = false;                                      // see Batch
  const std::vector<roster::Student>* roster = nullptr;    // see Batch
  std::function<Status(Batch*, SessionOptions*)> prepare;  // calls one of Batch's functions for this
  // Then makes the session grade elsewhere; null: it grades here.
  std::function<Status(Batch*, BatchProgress*, SessionOptions*)> engine;
};

// Grades into `book`, shows how far it is, and prints the marks of the lab and the summary. Returns the exit status.
int RunBatch(const BatchRun& run, SessionOptions session, gradebook::Gradebook* book);

}  // namespace warpgrade::cli
