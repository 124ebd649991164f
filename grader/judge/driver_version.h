// The version of the installed NVIDIA driver, which the driver API does not report.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::judge {

// The version in the text of /proc/driver/nvidia/version, "580.65.06"; "" when there is none. Pure.
std::string ParseDriverVersion(std::string_view text);

// The version of this machine's driver; "" without an NVIDIA driver.
std::string InstalledDriverVersion();

}  // namespace warpgrade::judge
