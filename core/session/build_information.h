// What the program was built from, for reports of errors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// "0.1.0".
std::string_view program_version();

// Names and values in the order in which they are shown: version, commit where it is known,
// compiler, kind of build, and the libraries whose versions were known when it was built.
std::vector<std::pair<std::string, std::string>> build_information();

// A library that the program is linked with or made from.
struct LibraryLicence {
  std::string_view library;  // as build_information() names it
  std::string_view licence;  // its SPDX identifier: "MIT"
  std::string_view package;  // of Debian, where the text is in /usr/share/doc/PACKAGE/copyright
};
std::span<const LibraryLicence> library_licences();

}  // namespace attn
