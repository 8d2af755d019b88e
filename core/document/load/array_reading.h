// How the arrays of a file are read: which is what and which axis is which, by names and shapes or
// as people say it: "q=layers.*.q axes=layer,head,token,feature heads=12". Without any numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "base/result.h"
#include "base/tensor.h"
#include "document/tensors/array_file.h"

namespace attn {

// Names of arrays by what they mean; several of one meaning are those of layers, in ascending order
// of the numbers in their names: "model.layers.3.self_attn.q", "blocks.0.attn.hook_pattern".
struct ArrayMeanings {
  std::vector<std::string> attention, q, k, v, visible, bias;
  // Of an encoder–decoder whose cross-attention is `attention`: the decoder's and encoder's own.
  std::vector<std::string> self_attention, encoder_attention;
  std::optional<Side> only;  // Without one across: `attention` is the decoder's, or the encoder's
  std::vector<std::string> tokens, query_tokens, key_tokens, ids;
  std::vector<std::string> unused;
};

// Of several names for one thing the most specific counts: queries after rotary positions before
// those without.
ArrayMeanings meanings_of(const ArrayListing& listing);

// Numbers of the layers in the names, one each; empty if a name has none.
std::vector<std::uint64_t> layers_in(const std::vector<std::string>& names);

struct ArrayFacts {
  std::string name;
  std::string type;  // "float32"; "text"
  Shape shape;
};

std::vector<ArrayFacts> facts_of(const ArrayListing& listing);

// What an array can be, by its key in words.
struct ArrayRole {
  std::string_view key, label;
  std::vector<std::string> ArrayMeanings::*names;
};
std::span<const ArrayRole> all_array_roles();
// Names of the axes of "attention", or of "q", "k" and "v", in the order of documents.
std::span<const std::string_view> known_axes(std::string_view key);

// Values by key: names or patterns of arrays by the keys of all_array_roles(), none for what is not
// used; "axes" of attention or of queries, keys and values; "k.axes" and "v.axes" where keys or
// values have others; "heads": how many of queries lie side by side in the last axis.
using ArrayWords = std::map<std::string, std::vector<std::string>, std::less<>>;
Result<ArrayWords> parse_array_words(std::string_view text);  // BadInput
std::string array_words_text(const ArrayWords& words);

// Numbers of attention ("attention"), queries, keys or values ("q", "k", "v") and the names of
// their axes. The shape has arrays of several layers stacked, and heads apart.
struct LaidArray {
  std::string key;
  std::vector<std::string> names;
  Shape shape;
  std::vector<std::string> axes;
  std::size_t heads = 0;  // cut out of the last axis of what is stored

  std::size_t extent(std::string_view axis) const;  // 1 without the axis
};

// "“attentions”", or "12 arrays from “layers.0.attn” to “layers.11.attn”". Precondition: not empty.
std::string source_text(const std::vector<std::string>& names);

// A reading that fits: its arrays exist, and their shapes and axes agree.
struct ArrayReading {
  ArrayMeanings names;
  std::vector<LaidArray> laid;  // attention, or queries, keys and any values
  bool is_likely = true;        // no more is assumed than in the usual one
  std::string sentence;         // "12 layers of 4 heads of 10 × 10, attention from “attn”"
};

// What is known of a file, and the readings that fit, the most likely first.
struct ArrayChoices {
  std::vector<ArrayFacts> arrays;
  ArrayMeanings usual;                                        // by their names
  std::map<std::string, std::vector<std::string>> axes = {};  // that the file names, by array
  std::vector<std::string> left_out = {};                     // of the listing
  std::size_t tokens = 0, samples = 0;     // lengths and number of lists; 0: unknown
  ArrayWords words = {};                   // that chose the reading
  std::vector<ArrayReading> fitting = {};  // with these words
  // The axes that the file names of an array; none if it does not.
  std::vector<std::string> noted_axes(const std::string& name) const;
  // True if nothing speaks for the first rather than for the second.
  bool is_ambiguous() const { return fitting.size() > 1 && fitting[1].is_likely; }
};

// The usual arrays, and what the words change. BadInput for arrays that are not there.
Result<ArrayMeanings> names_in_words(const ArrayChoices& choices, const ArrayWords& words);

// All readings by the words that fit. BadInput if none does.
Result<std::vector<ArrayReading>> array_readings(const ArrayChoices& choices,
                                                 const ArrayWords& words);

// Names to choose from: patterns of arrays with equal shapes whose names differ in a number,
// "layers.*.q", and the names of all others.
std::vector<std::string> array_patterns(std::span<const ArrayFacts> arrays);

}  // namespace attn
