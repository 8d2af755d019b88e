// Token lists (texts, or a count with some names) and names of features in a text. Internal to
// core/document.
#pragma once

#include <string>
#include <vector>

#include "document/feature_names.h"
#include "text/forms.h"

namespace attn {

// An object from extents to lists of texts, or a list of them alone.
struct FeaturesText {
  std::vector<std::string> d_model, d_k, d_v, d_ff;
  std::vector<std::string> only;  // a bare list; its extent follows from the document
  friend bool operator==(const FeaturesText&, const FeaturesText&) = default;
};
FeatureNames names_of(FeaturesText text);
FeaturesText as_text(const FeatureNames& names);

extern const ObjectOf<FeaturesText> kFeaturesObject;
bool read_features(JsonValue json, FeaturesText& features);
void write_features(const TextWriter& to, const FeaturesText& features);
inline constexpr auto kFeaturesForm = form_of<FeaturesText, read_features, write_features>(
    {.one_of = "feature_names|object", .object = &kFeaturesObject});

// How many tokens, and the names of some.
struct CountedTokens;
extern const ObjectOf<CountedTokens> kCountedObject;

// One list for all samples, or one per sample.
bool read_token_lists(JsonValue json, TokenLists& lists);
void write_token_lists(const TextWriter& to, const TokenLists& lists);
inline constexpr auto kTokensForm =
    form_of<TokenLists, read_token_lists, write_token_lists>({.one_of = "tokens"});

}  // namespace attn
