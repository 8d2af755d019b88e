// Names of features: columns of one extent, wherever it occurs.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "base/enum_table.h"
#include "document/token_list.h"

namespace attn {

// Extents whose columns may have names.
enum class FeatureAxis {
  Model,   // of embeddings and of inputs and outputs of blocks
  Key,     // of one head of queries and keys, shared by all heads
  Value,   // of one head of values and outputs, shared by all heads
  Hidden,  // of the hidden units of feed-forward layers
};
inline constexpr std::size_t kFeatureAxes = count_of<FeatureAxis>();

struct FeatureAxisInfo {
  FeatureAxis axis;
  std::string_view key;                // in JSON and sentences: "d_model"
  std::size_t AttentionShape::*count;  // number of columns; 0: none
};
std::span<const FeatureAxisInfo> all_feature_axes();  // indexed by axis
const FeatureAxisInfo& feature_axis_info(FeatureAxis axis);

// A value: copies share the names. A column without a name is shown by its number.
class FeatureNames {
 public:
  bool none() const { return names_ == decltype(names_)(); }
  // Names in order of columns; none is empty.
  std::span<const TokenName> of(FeatureAxis axis) const { return names_[at(axis)].names(); }
  // Null for a column without a name.
  const std::string* name_of(FeatureAxis axis, std::size_t column) const {
    return names_[at(axis)].name_of(column);
  }

  // An empty name removes it.
  void rename(FeatureAxis axis, std::size_t column, std::string name);
  // Replaces all names of the axis: one text per column from the first on; empty: no name.
  void set(FeatureAxis axis, std::vector<std::string> names);
  // Drops names of columns from `count` on.
  void keep_first(FeatureAxis axis, std::size_t count);

  friend bool operator==(const FeatureNames&, const FeatureNames&) = default;

 private:
  static std::size_t at(FeatureAxis axis) { return static_cast<std::size_t>(axis); }
  void take(FeatureAxis axis, std::vector<TokenName> names);

  std::array<TokenList, kFeatureAxes> names_;  // without a size, as columns are counted elsewhere
};

// Names of the columns of an extent: all at once, or per head.
struct FeatureColumns {
  std::optional<FeatureAxis> axis;  // nothing: no names
  std::size_t width = 0;            // of one head
  std::size_t heads = 1;            // number of heads side by side
  std::string_view head_symbol;     // prefix of the head's number, if there are several

  std::size_t feature_of(std::size_t column) const { return width == 0 ? column : column % width; }
};

// Embeddings of keys and values, and outputs, as wide as those of the queries share their names;
// queries as wide as keys share those of the keys.
FeatureColumns feature_columns(const AttentionShape& shape, Extent extent);

// True if any of the columns has a name.
bool are_named(const FeatureNames& names, const FeatureColumns& columns);
// Null for a column without a name.
const std::string* feature_name(const FeatureNames& names, const FeatureColumns& columns,
                                std::size_t column);
// Name, for several heads with the head's number: "h2 animal"; else the column's number. Numbers
// are from 1, as on every screen.
std::string feature_label(const FeatureNames& names, const FeatureColumns& columns,
                          std::size_t column);

}  // namespace attn
