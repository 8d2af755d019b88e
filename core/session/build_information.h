// Facts of the build for bug reports: versions, compiler, licences.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// Version: "0.1.0".
std::string_view program_version();

// Names and values in the order to show: version, commit if known, compiler, kind of build, and the
// versions of libraries that were known at build time.
std::vector<std::pair<std::string, std::string>> build_information();

// A library that the program links or contains.
struct LibraryLicence {
  std::string_view library;  // name in build_information()
  std::string_view licence;  // SPDX identifier: "MIT"
  std::string_view package;  // Debian package; the licence text is /usr/share/doc/PACKAGE/copyright
};
std::span<const LibraryLicence> library_licences();

}  // namespace attn
