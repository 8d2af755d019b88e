// Readings of the arrays of a file: the role of each and the meaning of its axes, by names, shapes
// and numbers or by words such as "q=layers.*.q axes=layer,head,token,feature heads=12".
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
#include "document/load/array_facts.h"
#include "document/load/name_groups.h"

namespace attn {

// Names of arrays by their role; several names of one role are layers, in ascending order of the
// numbers in their names: "model.layers.3.self_attn.q", "blocks.0.attn.hook_pattern".
struct ArrayMeanings {
  std::vector<std::string> attention, q, k, v;
  // Attentions of an encoder–decoder whose cross-attention is `attention`: the decoder's and the
  // encoder's own.
  std::vector<std::string> self_attention, encoder_attention;
  std::optional<Side> only;  // without cross-attention: whose own `attention` is
  std::vector<std::string> tokens, query_tokens, key_tokens, ids;
  std::map<std::string, std::string> unused = {};  // reasons by the pattern of a group
};

// A role of arrays, by its key in words.
struct ArrayRole {
  std::string_view key, label;
  std::vector<std::string> ArrayMeanings::*names;
};
std::span<const ArrayRole> all_array_roles();
// Names of the axes of "attention", or of "q", "k" and "v", in the order of documents.
std::span<const std::string_view> known_axes(std::string_view key);

// Values by key: names or patterns of arrays by the keys of all_array_roles(), none if the role is
// not used; "mask" and "hidden" for masks whose true attends or hides, "bias" for masks added to
// scores, in addition to the usual ones unless one of them is empty; "axes" of attention or of
// queries, keys and values; "k.axes" and "v.axes" where keys or values have others; "heads": number
// of query heads joined in the last axis; "mask.axes" of masks.
using ArrayWords = std::map<std::string, std::vector<std::string>, std::less<>>;
Result<ArrayWords> parse_array_words(std::string_view text);  // BadInput
std::string array_words_text(const ArrayWords& words);
// True for "mask=": only masks that words name are used.
bool says_nothing(const ArrayWords& words, std::string_view key);
// Returns the flag as it is typed: "--arrays mask=m", "--arrays 'axes=head,query,key'".
std::string arrays_flag(const ArrayWords& words);

// Array of attention ("attention"), queries, keys or values ("q", "k", "v") and the names of its
// axes. The shape has arrays of several layers and heads stacked, and heads separated.
struct ArrayLayout {
  std::string key;
  std::vector<std::string> names;
  Shape shape;
  std::vector<std::string> axes;
  std::size_t heads = 0;     // separated from the last axis of the stored array
  std::string stacked = {};  // first letters of the axes that are stacked: "l", "lh", "h"

  std::size_t extent(std::string_view axis) const;  // 1 if the axis is missing
};

// A reading that fits: its arrays exist, and their shapes and axes agree.
struct ArrayReading {
  ArrayMeanings names;
  std::vector<ArrayLayout> layouts;  // attention, or queries, keys and any values
  int points = 0;                    // of all evidence
  std::vector<Evidence> evidence;
  bool is_finished() const;                         // attention, not queries and keys
  std::size_t extent(std::string_view axis) const;  // of "layer", "sample", "head", "query", "key"
  std::string sizes() const;                        // "12 layers of 4 heads of 10 × 10"
};

// Use of an array of flags, or of numbers added to scores.
enum class MaskUse { NotUsed, Attends, Hides, Added };

struct MaskReading {
  std::string name;  // or its pattern
  std::vector<std::string> names;
  std::vector<std::string> axes;
  std::vector<std::string> other_axes;  // that fit as well; none if only these do
  MaskUse use = MaskUse::NotUsed;
  bool has_flags = false;  // true may attend or hide
  int margin = kNoOther;   // points of this use above the other
  std::string because;
  std::string word;  // "mask" or "bias": the key in words that uses what is not used
  bool is_open() const { return has_flags && use != MaskUse::NotUsed && margin < 2; }
  bool is_likely() const { return has_flags && use != MaskUse::NotUsed && margin < 6; }
};

// The reading of one array, or of a group of them.
struct ArrayRecord {
  std::string array, shape, role, axes, because, other;
  std::string text;   // all of it but for what else fits: "attention, 2 samples of 3 heads"
  std::string fits;   // goes on in the window: "; as well 3 layers of 2 heads"
  std::string flags;  // goes on on the command line: "; as well 3 layers of 2 heads: `--arrays …`"
};

// Facts about a file, and the readings that fit, the most likely first.
struct ArrayChoices {
  std::vector<ArrayFacts> arrays;
  std::vector<ArrayGroup> groups;
  ArrayMeanings usual = {};                                   // by their names
  std::map<std::string, std::vector<std::string>> axes = {};  // named by the file, by array
  std::vector<std::string> left_out = {};                     // of the listing
  TokenFacts tokens = {};
  std::size_t noted_layers = 0;            // numbers of layers that the file lists
  ArrayWords words = {};                   // words that chose the reading
  std::vector<ArrayReading> fitting = {};  // with these words
  std::vector<MaskReading> masks = {};
  std::vector<ArrayRecord> records = {};
  // The axes that the file names for an array; none if it does not.
  std::vector<std::string> noted_axes(const std::string& name) const;
  int margin() const;          // of the first reading over the second
  int certain_margin() const;  // minimum at which it is certain
  bool is_certain() const;
  std::string sentence(bool with_flags = true) const;  // all records
  std::string question() const;  // about masks that nothing decides; "" if there are none
};

// Facts and groups of a listing, without any numbers.
ArrayChoices choices_of(std::vector<ArrayFacts> arrays);

// Roles of the arrays by their names, and by rows that sum to 1.
ArrayMeanings meanings_of(const ArrayChoices& choices);

// The usual arrays, with the changes of the words. BadInput for arrays that do not exist.
Result<ArrayMeanings> names_in_words(const ArrayChoices& choices, const ArrayWords& words);
// The arrays of a name or pattern. BadInput if there are none.
Result<std::vector<std::string>> arrays_named(const ArrayChoices& choices, const std::string& name);

// Patterns of arrays that could be attention, with their sizes: "arr_*", "arr_* · 12 layers of 4
// heads of 6 × 6". The largest first.
std::vector<std::pair<std::string, std::string>> possible_attentions(const ArrayChoices& choices);

// All readings that fit the words, the one with most points first. BadInput if none does.
Result<std::vector<ArrayReading>> array_readings(const ArrayChoices& choices,
                                                 const ArrayWords& words);

// A record for each group and each array that is not read, in the order of the file.
std::vector<ArrayRecord> records_of(const ArrayChoices& choices);

// Returns evidence for and against the axes of a reading; nothing if words give the axes.
std::vector<Evidence> evidence_for(const ArrayChoices& choices, const ArrayWords& words,
                                   const ArrayReading& reading);

}  // namespace attn
