// Readers and writers of token lists (texts, or a count with some names) and of names of features.
// Internal to core/document.
#pragma once

#include <string>
#include <vector>

#include "document/document.h"
#include "document/feature_names.h"
#include "text/reader.h"

namespace attn {

// One list for all samples, or one per sample.
bool read_token_lists(JsonValue json, TokenLists& lists);

class ObjectWriter;

struct FeatureFields {
  FeatureNames names;
  std::vector<std::string> only;  // a bare list; its extent follows from the document
};

// An object from extents to lists of texts, or a list of them alone.
bool read_features(JsonValue json, FeatureFields& fields);

// Writes an object with a member for each extent that has names; nothing if there are none.
void write_features(ObjectWriter& object, const FeatureNames& names);

}  // namespace attn
