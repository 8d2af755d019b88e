// Groups of arrays whose names differ only in numbers, as one array of several layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.h"
#include "document/load/array_facts.h"
#include "text/known_names.h"

namespace attn {

// Arrays of one type and shape. The number that differs is that of the layer; after "head" it is
// that of the head. Other numbers separate groups.
struct ArrayGroup {
  std::string pattern;                // "layer*_attn"; the name of a lone array
  std::vector<std::string> names;     // by layer, then by head
  std::vector<std::size_t> places;    // position of these arrays in the file
  std::vector<std::uint64_t> layers;  // their numbers; none for a single array
  std::size_t heads = 0;              // of each layer, if the names differ in them
  Shape shape;                        // of one array
  NameType type = NameType::Any;
  std::optional<KnownName> known;
  std::string collision;     // "a1, a01": two names of one number
  bool lacks_heads = false;  // heads are read separately, since some layers lack heads

  bool has_role(NameRole role) const { return known && known->role == role; }
};

// True if masks of the name are lists of real tokens, or of padding.
bool names_padding(const ArrayGroup& group);

// Groups in the order of the file.
std::vector<ArrayGroup> groups_of(std::span<const ArrayFacts> arrays);

// True if the name matches the pattern, whose stars match numbers.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace attn
