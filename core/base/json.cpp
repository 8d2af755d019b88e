// Parser of small JSON in linear time.
#include "base/json.h"

#include <cstdint>
#include <vector>

#include "base/utf8.h"

namespace attn {

// Objects of `Json` compare each new key with all before; those of nlohmann::json are trees.
// Parsing into a tree first, whose keys are unique, avoids the comparisons. The tree is copied and
// written by recursion, for which the stack must suffice.
Json parse_own_json(std::string_view text) {
  bool is_too_deep = false;
  using Event = nlohmann::json::parse_event_t;
  const auto fits = [&](int level, Event event, const nlohmann::json&) {
    const bool opens = event == Event::object_start || event == Event::array_start;
    is_too_deep = is_too_deep || (opens && level >= kDeepestJson);
    return !is_too_deep;
  };
  const nlohmann::json tree = nlohmann::json::parse(text, fits, false);
  return Json(is_too_deep ? nlohmann::json(nlohmann::json::value_t::discarded) : tree);
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
