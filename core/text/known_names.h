// Meaning of the names that libraries and papers give to arrays, keys and keywords: the table of
// assets/names.tsv.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attn {

// Role of an array by its name. Scores are weights if they are finished, Perhaps is weights if its
// rows sum to 1; None and Sparse are never attention.
enum class NameRole {
  Weights,
  Scores,
  Perhaps,
  Q,
  K,
  V,
  Padding,
  Mask,
  Bias,
  Tokens,
  QueryTokens,
  KeyTokens,
  Ids,
  None,
  Sparse
};

// Type of the value that a known name holds. Floats may be whole numbers.
enum class NameType { Any, Flags, Whole, Floats, Text };

// A row of the table.
struct KnownName {
  NameRole role;
  std::string_view end;    // words of small letters, joined by "_"; "*_mask": behind other words
  std::string_view type;   // "numbers", "whole", "floats", "text"
  int leaning = 0;         // of true in masks of lists (samples, keys); < 0: attends, > 0: hides
  int square_leaning = 0;  // in masks of queries and keys
  std::string_view who = {};
  std::size_t rank = 0;  // the smaller, the more specific among names of a role
};
std::span<const KnownName> all_known_names();

// The words of a name in small letters, joined by "_", without numbers: "layer_attn" of
// "layer0.attn" and of "layerAttn_3".
std::string name_words(std::string_view name);

// True for names of a model's parameters: "h.0.attn.c_attn.weight", "query/kernel:0".
bool is_parameter(std::string_view name);

// The row with the longest name that ends `name` in whole words, if it allows the type. None for
// parameters such as "h.0.attn.c_attn.bias".
std::optional<KnownName> known_name(std::string_view name, NameType type = NameType::Any);

}  // namespace attn
