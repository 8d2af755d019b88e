// Reads and writes the names of features.
#include "document/json/features.h"

#include <utility>

#include "base/json_writer.h"
#include "document/json/object.h"
#include "document/json/values.h"

namespace attn {
namespace {

using Kind = JsonCursor::Kind;

template <FeatureAxis Axis>
bool read_names_along(JsonCursor& cursor, FeatureFields& fields) {
  std::vector<std::string> names;
  if (!read_texts(cursor, names)) return false;
  fields.names.set(Axis, std::move(names));
  return true;
}

constexpr Row<FeatureFields> kAxisKeys[] = {
    {"d_model", read_names_along<FeatureAxis::Model>},
    {"d_k", read_names_along<FeatureAxis::Key>},
    {"d_v", read_names_along<FeatureAxis::Value>},
    {"d_ff", read_names_along<FeatureAxis::Hidden>},
};
static_assert(std::size(kAxisKeys) == kFeatureAxes);

// With empty texts for the columns before and between.
std::vector<std::string> texts_of(std::span<const TokenName> names) {
  std::vector<std::string> texts(names.empty() ? 0 : names.back().index + 1);
  for (const TokenName& name : names) texts[name.index] = name.text;
  return texts;
}

}  // namespace

bool read_features(JsonCursor& cursor, FeatureFields& fields) {
  switch (cursor.kind()) {
    case Kind::List:
      return read_texts(cursor, fields.only);
    case Kind::Object:
      return read_object<FeatureFields>(cursor, kAxisKeys, fields);
    default:
      return cursor.refuse("features are neither a list nor an object", cursor.describe(),
                           "a list of names, or an object such as {\"d_model\": [\"animal\"]}");
  }
}

void write_features(ObjectWriter& document, const FeatureNames& names) {
  if (names.none()) return;
  ObjectWriter object(document.member("features"), 1);
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    const std::vector<std::string> texts = texts_of(names.of(info.axis));
    if (!texts.empty()) append_row(object.member(info.key), texts);
  }
  object.end();
}

}  // namespace attn
