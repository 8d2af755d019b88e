// Small JSON that is not a document: settings, facts, verdicts, states. Documents have a reader
// that tells where a mistake is and base/json_writer.h to lay out their numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/json_writer.h"

namespace attn {

using Json = nlohmann::ordered_json;

// With an indentation of two and a line break at the end; bytes that are not UTF-8 become U+FFFD,
// and what would act on a terminal is escaped.
inline std::string json_text(const Json& json) {
  return spare_terminals(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

// Discarded when the text is no JSON. Keys are in the order of the alphabet; of one that is there
// twice the last counts.
Json parse_own_json(std::string_view text);

}  // namespace attn
