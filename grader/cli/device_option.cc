#include "grader/cli/device_option.h"

#include <map>

#include "grader/cli/choice.h"

namespace warpgrade::cli {

void AddDeviceOption(CLI::App& command, Device* device) {
  static const std::map<std::string, Device> kNames = {
      {"auto", Device::kAuto}, {"gpu", Device::kGpu}, {"emulator", Device::kEmulator}};
  command.add_option("--device", *device, "Where to run: auto (the default: the GPU if there is one), gpu or emulator")
      ->transform(OneOf(kNames))
      ->type_name("DEVICE");
}

}  // namespace warpgrade::cli
