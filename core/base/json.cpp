// Parser of small JSON in linear time.
#include "base/json.h"

#include <cstdint>
#include <vector>

#include "base/utf8.h"

namespace attn {

namespace {

// True if brackets nest too deep before the first place where the text is not JSON.
bool is_too_deep(std::string_view text) {
  int levels = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char sign = text[i];
    if (in_string && sign == '\\') {
      ++i;
    } else if (sign == '"') {
      in_string = !in_string;
    } else if (!in_string && (sign == '[' || sign == '{')) {
      if (++levels > kDeepestJson) return true;
    } else if (!in_string && (sign == ']' || sign == '}')) {
      --levels;
    }
  }
  return false;
}

}  // namespace

// Objects of `Json` compare each new key with all before; those of nlohmann::json are trees.
// Parsing into a tree first, whose keys are unique, avoids the comparisons. The tree is copied and
// written by recursion, for which the stack must suffice; it is counted beforehand, as a parser
// with a callback goes through all members of an object after each.
Json parse_own_json(std::string_view text) {
  if (is_too_deep(text)) return Json(Json::value_t::discarded);
  return Json(nlohmann::json::parse(text, nullptr, false));
}

Json json_of_path(const std::string& path) {
  if (!first_invalid_utf8(path)) return path;
  return std::vector<std::uint8_t>(path.begin(), path.end());
}

std::string path_of(const Json& json) {
  std::string path = json.is_string() ? json.get<std::string>() : "";
  if (path.find('\0') != path.npos) return {};
  if (!json.is_array()) return path;
  for (const Json& byte : json) {
    const bool is_byte = byte.is_number_unsigned() && byte.get<std::uint64_t>() - 1 < 0xFF;
    if (!is_byte) return {};
    path.push_back(static_cast<char>(byte.get<std::uint64_t>()));
  }
  return path;
}

}  // namespace attn
