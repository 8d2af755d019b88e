// Parser of small JSON in linear time.
#include "base/json.h"

namespace attn {

// Objects of `Json` compare each new key with all before; those of nlohmann::json are trees.
// Parsing into a tree first, whose keys are unique, avoids the comparisons.
Json parse_own_json(std::string_view text) {
  return Json(nlohmann::json::parse(text, nullptr, false));
}

}  // namespace attn
