// Refuses unknown keys and names with what was probably meant.
#include "document/json/object.h"

#include "text/nearest.h"

namespace attn {
namespace {

constexpr const char* kUnknownKey = "unknown key";
constexpr const char* kAllKeys = "attnscope schema prints all keys";

std::string quoted_name(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string did_you_mean(std::string_view meant) {
  return meant.empty() ? "" : "did you mean " + quoted_name(meant) + "?";
}

}  // namespace

bool refuse_unknown_key(JsonCursor& cursor, const std::string& key,
                        std::span<const std::string_view> known) {
  const std::string_view meant = meant_key(key, known);
  if (!meant.empty()) {
    return cursor.refuse_key(kUnknownKey, quoted_name(meant), did_you_mean(meant));
  }
  std::string such_as;
  for (const std::string_view name : nearest_few(key, known, 3)) {
    such_as += (such_as.empty() ? "a key such as " : ", ") + std::string(name);
  }
  const std::vector<Error>& errors = cursor.errors();
  const bool said = std::any_of(errors.begin(), errors.end(), [](const Error& error) {
    return error.message == kUnknownKey && error.hint == kAllKeys;
  });
  return cursor.refuse_key(kUnknownKey, said ? "" : such_as, said ? "" : kAllKeys);
}

bool refuse_unknown_name(JsonCursor& cursor, const JsonCursor::Mark& start, const std::string& what,
                         const std::string& name, std::span<const std::string_view> known) {
  std::string all;
  for (const std::string_view one : known) all += (all.empty() ? "" : ", ") + std::string(one);
  return cursor.refuse_at(start, "unknown " + what, quoted_name(name), "one of " + all,
                          did_you_mean(nearest(name, known)));
}

}  // namespace attn
