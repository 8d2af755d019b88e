// Hands out what CMake wrote down when it configured the build.
#include "session/build_information.h"

#include "build_values.h"

namespace attn {

std::string_view program_version() { return kBuildValues[0].second; }

std::vector<std::pair<std::string, std::string>> build_information() {
  return {std::begin(kBuildValues), std::end(kBuildValues)};
}

}  // namespace attn
