// Edits of the names of features.
#include "document/edit/features.h"

#include "base/error.h"
#include "document/edit.h"
#include "model/findings.h"

namespace attn {

void fit_features(Document& document) {
  if (document.features.none()) return;
  const AttentionShape shape = shape_of(document);
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    document.features.keep_first(info.axis, shape.*info.count);
  }
}

Result<Document> with_feature_renamed(const Document& document, FeatureAxis axis,
                                      std::size_t column, const std::string& name) {
  const FeatureAxisInfo& info = feature_axis_info(axis);
  const std::string pointer = "/features/" + std::string(info.key);
  const std::size_t count = shape_of(document).*info.count;
  if (column >= count) {
    return refusal_at(pointer, "there is no such column", "column " + std::to_string(column),
                      "one of " + counted(count, "column") + ", counted from 0");
  }
  if (auto refused = utf8_refusal(name, "the name")) {
    refused->pointer = pointer;
    return *std::move(refused);
  }
  Document changed = document;
  changed.features.rename(axis, column, name);
  return changed;
}

}  // namespace attn
