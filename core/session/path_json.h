// Paths in JSON: text, or a list of bytes where they are not UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"

namespace attn {

inline Json json_of_path(const std::string& path) {
  if (!first_invalid_utf8(path)) return path;
  return std::vector<std::uint8_t>(path.begin(), path.end());
}

// Empty if the value is no path.
inline std::string path_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  std::string path;
  if (!json.is_array()) return path;
  for (const Json& byte : json) {
    const bool is_byte = byte.is_number_unsigned() && byte.get<std::uint64_t>() <= 0xFF;
    if (!is_byte) return {};
    path.push_back(static_cast<char>(byte.get<std::uint64_t>()));
  }
  return path;
}

}  // namespace attn
