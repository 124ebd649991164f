// The version of the installed NVIDIA driver, which the driver API does not tell.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::judge {

// "580.65.06" from the text of /proc/driver/nvidia/version; "" when there is none in it. Pure.
std::string ParseDriverVersion(std::string_view text);

// Of this machine; "" without an NVIDIA driver.
std::string InstalledDriverVersion();

}  // namespace warpgrade::judge
