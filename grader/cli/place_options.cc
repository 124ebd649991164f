// Tests: tests/cli/command_line_test.cc.
#include "grader/cli/place_options.h"

#include <map>
#include <string>

#include "grader/cli/choice.h"
#include "grader/cli/device_option.h"

namespace warpgrade::cli {

void AddPlaceOptions(CLI::App* command, SessionOptions* session) {
  AddDeviceOption(*command, &session->device);
  command
      ->add_option("--jobs,-j", session->jobs, "How many rungs to grade at the same time (default: one for each core)")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  session->sandbox = Sandbox::kBubblewrap;
  static const std::map<std::string, Sandbox> kSandboxes = {
      {"bubblewrap", Sandbox::kBubblewrap}, {"user", Sandbox::kUser}, {"none", Sandbox::kNone}};
  command
      ->add_option(
          "--sandbox", session->sandbox,
          "How to confine submissions: bubblewrap (the default); user, for root in a container without namespaces, so "
          "that they run as another user who owns nothing; or none, so that they run with all your rights")
      ->envname("WARPGRADE_SANDBOX")
      ->transform(OneOf(kSandboxes))
      ->type_name("KIND");
}

}  // namespace warpgrade::cli
