// Names of features: of the columns that one extent counts, wherever these columns or rows occur.
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

// What counts columns that may have names.
enum class FeatureAxis {
  Model,   // of embeddings, and of what blocks hand on
  Key,     // of one head of queries and keys; all heads share them
  Value,   // of one head of values and of its output; likewise
  Hidden,  // of the hidden units of feed-forward networks
};
inline constexpr std::size_t kFeatureAxes = count_of<FeatureAxis>();

struct FeatureAxisInfo {
  FeatureAxis axis;
  std::string_view key;                // "d_model": in JSON and in sentences
  std::size_t AttentionShape::*count;  // how many there are; 0: a document has none
};
std::span<const FeatureAxisInfo> all_feature_axes();  // indexed by axis
const FeatureAxisInfo& feature_axis_info(FeatureAxis axis);

// A value: copies share the names. A column without a name is shown by its number.
class FeatureNames {
 public:
  bool none() const { return names_ == decltype(names_)(); }
  // In the order of their columns; none of them is empty.
  std::span<const TokenName> of(FeatureAxis axis) const { return names_[at(axis)].names(); }
  // Null for a column without a name.
  const std::string* name_of(FeatureAxis axis, std::size_t column) const {
    return names_[at(axis)].name_of(column);
  }

  // An empty name takes the column's name away.
  void rename(FeatureAxis axis, std::size_t column, std::string name);
  // In place of all that the axis had: one text for each column from the first on, empty ones
  // without a name.
  void set(FeatureAxis axis, std::vector<std::string> names);
  // Forgets those of columns from `count` on.
  void keep_first(FeatureAxis axis, std::size_t count);

  friend bool operator==(const FeatureNames&, const FeatureNames&) = default;

 private:
  static std::size_t at(FeatureAxis axis) { return static_cast<std::size_t>(axis); }
  void take(FeatureAxis axis, std::vector<TokenName> names);

  std::array<TokenList, kFeatureAxes> names_;  // of no size, as columns are counted elsewhere
};

// How the rows or columns that an extent counts go by names: all of them once, or those of one head
// after another.
struct FeatureColumns {
  std::optional<FeatureAxis> axis;  // nothing: they have no names
  std::size_t width = 0;            // of one head
  std::size_t heads = 1;            // side by side
  std::string_view head_symbol;     // before the number of a head, where there are several

  std::size_t feature_of(std::size_t column) const { return width == 0 ? column : column % width; }
};

// Keys, values and outputs that are as wide as the queries' embeddings have the names of these, and
// queries that are as wide as keys those of the keys.
FeatureColumns feature_columns(const AttentionShape& shape, Extent extent);

// Whether any of the columns has a name.
bool are_named(const FeatureNames& names, const FeatureColumns& columns);
// Null for a column without a name.
const std::string* feature_name(const FeatureNames& names, const FeatureColumns& columns,
                                std::size_t column);
// Its name, of several heads with the head's number from 1: "h2 animal"; else its number from 0.
std::string feature_label(const FeatureNames& names, const FeatureColumns& columns,
                          std::size_t column);

}  // namespace attn
