// Small JSON that is not a document, such as settings and states. Documents have a reader that
// locates errors, and base/json_writer.h for the layout of numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/json_writer.h"

namespace attn {

using Json = nlohmann::ordered_json;

// Indented by two, with a line break at the end; malformed UTF-8 becomes U+FFFD, and control
// characters of terminals are escaped.
inline std::string json_text(const Json& json) {
  return spare_terminals(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

// Discarded if the text is not JSON, or has more levels than kDeepestJson. Keys are sorted; the
// last of duplicates counts.
inline constexpr int kDeepestJson = 100;
Json parse_own_json(std::string_view text);

// The member of an object if it is of the kind of `otherwise`, else `otherwise`.
inline Json member_of(const Json& json, const char* name, const Json& otherwise) {
  const auto found = json.find(name);
  return found != json.end() && found->type() == otherwise.type() ? *found : otherwise;
}

// A path as text, or as a list of bytes if it is not UTF-8; "" if the value is no path.
Json json_of_path(const std::string& path);
std::string path_of(const Json& json);

}  // namespace attn
